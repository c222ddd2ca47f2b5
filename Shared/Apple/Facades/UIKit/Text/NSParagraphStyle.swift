public import FoundationExtras

/// Where the lines of a text stand.
public enum NSTextAlignment: Int, Sendable, Hashable {
    case left = 0
    case center = 1
    case right = 2
    /// Drawn as `natural`.
    case justified = 3
    /// Left; scripts that run the other way are not looked for.
    case natural = 4
}

/// What becomes of a line that is too long.
public enum NSLineBreakMode: Int, Sendable, Hashable {
    case byWordWrapping = 0
    case byCharWrapping, byClipping, byTruncatingHead, byTruncatingTail, byTruncatingMiddle
}

/// How a paragraph is set.
open class NSParagraphStyle: NSObject {
    public fileprivate(set) var storage = ParagraphValues()

    public override init() { super.init() }

    public class var `default`: NSParagraphStyle { NSParagraphStyle() }

    open var alignment: NSTextAlignment { storage.alignment }
    open var lineBreakMode: NSLineBreakMode { storage.lineBreakMode }
    /// Points between lines.
    open var lineSpacing: CGFloat { storage.lineSpacing }
    /// Times the height of a line; 0: as it is.
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
    /// A `UIFont`; 12 points where there is none.
    public static let font = NSAttributedString.Key(rawValue: "NSFont")
    /// A `UIColor`; black where there is none.
    public static let foregroundColor = NSAttributedString.Key(rawValue: "NSColor")
    /// A `UIColor` behind the text.
    public static let backgroundColor = NSAttributedString.Key(rawValue: "NSBackgroundColor")
    /// An `NSParagraphStyle`.
    public static let paragraphStyle = NSAttributedString.Key(rawValue: "NSParagraphStyle")
    /// Points between letters.
    public static let kern = NSAttributedString.Key(rawValue: "NSKern")
    /// An `NSUnderlineStyle`'s raw value; any but 0 is one line.
    public static let underlineStyle = NSAttributedString.Key(rawValue: "NSUnderline")
    /// An `NSUnderlineStyle`'s raw value; any but 0 is one line.
    public static let strikethroughStyle = NSAttributedString.Key(rawValue: "NSStrikethrough")
}

/// How a line under a text looks; each is drawn as one line.
public struct NSUnderlineStyle: OptionSet, Sendable {
    public var rawValue: Int
    public init(rawValue: Int) { self.rawValue = rawValue }
    public static let single = NSUnderlineStyle(rawValue: 1)
    public static let thick = NSUnderlineStyle(rawValue: 2)
    public static let double = NSUnderlineStyle(rawValue: 9)
}
