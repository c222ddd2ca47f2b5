public import FoundationExtras

/// A font by what it should look like. The desktop's sans-serif stands for Apple's system font.
public final class UIFont: NSObject, Sendable {
    /// From ultra light (-0.8) to black (0.62); 0 is regular.
    public struct Weight: RawRepresentable, Sendable, Hashable {
        public var rawValue: CGFloat
        public init(rawValue: CGFloat) { self.rawValue = rawValue }
        public init(_ rawValue: CGFloat) { self.rawValue = rawValue }

        public static let ultraLight = Weight(-0.8)
        public static let thin = Weight(-0.6)
        public static let light = Weight(-0.4)
        public static let regular = Weight(0)
        public static let medium = Weight(0.23)
        public static let semibold = Weight(0.3)
        public static let bold = Weight(0.4)
        public static let heavy = Weight(0.56)
        public static let black = Weight(0.62)

        /// The weight of style sheets, 100 to 900.
        package var css: Int {
            switch rawValue {
            case ..<(-0.7): 100
            case ..<(-0.5): 200
            case ..<(-0.2): 300
            case ..<0.12: 400
            case ..<0.27: 500
            case ..<0.35: 600
            case ..<0.48: 700
            case ..<0.59: 800
            default: 900
            }
        }
    }

    /// What a text is for; its size is the one Apple has at the middle setting.
    public struct TextStyle: RawRepresentable, Sendable, Hashable {
        public var rawValue: String
        public init(rawValue: String) { self.rawValue = rawValue }

        public static let extraLargeTitle = TextStyle(rawValue: "extraLargeTitle")
        public static let largeTitle = TextStyle(rawValue: "largeTitle")
        public static let title1 = TextStyle(rawValue: "title1")
        public static let title2 = TextStyle(rawValue: "title2")
        public static let title3 = TextStyle(rawValue: "title3")
        public static let headline = TextStyle(rawValue: "headline")
        public static let subheadline = TextStyle(rawValue: "subheadline")
        public static let body = TextStyle(rawValue: "body")
        public static let callout = TextStyle(rawValue: "callout")
        public static let footnote = TextStyle(rawValue: "footnote")
        public static let caption1 = TextStyle(rawValue: "caption1")
        public static let caption2 = TextStyle(rawValue: "caption2")

        var pointSize: CGFloat {
            switch self {
            case .extraLargeTitle: 36
            case .largeTitle: 34
            case .title1: 28
            case .title2: 22
            case .title3: 20
            case .callout: 16
            case .subheadline: 15
            case .footnote: 13
            case .caption1: 12
            case .caption2: 11
            default: 17
            }
        }
    }

    /// Points.
    public let pointSize: CGFloat
    package let weight: Weight
    package let design: UIFontDescriptor.SystemDesign
    package let isItalic: Bool
    /// nil: the system's font.
    package let family: String?

    package init(
        size: CGFloat, weight: Weight = .regular, design: UIFontDescriptor.SystemDesign = .default,
        isItalic: Bool = false, family: String? = nil
    ) {
        // Apple makes 12 points of a size that is none.
        pointSize = size > 0 && size.isFinite ? size : 12
        self.weight = weight
        self.design = design
        self.isItalic = isItalic
        self.family = family
        super.init()
    }

    /// The font of that name where the desktop has it when the text is drawn, else the system's.
    public convenience init?(name fontName: String, size fontSize: CGFloat) {
        guard !fontName.isEmpty else { return nil }
        let parts = fontName.split(separator: "-", maxSplits: 1)
        let style = parts.count > 1 ? parts[1].lowercased() : ""
        let weight: Weight =
            style.contains("semibold") || style.contains("demi")
            ? .semibold : style.contains("bold") ? .bold : style.contains("medium") ? .medium : .regular
        self.init(
            size: fontSize, weight: weight, isItalic: style.contains("italic") || style.contains("oblique"),
            family: String(parts[0]))
    }

    /// - Parameter pointSize: 0: the size of the descriptor.
    public convenience init(descriptor: UIFontDescriptor, size pointSize: CGFloat) {
        let font = descriptor.font
        self.init(
            size: pointSize > 0 ? pointSize : font.pointSize, weight: font.weight, design: font.design,
            isItalic: font.isItalic, family: font.family)
    }

    public static func systemFont(ofSize fontSize: CGFloat) -> UIFont { UIFont(size: fontSize) }
    public static func systemFont(ofSize fontSize: CGFloat, weight: Weight) -> UIFont {
        UIFont(size: fontSize, weight: weight)
    }
    public static func boldSystemFont(ofSize fontSize: CGFloat) -> UIFont {
        UIFont(size: fontSize, weight: .bold)
    }
    public static func italicSystemFont(ofSize fontSize: CGFloat) -> UIFont {
        UIFont(size: fontSize, isItalic: true)
    }
    public static func monospacedSystemFont(ofSize fontSize: CGFloat, weight: Weight) -> UIFont {
        UIFont(size: fontSize, weight: weight, design: .monospaced)
    }
    public static func monospacedDigitSystemFont(ofSize fontSize: CGFloat, weight: Weight) -> UIFont {
        UIFont(size: fontSize, weight: weight)
    }
    public static func preferredFont(forTextStyle style: TextStyle) -> UIFont {
        UIFont(size: style.pointSize, weight: style == .headline ? .semibold : .regular)
    }

    public static var labelFontSize: CGFloat { 17 }
    public static var buttonFontSize: CGFloat { 18 }
    public static var smallSystemFontSize: CGFloat { 12 }
    public static var systemFontSize: CGFloat { 14 }

    public func withSize(_ fontSize: CGFloat) -> UIFont {
        UIFont(size: fontSize, weight: weight, design: design, isItalic: isItalic, family: family)
    }

    public var fontDescriptor: UIFontDescriptor { UIFontDescriptor(self) }
    public var familyName: String { family ?? "sans-serif" }
    public var fontName: String { "\(familyName)\(weight.css > 400 ? "-\(weight.css)" : "")" }
    public var lineHeight: CGFloat { pointSize * 1.2 }
    public var ascender: CGFloat { pointSize * 0.95 }
    public var descender: CGFloat { pointSize * -0.25 }
    public var capHeight: CGFloat { pointSize * 0.7 }
    public var xHeight: CGFloat { pointSize * 0.52 }

    /// The list of families for style sheets and SVG; no double quotes.
    package var cssFamily: String {
        let fallback =
            switch design {
            case .monospaced: "ui-monospace, monospace"
            case .serif: "ui-serif, serif"
            case .rounded: "ui-rounded, system-ui, sans-serif"
            default: "system-ui, sans-serif"
            }
        let safe = family?.filter { $0.isLetter || $0.isNumber || $0 == " " }
        return safe.map { "'\($0)', \(fallback)" } ?? fallback
    }

    public override func isEqual(_ object: Any?) -> Bool {
        guard let other = object as? UIFont else { return false }
        return pointSize == other.pointSize && weight == other.weight && design == other.design
            && isItalic == other.isItalic && family == other.family
    }

    public override var hash: Int {
        var hasher = Hasher()
        hasher.combine(pointSize)
        hasher.combine(weight)
        hasher.combine(family)
        return hasher.finalize()
    }
}

/// What a font should look like.
public final class UIFontDescriptor: NSObject, Sendable {
    /// The system's font in another drawing.
    public struct SystemDesign: RawRepresentable, Sendable, Hashable {
        public var rawValue: String
        public init(rawValue: String) { self.rawValue = rawValue }
        public static let `default` = SystemDesign(rawValue: "default")
        public static let rounded = SystemDesign(rawValue: "rounded")
        public static let serif = SystemDesign(rawValue: "serif")
        public static let monospaced = SystemDesign(rawValue: "monospaced")
    }

    /// Bold, italic.
    public struct SymbolicTraits: OptionSet, Sendable {
        public var rawValue: UInt32
        public init(rawValue: UInt32) { self.rawValue = rawValue }
        public static let traitItalic = SymbolicTraits(rawValue: 1)
        public static let traitBold = SymbolicTraits(rawValue: 2)
        public static let traitMonoSpace = SymbolicTraits(rawValue: 1 << 10)
    }

    let font: UIFont

    init(_ font: UIFont) {
        self.font = font
        super.init()
    }

    public static func preferredFontDescriptor(withTextStyle style: UIFont.TextStyle) -> UIFontDescriptor {
        UIFontDescriptor(.preferredFont(forTextStyle: style))
    }

    public var pointSize: CGFloat { font.pointSize }

    public var symbolicTraits: SymbolicTraits {
        var traits: SymbolicTraits = []
        if font.isItalic { traits.insert(.traitItalic) }
        if font.weight.css >= 600 { traits.insert(.traitBold) }
        if font.design == .monospaced { traits.insert(.traitMonoSpace) }
        return traits
    }

    public func withDesign(_ design: SystemDesign) -> UIFontDescriptor? {
        UIFontDescriptor(
            UIFont(
                size: font.pointSize, weight: font.weight, design: design, isItalic: font.isItalic,
                family: font.family))
    }

    public func withSymbolicTraits(_ symbolicTraits: SymbolicTraits) -> UIFontDescriptor? {
        UIFontDescriptor(
            UIFont(
                size: font.pointSize, weight: symbolicTraits.contains(.traitBold) ? .bold : .regular,
                design: symbolicTraits.contains(.traitMonoSpace) ? .monospaced : font.design,
                isItalic: symbolicTraits.contains(.traitItalic), family: font.family))
    }

    public func withSize(_ newPointSize: CGFloat) -> UIFontDescriptor {
        UIFontDescriptor(font.withSize(newPointSize))
    }
}
