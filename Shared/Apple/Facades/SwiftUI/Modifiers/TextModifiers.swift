public import Foundation

nonisolated extension View {
    private func text(_ modifier: Text.Modifier) -> some View { values { $0.textModifiers.append(modifier) } }

    /// The font of texts and symbols inside.
    public func font(_ font: Font?) -> some View { values { $0.font = font } }
    public func fontWeight(_ weight: Font.Weight?) -> some View { text(.weight(weight)) }
    public func fontDesign(_ design: Font.Design?) -> some View { text(.design(design)) }
    public func fontWidth(_ width: Font.Width?) -> some View {
        values { if let width { $0.font = ($0.font ?? .body).width(width) } }
    }
    public func bold(_ isActive: Bool = true) -> some View { text(.weight(isActive ? .bold : nil)) }
    public func italic(_ isActive: Bool = true) -> some View { text(.italic(isActive)) }
    public func underline(_ isActive: Bool = true, color: Color? = nil) -> some View {
        text(.underline(isActive, Text.LineStyle(color: color)))
    }
    public func underline(
        _ isActive: Bool = true, pattern: Text.LineStyle.Pattern, color: Color? = nil
    ) -> some View { text(.underline(isActive, Text.LineStyle(pattern: pattern, color: color))) }
    public func strikethrough(_ isActive: Bool = true, color: Color? = nil) -> some View {
        text(.strikethrough(isActive, Text.LineStyle(color: color)))
    }
    public func strikethrough(
        _ isActive: Bool = true, pattern: Text.LineStyle.Pattern, color: Color? = nil
    ) -> some View { text(.strikethrough(isActive, Text.LineStyle(pattern: pattern, color: color))) }
    /// In points.
    public func kerning(_ kerning: CGFloat) -> some View { text(.kerning(Double(kerning))) }
    /// In points.
    public func tracking(_ tracking: CGFloat) -> some View { text(.kerning(Double(tracking))) }
    /// In points, upwards.
    public func baselineOffset(_ offset: CGFloat) -> some View { text(.baselineOffset(Double(offset))) }
    public func monospaced(_ isActive: Bool = true) -> some View { text(.monospaced(isActive)) }
    public func monospacedDigit() -> some View { text(.equalDigits) }
    public func textCase(_ textCase: Text.Case?) -> some View { values { $0.textCase = textCase } }
    public func textScale(_ scale: Text.Scale, isEnabled: Bool = true) -> some View {
        values {
            if isEnabled, scale == .secondary { $0.font = .system(size: ($0.font ?? .body).size * 0.8) }
        }
    }
    /// At most `number` lines; nil is any number.
    public func lineLimit(_ number: Int?) -> some View { values { $0.lineLimit = number } }
    public func lineLimit(_ limit: ClosedRange<Int>) -> some View { lineLimit(limit.upperBound) }
    public func lineLimit(_ limit: PartialRangeThrough<Int>) -> some View { lineLimit(limit.upperBound) }
    public func lineLimit(_ limit: PartialRangeFrom<Int>) -> some View { lineLimit(nil) }
    public func lineLimit(_ limit: Int, reservesSpace: Bool) -> some View { lineLimit(limit) }
    /// In points.
    public func lineSpacing(_ spacing: CGFloat) -> some View { values { $0.lineSpacing = spacing } }
    public func multilineTextAlignment(_ alignment: TextAlignment) -> some View {
        values { $0.multilineTextAlignment = alignment }
    }
    /// How much smaller text may become to fit. Pages wrap it instead.
    public func minimumScaleFactor(_ factor: CGFloat) -> some View {
        values { $0.minimumScaleFactor = factor }
    }
    public func allowsTightening(_ flag: Bool) -> some View { values { $0.allowsTightening = flag } }
    /// Where a line that is too long is cut. Pages cut its end.
    public func truncationMode(_ mode: Text.TruncationMode) -> some View {
        values { $0.truncationMode = mode }
    }
    /// The size of text inside; other than what the reader's browser says.
    public func dynamicTypeSize(_ size: DynamicTypeSize) -> some View { values { $0.dynamicTypeSize = size } }
    public func dynamicTypeSize<R: RangeExpression>(_ range: R) -> some View
    where R.Bound == DynamicTypeSize { self }
    /// Whether readers may select the text. They may.
    public func textSelection<S: TextSelectability>(_ selectability: S) -> some View { self }
    public func imageScale(_ scale: Image.Scale) -> some View { values { $0.imageScale = scale } }
    public func symbolRenderingMode(_ mode: SymbolRenderingMode?) -> some View {
        values { $0.symbolRenderingMode = mode }
    }
    public func symbolVariant(_ variant: SymbolVariants) -> some View {
        values { $0.symbolVariants = SymbolVariants(suffixes: $0.symbolVariants.suffixes + variant.suffixes) }
    }

    /// The colour of texts, symbols and shapes inside.
    public func foregroundColor(_ color: Color?) -> some View {
        values { values in values.foregroundStyles = color.map { [$0.paint(in: values)] } ?? [] }
    }
    /// The style of texts, symbols and shapes inside.
    public func foregroundStyle<S: ShapeStyle>(_ style: S) -> some View {
        values { $0.foregroundStyles = [style.paint(in: $0)] }
    }
    /// The styles for `.primary` and `.secondary` inside.
    public func foregroundStyle<S1: ShapeStyle, S2: ShapeStyle>(_ primary: S1, _ secondary: S2) -> some View {
        values { $0.foregroundStyles = [primary.paint(in: $0), secondary.paint(in: $0)] }
    }
    /// The styles for `.primary`, `.secondary` and `.tertiary` inside.
    public func foregroundStyle<S1: ShapeStyle, S2: ShapeStyle, S3: ShapeStyle>(
        _ primary: S1, _ secondary: S2, _ tertiary: S3
    ) -> some View {
        values {
            $0.foregroundStyles = [primary.paint(in: $0), secondary.paint(in: $0), tertiary.paint(in: $0)]
        }
    }
    /// The style of `.background` inside.
    public func backgroundStyle<S: ShapeStyle>(_ style: S) -> some View {
        values { $0.backgroundStyle = AnyShapeStyle(style) }
    }
    /// The colour of controls inside.
    public func tint(_ tint: Color?) -> some View {
        values { values in
            values.tintPaint = tint?.paint(in: values)
            values.tintColor = tint
        }
    }
    /// The style of controls inside.
    public func tint<S: ShapeStyle>(_ tint: S?) -> some View {
        values { values in
            values.tintPaint = tint?.paint(in: values)
            values.tintColor = values.tintPaint.map { Color(dynamic: $0.color(in: values)) }
        }
    }
    /// The colour of controls inside.
    public func accentColor(_ accentColor: Color?) -> some View { tint(accentColor) }
}

nonisolated extension Text {
    /// The size of a part of a text.
    nonisolated public struct Scale: Hashable, Sendable {
        private let name: String
        public static let `default` = Scale(name: "default")
        public static let secondary = Scale(name: "secondary")
    }
}

/// Whether text can be selected.
public protocol TextSelectability {
    static var allowsSelection: Bool { get }
}
nonisolated public struct EnabledTextSelectability: TextSelectability, Sendable {
    public static let allowsSelection = true
}
nonisolated public struct DisabledTextSelectability: TextSelectability, Sendable {
    public static let allowsSelection = false
}
nonisolated extension TextSelectability where Self == EnabledTextSelectability {
    public static var enabled: EnabledTextSelectability { EnabledTextSelectability() }
}
nonisolated extension TextSelectability where Self == DisabledTextSelectability {
    public static var disabled: DisabledTextSelectability { DisabledTextSelectability() }
}
