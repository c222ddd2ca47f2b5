public import FoundationExtras

/// A font described by its look. The desktop's sans-serif font represents Apple's system font.
public final class UIFont: NSObject, Sendable {
    /// From ultra light (-0.8) to black (0.62). 0 is regular.
    public struct Weight: RawRepresentable, Sendable, Hashable {
        /// From -1 to 1; 0 is regular.
        public var rawValue: CGFloat
        /// - Parameter rawValue: 0 is regular.
        public init(rawValue: CGFloat) { self.rawValue = rawValue }
        /// - Parameter rawValue: 0 is regular.
        public init(_ rawValue: CGFloat) { self.rawValue = rawValue }

        /// 100 in style sheets.
        public static let ultraLight = Weight(-0.8)
        /// 200 in style sheets.
        public static let thin = Weight(-0.6)
        /// 300 in style sheets.
        public static let light = Weight(-0.4)
        /// 400 in style sheets.
        public static let regular = Weight(0)
        /// 500 in style sheets.
        public static let medium = Weight(0.23)
        /// 600 in style sheets.
        public static let semibold = Weight(0.3)
        /// 700 in style sheets.
        public static let bold = Weight(0.4)
        /// 800 in style sheets.
        public static let heavy = Weight(0.56)
        /// 900 in style sheets.
        public static let black = Weight(0.62)

        /// The weight in style sheets, 100 to 900.
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

    /// The purpose of a text. Sizes are Apple's at the default setting.
    public struct TextStyle: RawRepresentable, Sendable, Hashable {
        /// The name of the style.
        public var rawValue: String
        /// An unknown style has 17 points.
        public init(rawValue: String) { self.rawValue = rawValue }

        /// 36 points.
        public static let extraLargeTitle = TextStyle(rawValue: "extraLargeTitle")
        /// 34 points.
        public static let largeTitle = TextStyle(rawValue: "largeTitle")
        /// 28 points.
        public static let title1 = TextStyle(rawValue: "title1")
        /// 22 points.
        public static let title2 = TextStyle(rawValue: "title2")
        /// 20 points.
        public static let title3 = TextStyle(rawValue: "title3")
        /// 17 points, semibold.
        public static let headline = TextStyle(rawValue: "headline")
        /// 15 points.
        public static let subheadline = TextStyle(rawValue: "subheadline")
        /// 17 points.
        public static let body = TextStyle(rawValue: "body")
        /// 16 points.
        public static let callout = TextStyle(rawValue: "callout")
        /// 13 points.
        public static let footnote = TextStyle(rawValue: "footnote")
        /// 12 points.
        public static let caption1 = TextStyle(rawValue: "caption1")
        /// 11 points.
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

    /// In points.
    public let pointSize: CGFloat
    /// Regular by default.
    package let weight: Weight
    /// The design of the system font.
    package let design: UIFontDescriptor.SystemDesign
    /// Whether letters are slanted.
    package let isItalic: Bool
    /// The name of the font family. If nil, the system font.
    package let family: String?

    /// - Parameter size: in points; anything that is not above 0 becomes 12.
    package init(
        size: CGFloat, weight: Weight = .regular, design: UIFontDescriptor.SystemDesign = .default,
        isItalic: Bool = false, family: String? = nil
    ) {
        // Apple also uses 12 points for an invalid size.
        pointSize = size > 0 && size.isFinite ? size : 12
        self.weight = weight
        self.design = design
        self.isItalic = isItalic
        self.family = family
        super.init()
    }

    /// The named font if the desktop has it when the text is shown; otherwise the system font.
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

    /// - Parameter pointSize: if 0, the size of the descriptor.
    public convenience init(descriptor: UIFontDescriptor, size pointSize: CGFloat) {
        let font = descriptor.font
        self.init(
            size: pointSize > 0 ? pointSize : font.pointSize, weight: font.weight, design: font.design,
            isItalic: font.isItalic, family: font.family)
    }

    /// - Parameter fontSize: in points.
    public static func systemFont(ofSize fontSize: CGFloat) -> UIFont { UIFont(size: fontSize) }
    /// - Parameter fontSize: in points.
    public static func systemFont(ofSize fontSize: CGFloat, weight: Weight) -> UIFont {
        UIFont(size: fontSize, weight: weight)
    }
    /// The system font with the weight 700.
    public static func boldSystemFont(ofSize fontSize: CGFloat) -> UIFont {
        UIFont(size: fontSize, weight: .bold)
    }
    /// The system font with slanted letters.
    public static func italicSystemFont(ofSize fontSize: CGFloat) -> UIFont {
        UIFont(size: fontSize, isItalic: true)
    }
    /// The desktop's monospaced font.
    public static func monospacedSystemFont(ofSize fontSize: CGFloat, weight: Weight) -> UIFont {
        UIFont(size: fontSize, weight: weight, design: .monospaced)
    }
    /// The system font: digits are not made equally wide here.
    public static func monospacedDigitSystemFont(ofSize fontSize: CGFloat, weight: Weight) -> UIFont {
        UIFont(size: fontSize, weight: weight)
    }
    /// The system font in the size of the style. The text size setting is not considered.
    public static func preferredFont(forTextStyle style: TextStyle) -> UIFont {
        UIFont(size: style.pointSize, weight: style == .headline ? .semibold : .regular)
    }

    /// In points, as on iOS.
    public static var labelFontSize: CGFloat { 17 }
    /// In points, as on iOS.
    public static var buttonFontSize: CGFloat { 18 }
    /// In points, as on iOS.
    public static var smallSystemFontSize: CGFloat { 12 }
    /// In points, as on iOS.
    public static var systemFontSize: CGFloat { 14 }

    /// The font in another size in points.
    public func withSize(_ fontSize: CGFloat) -> UIFont {
        UIFont(size: fontSize, weight: weight, design: design, isItalic: isItalic, family: family)
    }

    /// Describes this font.
    public var fontDescriptor: UIFontDescriptor { UIFontDescriptor(self) }
    /// "sans-serif" for the system font.
    public var familyName: String { family ?? "sans-serif" }
    /// The family, with the weight if it is above 400.
    public var fontName: String { "\(familyName)\(weight.css > 400 ? "-\(weight.css)" : "")" }
    /// Estimated from the size, in points.
    public var lineHeight: CGFloat { pointSize * 1.2 }
    /// Estimated from the size, in points.
    public var ascender: CGFloat { pointSize * 0.95 }
    /// Estimated from the size, in points.
    public var descender: CGFloat { pointSize * -0.25 }
    /// Estimated from the size, in points.
    public var capHeight: CGFloat { pointSize * 0.7 }
    /// Estimated from the size, in points.
    public var xHeight: CGFloat { pointSize * 0.52 }

    /// The list of families for style sheets and SVG, without double quotes.
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

/// A description of a font.
public final class UIFontDescriptor: NSObject, Sendable {
    /// The design of the system font.
    public struct SystemDesign: RawRepresentable, Sendable, Hashable {
        /// The name of the design.
        public var rawValue: String
        /// An unknown design is the default.
        public init(rawValue: String) { self.rawValue = rawValue }
        /// Sans-serif.
        public static let `default` = SystemDesign(rawValue: "default")
        /// Rounded letters, if the desktop has such a font.
        public static let rounded = SystemDesign(rawValue: "rounded")
        /// Letters with serifs.
        public static let serif = SystemDesign(rawValue: "serif")
        /// Letters of equal width.
        public static let monospaced = SystemDesign(rawValue: "monospaced")
    }

    /// Bold, italic, monospaced.
    public struct SymbolicTraits: OptionSet, Sendable {
        /// Apple's bits.
        public var rawValue: UInt32
        /// Other bits are ignored.
        public init(rawValue: UInt32) { self.rawValue = rawValue }
        /// Slanted letters.
        public static let traitItalic = SymbolicTraits(rawValue: 1)
        /// The weight 700.
        public static let traitBold = SymbolicTraits(rawValue: 2)
        /// Letters of equal width.
        public static let traitMonoSpace = SymbolicTraits(rawValue: 1 << 10)
    }

    let font: UIFont

    init(_ font: UIFont) {
        self.font = font
        super.init()
    }

    /// The system font in the size of the style.
    public static func preferredFontDescriptor(withTextStyle style: UIFont.TextStyle) -> UIFontDescriptor {
        UIFontDescriptor(.preferredFont(forTextStyle: style))
    }

    /// In points.
    public var pointSize: CGFloat { font.pointSize }

    /// The traits of the font.
    public var symbolicTraits: SymbolicTraits {
        var traits: SymbolicTraits = []
        if font.isItalic { traits.insert(.traitItalic) }
        if font.weight.css >= 600 { traits.insert(.traitBold) }
        if font.design == .monospaced { traits.insert(.traitMonoSpace) }
        return traits
    }

    /// Never nil here.
    public func withDesign(_ design: SystemDesign) -> UIFontDescriptor? {
        UIFontDescriptor(
            UIFont(
                size: font.pointSize, weight: font.weight, design: design, isItalic: font.isItalic,
                family: font.family))
    }

    /// Never nil here. Traits that are not listed are removed.
    public func withSymbolicTraits(_ symbolicTraits: SymbolicTraits) -> UIFontDescriptor? {
        UIFontDescriptor(
            UIFont(
                size: font.pointSize, weight: symbolicTraits.contains(.traitBold) ? .bold : .regular,
                design: symbolicTraits.contains(.traitMonoSpace) ? .monospaced : font.design,
                isItalic: symbolicTraits.contains(.traitItalic), family: font.family))
    }

    /// In points.
    public func withSize(_ newPointSize: CGFloat) -> UIFontDescriptor {
        UIFontDescriptor(font.withSize(newPointSize))
    }
}
