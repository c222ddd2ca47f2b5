public import FoundationExtras

/// The alignment of lines of text.
public enum NSTextAlignment: Int, Sendable, Hashable {
    case left = 0
    case center = 1
    case right = 2
    /// Drawn as `natural`.
    case justified = 3
    /// Left, whatever the direction of the script.
    case natural = 4
}

/// How long lines are treated. Kept only: lines wrap at words.
public enum NSLineBreakMode: Int, Sendable, Hashable {
    case byWordWrapping = 0
    case byCharWrapping, byClipping, byTruncatingHead, byTruncatingTail, byTruncatingMiddle
}

/// The properties of a paragraph.
open class NSParagraphStyle: NSObject {
    public fileprivate(set) var storage = ParagraphValues()

    /// Default values.
    public override init() { super.init() }

    /// Default values.
    public class var `default`: NSParagraphStyle { NSParagraphStyle() }

    /// `natural` by default.
    open var alignment: NSTextAlignment { storage.alignment }
    /// Kept only: lines wrap at words.
    open var lineBreakMode: NSLineBreakMode { storage.lineBreakMode }
    /// The space between lines in points.
    open var lineSpacing: CGFloat { storage.lineSpacing }
    /// A factor for the line height. 0 leaves it unchanged.
    open var lineHeightMultiple: CGFloat { storage.lineHeightMultiple }

    open override func mutableCopy() -> Any {
        let copy = NSMutableParagraphStyle()
        copy.storage = storage
        return copy
    }
}

/// The values of a paragraph style.
public struct ParagraphValues: Sendable, Hashable {
    var alignment: NSTextAlignment = .natural
    var lineBreakMode: NSLineBreakMode = .byWordWrapping
    var lineSpacing: CGFloat = 0
    var lineHeightMultiple: CGFloat = 0
}

/// A paragraph style that can be changed.
open class NSMutableParagraphStyle: NSParagraphStyle {
    open override var alignment: NSTextAlignment {
        get { storage.alignment }
        set { storage.alignment = newValue }
    }
    open override var lineBreakMode: NSLineBreakMode {
        get { storage.lineBreakMode }
        set { storage.lineBreakMode = newValue }
    }
    open override var lineSpacing: CGFloat {
        get { storage.lineSpacing }
        set { storage.lineSpacing = newValue }
    }
    open override var lineHeightMultiple: CGFloat {
        get { storage.lineHeightMultiple }
        set { storage.lineHeightMultiple = newValue }
    }
}

extension NSAttributedString.Key {
    /// A `UIFont`. Without one, 12 points.
    public static let font = NSAttributedString.Key(rawValue: "NSFont")
    /// A `UIColor`. Without one, black.
    public static let foregroundColor = NSAttributedString.Key(rawValue: "NSColor")
    /// A `UIColor` behind the text.
    public static let backgroundColor = NSAttributedString.Key(rawValue: "NSBackgroundColor")
    /// An `NSParagraphStyle`.
    public static let paragraphStyle = NSAttributedString.Key(rawValue: "NSParagraphStyle")
    /// The space between letters in points.
    public static let kern = NSAttributedString.Key(rawValue: "NSKern")
    /// The raw value of an `NSUnderlineStyle`. Any value except 0 is a single line.
    public static let underlineStyle = NSAttributedString.Key(rawValue: "NSUnderline")
    /// The raw value of an `NSUnderlineStyle`. Any value except 0 is a single line.
    public static let strikethroughStyle = NSAttributedString.Key(rawValue: "NSStrikethrough")
}

/// The look of an underline. Every style is drawn as a single line.
public struct NSUnderlineStyle: OptionSet, Sendable {
    /// Apple's bits.
    public var rawValue: Int
    /// Unknown bits are kept.
    public init(rawValue: Int) { self.rawValue = rawValue }
    /// A single line.
    public static let single = NSUnderlineStyle(rawValue: 1)
    /// Drawn as a single line.
    public static let thick = NSUnderlineStyle(rawValue: 2)
    /// Drawn as a single line.
    public static let double = NSUnderlineStyle(rawValue: 9)
}
