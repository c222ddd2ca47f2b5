public import Foundation

/// A font: a text style of iOS in its usual size, a system font, or a font of the reader's machine.
nonisolated public struct Font: Hashable, Sendable {
    /// The text styles of iOS.
    nonisolated public enum TextStyle: Hashable, CaseIterable, Sendable {
        case largeTitle, title, title2, title3, headline, subheadline, body, callout, footnote, caption,
            caption2
        case extraLargeTitle, extraLargeTitle2
        /// In points, in the usual text size.
        var size: Double {
            switch self {
            case .extraLargeTitle: 36
            case .extraLargeTitle2: 28
            case .largeTitle: 34
            case .title: 28
            case .title2: 22
            case .title3: 20
            case .headline, .body: 17
            case .callout: 16
            case .subheadline: 15
            case .footnote: 13
            case .caption: 12
            case .caption2: 11
            }
        }
    }
    /// The design of a system font.
    nonisolated public enum Design: Hashable, Sendable {
        case `default`
        case serif
        case rounded
        case monospaced
    }
    /// The weight of a font, as in CSS from 100 to 900.
    nonisolated public struct Weight: Hashable, Sendable {
        let css: Int
        public static let ultraLight = Weight(css: 100)
        public static let thin = Weight(css: 200)
        public static let light = Weight(css: 300)
        public static let regular = Weight(css: 400)
        public static let medium = Weight(css: 500)
        public static let semibold = Weight(css: 600)
        public static let bold = Weight(css: 700)
        public static let heavy = Weight(css: 800)
        public static let black = Weight(css: 900)
    }
    /// The width of letters.
    nonisolated public struct Width: Hashable, Sendable {
        /// 0 is the usual width; 0.2 is 20 % wider.
        public var value: CGFloat
        /// - Parameter value: 0 is the usual width.
        public init(_ value: CGFloat) { self.value = value }
        /// 40 % narrower.
        public static let compressed = Width(-0.4)
        /// 20 % narrower.
        public static let condensed = Width(-0.2)
        /// The usual width.
        public static let standard = Width(0)
        /// 20 % wider.
        public static let expanded = Width(0.2)
    }
    /// The distance between lines.
    nonisolated public enum Leading: Hashable, Sendable {
        case standard
        case tight
        case loose
    }

    /// In points.
    var size: Double
    var weight: Weight?
    var design: Design?
    var family: String?
    var isItalic = false
    var hasEqualDigits = false
    var isSmallCaps = false
    var leading = Leading.standard
    var width: Width?
    var scalesWithReader = true

    /// 34 points.
    public static let largeTitle = system(.largeTitle)
    /// 28 points.
    public static let title = system(.title)
    /// 22 points.
    public static let title2 = system(.title2)
    /// 20 points.
    public static let title3 = system(.title3)
    /// 17 points, semibold.
    public static let headline = system(.headline)
    /// 15 points.
    public static let subheadline = system(.subheadline)
    /// 17 points.
    public static let body = system(.body)
    /// 16 points.
    public static let callout = system(.callout)
    /// 13 points.
    public static let footnote = system(.footnote)
    /// 12 points.
    public static let caption = system(.caption)
    /// 11 points.
    public static let caption2 = system(.caption2)
    /// 36 points.
    public static let extraLargeTitle = system(.extraLargeTitle)
    /// 28 points.
    public static let extraLargeTitle2 = system(.extraLargeTitle2)

    /// The system font in a text style.
    public static func system(_ style: TextStyle, design: Design? = nil, weight: Weight? = nil) -> Font {
        Font(size: style.size, weight: weight ?? (style == .headline ? .semibold : nil), design: design)
    }
    /// The system font in a size in points.
    public static func system(size: CGFloat, weight: Weight? = nil, design: Design? = nil) -> Font {
        Font(size: Double(size), weight: weight, design: design)
    }
    /// A font of the reader's machine, or the system font if it is not installed.
    public static func custom(_ name: String, size: CGFloat) -> Font {
        Font(size: Double(size), family: name)
    }
    /// Same as ``custom(_:size:)``: every font follows the browser's text size.
    public static func custom(_ name: String, size: CGFloat, relativeTo style: TextStyle) -> Font {
        custom(name, size: size)
    }
    /// Same as ``custom(_:size:)``: every font follows the browser's text size.
    public static func custom(_ name: String, fixedSize: CGFloat) -> Font { custom(name, size: fixedSize) }

    /// Sets the weight.
    public func weight(_ weight: Weight) -> Font { changed { $0.weight = weight } }
    /// Sets the weight 700.
    public func bold() -> Font { weight(.bold) }
    /// Sets slanted letters.
    public func italic() -> Font { changed { $0.isItalic = true } }
    /// Sets a font with letters of equal width.
    public func monospaced() -> Font { changed { $0.design = .monospaced } }
    /// Sets digits of equal width, if the font has them.
    public func monospacedDigit() -> Font { changed { $0.hasEqualDigits = true } }
    /// Sets small capitals, if the font has them.
    public func smallCaps() -> Font { changed { $0.isSmallCaps = true } }
    /// Same as ``smallCaps()``.
    public func lowercaseSmallCaps() -> Font { smallCaps() }
    /// Same as ``smallCaps()``.
    public func uppercaseSmallCaps() -> Font { smallCaps() }
    /// Sets the distance between lines.
    public func leading(_ leading: Leading) -> Font { changed { $0.leading = leading } }
    /// Sets the width of letters, if the font has it.
    public func width(_ width: Width) -> Font { changed { $0.width = width } }

    private func changed(_ change: (inout Font) -> Void) -> Font {
        var font = self
        change(&font)
        return font
    }
}

nonisolated extension Font {
    /// The CSS declarations.
    func style(scale: Double) -> Style {
        var style: Style = ["font-size": CSS.rem(size * scale)]
        if let weight { style["font-weight"] = "\(weight.css)" }
        if let family { style["font-family"] = "\"\(Self.safe(family))\",system-ui,sans-serif" }
        switch design {
        case .serif: style["font-family"] = "ui-serif,Georgia,\"Noto Serif\",serif"
        case .monospaced: style["font-family"] = "ui-monospace,\"DejaVu Sans Mono\",monospace"
        case .rounded: style["font-family"] = "ui-rounded,\"Nunito\",system-ui,\"Inter\",sans-serif"
        case .default, nil: break
        }
        if isItalic { style["font-style"] = "italic" }
        if hasEqualDigits { style["font-variant-numeric"] = "tabular-nums" }
        if isSmallCaps { style["font-variant-caps"] = "small-caps" }
        if let width { style["font-stretch"] = CSS.percent(1 + Double(width.value)) }
        switch leading {
        case .tight: style["line-height"] = "1.1"
        case .loose: style["line-height"] = "1.5"
        case .standard: if size >= 28 { style["line-height"] = "1.2" }
        }
        return style
    }

    private static func safe(_ name: String) -> String {
        name.filter { $0.isLetter || $0.isNumber || $0 == " " || $0 == "-" || $0 == "_" }
    }

    /// The estimated width of `text` in points, to distribute space in a row.
    func width(of text: String, scale: Double) -> Double {
        let widest =
            text.split(separator: "\n").map { line in
                line.unicodeScalars.reduce(0.0) { sum, scalar in
                    switch scalar.value {
                    case 0x2E80...0xD7FF, 0x1F000...0x1FFFF: sum + 1
                    case 0x20, 0x2C, 0x2E, 0x3A, 0x69, 0x6A, 0x6C, 0x7C, 0x21, 0x27: sum + 0.28
                    case 0x41...0x5A, 0x6D, 0x77: sum + 0.68
                    default: sum + 0.54
                    }
                }
            }.max() ?? 0
        return widest * size * scale * ((weight?.css ?? 400) >= 600 ? 1.06 : 1)
    }
}
