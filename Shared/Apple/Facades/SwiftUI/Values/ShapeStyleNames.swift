public import Foundation

nonisolated extension ShapeStyle where Self == Color {
    /// Lets code write the colour where a style is expected.
    public static var red: Color { .red }
    /// Lets code write the colour where a style is expected.
    public static var orange: Color { .orange }
    /// Lets code write the colour where a style is expected.
    public static var yellow: Color { .yellow }
    /// Lets code write the colour where a style is expected.
    public static var green: Color { .green }
    /// Lets code write the colour where a style is expected.
    public static var mint: Color { .mint }
    /// Lets code write the colour where a style is expected.
    public static var teal: Color { .teal }
    /// Lets code write the colour where a style is expected.
    public static var cyan: Color { .cyan }
    /// Lets code write the colour where a style is expected.
    public static var blue: Color { .blue }
    /// Lets code write the colour where a style is expected.
    public static var indigo: Color { .indigo }
    /// Lets code write the colour where a style is expected.
    public static var purple: Color { .purple }
    /// Lets code write the colour where a style is expected.
    public static var pink: Color { .pink }
    /// Lets code write the colour where a style is expected.
    public static var brown: Color { .brown }
    /// Lets code write the colour where a style is expected.
    public static var white: Color { .white }
    /// Lets code write the colour where a style is expected.
    public static var gray: Color { .gray }
    /// Lets code write the colour where a style is expected.
    public static var black: Color { .black }
    /// Lets code write the colour where a style is expected.
    public static var clear: Color { .clear }
    /// The tint of the environment.
    public static var accentColor: Color { .accentColor }
}

nonisolated extension ShapeStyle where Self == HierarchicalShapeStyle {
    /// Lets code write the level where a style is expected.
    public static var primary: HierarchicalShapeStyle { .primary }
    /// Lets code write the level where a style is expected.
    public static var secondary: HierarchicalShapeStyle { .secondary }
    /// Lets code write the level where a style is expected.
    public static var tertiary: HierarchicalShapeStyle { .tertiary }
    /// Lets code write the level where a style is expected.
    public static var quaternary: HierarchicalShapeStyle { .quaternary }
    /// Lets code write the level where a style is expected.
    public static var quinary: HierarchicalShapeStyle { .quinary }
}

nonisolated extension ShapeStyle where Self == TintShapeStyle {
    /// The tint of the environment.
    public static var tint: TintShapeStyle { TintShapeStyle() }
}
nonisolated extension ShapeStyle where Self == ForegroundStyle {
    /// The foreground style of the environment.
    public static var foreground: ForegroundStyle { ForegroundStyle() }
}
nonisolated extension ShapeStyle where Self == BackgroundStyle {
    /// The background style of the environment.
    public static var background: BackgroundStyle { BackgroundStyle() }
}
nonisolated extension ShapeStyle where Self == SeparatorShapeStyle {
    /// The colour of separators.
    public static var separator: SeparatorShapeStyle { SeparatorShapeStyle() }
}
nonisolated extension ShapeStyle where Self == PlaceholderTextShapeStyle {
    /// The colour of the text of an empty field.
    public static var placeholder: PlaceholderTextShapeStyle { PlaceholderTextShapeStyle() }
}
nonisolated extension ShapeStyle where Self == LinkShapeStyle {
    /// The colour of links.
    public static var link: LinkShapeStyle { LinkShapeStyle() }
}
nonisolated extension ShapeStyle where Self == FillShapeStyle {
    /// The background of controls.
    public static var fill: FillShapeStyle { FillShapeStyle() }
}
nonisolated extension ShapeStyle where Self == SelectionShapeStyle {
    /// The background of selected content.
    public static var selection: SelectionShapeStyle { SelectionShapeStyle() }
}
nonisolated extension ShapeStyle where Self == Material {
    /// Lets code write the material where a style is expected.
    public static var regularMaterial: Material { .regularMaterial }
    /// Lets code write the material where a style is expected.
    public static var thickMaterial: Material { .thickMaterial }
    /// Lets code write the material where a style is expected.
    public static var thinMaterial: Material { .thinMaterial }
    /// Lets code write the material where a style is expected.
    public static var ultraThinMaterial: Material { .ultraThinMaterial }
    /// Lets code write the material where a style is expected.
    public static var ultraThickMaterial: Material { .ultraThickMaterial }
    /// Lets code write the material where a style is expected.
    public static var bar: Material { .bar }
}

nonisolated extension ShapeStyle where Self == LinearGradient {
    /// Points are relative to the filled area.
    public static func linearGradient(
        _ gradient: Gradient, startPoint: UnitPoint, endPoint: UnitPoint
    ) -> LinearGradient { LinearGradient(gradient: gradient, startPoint: startPoint, endPoint: endPoint) }
    /// Points are relative to the filled area.
    public static func linearGradient(
        colors: [Color], startPoint: UnitPoint, endPoint: UnitPoint
    ) -> LinearGradient { LinearGradient(colors: colors, startPoint: startPoint, endPoint: endPoint) }
    /// Points are relative to the filled area.
    public static func linearGradient(
        stops: [Gradient.Stop], startPoint: UnitPoint, endPoint: UnitPoint
    ) -> LinearGradient { LinearGradient(stops: stops, startPoint: startPoint, endPoint: endPoint) }
}
nonisolated extension ShapeStyle where Self == RadialGradient {
    /// Radii are in points.
    public static func radialGradient(
        _ gradient: Gradient, center: UnitPoint = .center, startRadius: CGFloat, endRadius: CGFloat
    ) -> RadialGradient {
        RadialGradient(gradient: gradient, center: center, startRadius: startRadius, endRadius: endRadius)
    }
    /// Radii are in points.
    public static func radialGradient(
        colors: [Color], center: UnitPoint = .center, startRadius: CGFloat, endRadius: CGFloat
    ) -> RadialGradient {
        RadialGradient(colors: colors, center: center, startRadius: startRadius, endRadius: endRadius)
    }
}
nonisolated extension ShapeStyle where Self == AngularGradient {
    /// From one angle to another, clockwise.
    public static func angularGradient(
        _ gradient: Gradient, center: UnitPoint = .center, startAngle: Angle, endAngle: Angle
    ) -> AngularGradient {
        AngularGradient(gradient: gradient, center: center, startAngle: startAngle, endAngle: endAngle)
    }
    /// From one angle to another, clockwise.
    public static func angularGradient(
        colors: [Color], center: UnitPoint = .center, startAngle: Angle, endAngle: Angle
    ) -> AngularGradient {
        AngularGradient(colors: colors, center: center, startAngle: startAngle, endAngle: endAngle)
    }
    /// A full turn that starts at `angle`.
    public static func conicGradient(
        _ gradient: Gradient, center: UnitPoint = .center, angle: Angle = .zero
    ) -> AngularGradient { AngularGradient(gradient: gradient, center: center, angle: angle) }
    /// A full turn that starts at `angle`.
    public static func conicGradient(
        colors: [Color], center: UnitPoint = .center, angle: Angle = .zero
    ) -> AngularGradient { AngularGradient(colors: colors, center: center, angle: angle) }
}
