public import Foundation

nonisolated extension View {
    private func text(_ modifier: Text.Modifier) -> some View { values { $0.textModifiers.append(modifier) } }

    /// Sets the font of texts and symbols inside.
    public func font(_ font: Font?) -> some View { values { $0.font = font } }
    /// Sets the weight of texts inside. Nil keeps that of the font.
    public func fontWeight(_ weight: Font.Weight?) -> some View { text(.weight(weight)) }
    /// Sets the design of texts inside. Nil keeps that of the font.
    public func fontDesign(_ design: Font.Design?) -> some View { text(.design(design)) }
    /// Sets the width of texts inside. Nil keeps that of the font.
    public func fontWidth(_ width: Font.Width?) -> some View {
        values { if let width { $0.font = ($0.font ?? .body).width(width) } }
    }
    /// Sets bold weight for texts inside.
    public func bold(_ isActive: Bool = true) -> some View { text(.weight(isActive ? .bold : nil)) }
    /// Sets slanted letters for texts inside.
    public func italic(_ isActive: Bool = true) -> some View { text(.italic(isActive)) }
    /// Underlines texts inside. A nil colour is the colour of the text.
    public func underline(_ isActive: Bool = true, color: Color? = nil) -> some View {
        text(.underline(isActive, Text.LineStyle(color: color)))
    }
    /// Underlines texts inside. A nil colour is the colour of the text.
    public func underline(
        _ isActive: Bool = true, pattern: Text.LineStyle.Pattern, color: Color? = nil
    ) -> some View { text(.underline(isActive, Text.LineStyle(pattern: pattern, color: color))) }
    /// Strikes texts inside through. A nil colour is the colour of the text.
    public func strikethrough(_ isActive: Bool = true, color: Color? = nil) -> some View {
        text(.strikethrough(isActive, Text.LineStyle(color: color)))
    }
    /// Strikes texts inside through. A nil colour is the colour of the text.
    public func strikethrough(
        _ isActive: Bool = true, pattern: Text.LineStyle.Pattern, color: Color? = nil
    ) -> some View { text(.strikethrough(isActive, Text.LineStyle(pattern: pattern, color: color))) }
    /// Adds space between letters, in points.
    public func kerning(_ kerning: CGFloat) -> some View { text(.kerning(Double(kerning))) }
    /// The same as ``kerning(_:)`` here.
    public func tracking(_ tracking: CGFloat) -> some View { text(.kerning(Double(tracking))) }
    /// Raises texts by points.
    public func baselineOffset(_ offset: CGFloat) -> some View { text(.baselineOffset(Double(offset))) }
    /// Sets a font with letters of equal width.
    public func monospaced(_ isActive: Bool = true) -> some View { text(.monospaced(isActive)) }
    /// Sets digits of equal width, if the font has them.
    public func monospacedDigit() -> some View { text(.equalDigits) }
    /// Shows texts inside in upper or lower case. Nil shows them unchanged.
    public func textCase(_ textCase: Text.Case?) -> some View { values { $0.textCase = textCase } }
    /// With `secondary`, sets the system font at 80 % of the present size.
    public func textScale(_ scale: Text.Scale, isEnabled: Bool = true) -> some View {
        values {
            if isEnabled, scale == .secondary { $0.font = .system(size: ($0.font ?? .body).size * 0.8) }
        }
    }
    /// At most `number` lines. Nil means any number.
    public func lineLimit(_ number: Int?) -> some View { values { $0.lineLimit = number } }
    /// Uses the upper bound.
    public func lineLimit(_ limit: ClosedRange<Int>) -> some View { lineLimit(limit.upperBound) }
    /// Uses the upper bound.
    public func lineLimit(_ limit: PartialRangeThrough<Int>) -> some View { lineLimit(limit.upperBound) }
    /// Means any number of lines.
    public func lineLimit(_ limit: PartialRangeFrom<Int>) -> some View { lineLimit(nil) }
    /// Space is not reserved for missing lines.
    public func lineLimit(_ limit: Int, reservesSpace: Bool) -> some View { lineLimit(limit) }
    /// Sets the space between lines in points.
    public func lineSpacing(_ spacing: CGFloat) -> some View { values { $0.lineSpacing = spacing } }
    /// Sets the alignment of texts with several lines.
    public func multilineTextAlignment(_ alignment: TextAlignment) -> some View {
        values { $0.multilineTextAlignment = alignment }
    }
    /// Kept only: texts wrap instead of becoming smaller.
    public func minimumScaleFactor(_ factor: CGFloat) -> some View {
        values { $0.minimumScaleFactor = factor }
    }
    /// Kept only.
    public func allowsTightening(_ flag: Bool) -> some View { values { $0.allowsTightening = flag } }
    /// Kept only: long lines are cut at the end.
    public func truncationMode(_ mode: Text.TruncationMode) -> some View {
        values { $0.truncationMode = mode }
    }
    /// Sets the text size inside, instead of that of the browser.
    public func dynamicTypeSize(_ size: DynamicTypeSize) -> some View { values { $0.dynamicTypeSize = size } }
    /// Has no effect here.
    public func dynamicTypeSize<R: RangeExpression>(_ range: R) -> some View
    where R.Bound == DynamicTypeSize { self }
    /// Ignored: readers can select texts.
    public func textSelection<S: TextSelectability>(_ selectability: S) -> some View { self }
    /// Sets the size of symbols inside relative to the text.
    public func imageScale(_ scale: Image.Scale) -> some View { values { $0.imageScale = scale } }
    /// Kept only: symbols have one layer.
    public func symbolRenderingMode(_ mode: SymbolRenderingMode?) -> some View {
        values { $0.symbolRenderingMode = mode }
    }
    /// Appends variants to the names of symbols inside.
    public func symbolVariant(_ variant: SymbolVariants) -> some View {
        values { $0.symbolVariants = SymbolVariants(suffixes: $0.symbolVariants.suffixes + variant.suffixes) }
    }

    /// Sets the colour of texts, symbols and shapes inside. Nil restores the default.
    public func foregroundColor(_ color: Color?) -> some View {
        values { values in values.foregroundStyles = color.map { [$0.paint(in: values)] } ?? [] }
    }
    /// Sets the style of texts, symbols and shapes inside.
    public func foregroundStyle<S: ShapeStyle>(_ style: S) -> some View {
        values { $0.foregroundStyles = [style.paint(in: $0)] }
    }
    /// Sets the styles of `.primary` and `.secondary` inside.
    public func foregroundStyle<S1: ShapeStyle, S2: ShapeStyle>(_ primary: S1, _ secondary: S2) -> some View {
        values { $0.foregroundStyles = [primary.paint(in: $0), secondary.paint(in: $0)] }
    }
    /// Sets the styles of `.primary`, `.secondary` and `.tertiary` inside.
    public func foregroundStyle<S1: ShapeStyle, S2: ShapeStyle, S3: ShapeStyle>(
        _ primary: S1, _ secondary: S2, _ tertiary: S3
    ) -> some View {
        values {
            $0.foregroundStyles = [primary.paint(in: $0), secondary.paint(in: $0), tertiary.paint(in: $0)]
        }
    }
    /// Sets the style of `.background` inside.
    public func backgroundStyle<S: ShapeStyle>(_ style: S) -> some View {
        values { $0.backgroundStyle = AnyShapeStyle(style) }
    }
    /// Sets the colour of controls inside. Nil restores the default.
    public func tint(_ tint: Color?) -> some View {
        values { values in
            values.tintPaint = tint?.paint(in: values)
            values.tintColor = tint
        }
    }
    /// Sets the style of controls inside. Nil restores the default.
    public func tint<S: ShapeStyle>(_ tint: S?) -> some View {
        values { values in
            values.tintPaint = tint?.paint(in: values)
            values.tintColor = values.tintPaint.map { Color(dynamic: $0.color(in: values)) }
        }
    }
    /// Same as ``tint(_:)``.
    public func accentColor(_ accentColor: Color?) -> some View { tint(accentColor) }
}

nonisolated extension Text {
    /// The relative size of a text.
    nonisolated public struct Scale: Hashable, Sendable {
        private let name: String
        /// The present size.
        public static let `default` = Scale(name: "default")
        /// 80 % of the present size.
        public static let secondary = Scale(name: "secondary")
    }
}

/// Whether text can be selected. Ignored: it always can.
public protocol TextSelectability {
    static var allowsSelection: Bool { get }
}
/// Ignored: text can always be selected.
nonisolated public struct EnabledTextSelectability: TextSelectability, Sendable {
    public static let allowsSelection = true
}
/// Ignored: text can always be selected.
nonisolated public struct DisabledTextSelectability: TextSelectability, Sendable {
    public static let allowsSelection = false
}
nonisolated extension TextSelectability where Self == EnabledTextSelectability {
    /// Ignored: text can always be selected.
    public static var enabled: EnabledTextSelectability { EnabledTextSelectability() }
}
nonisolated extension TextSelectability where Self == DisabledTextSelectability {
    /// Ignored: text can always be selected.
    public static var disabled: DisabledTextSelectability { DisabledTextSelectability() }
}
