import UIKit

/// A way to fill something: a colour, a gradient, a material.
nonisolated public protocol ShapeStyle: Sendable {
    /// The type that `resolve(in:)` returns.
    associatedtype Resolved = Never
    /// The style to use in `environment`.
    func resolve(in environment: EnvironmentValues) -> Resolved
}

extension Never: ShapeStyle {
    public func resolve(in environment: EnvironmentValues) -> Never {
        preconditionFailure("A value of Never cannot exist.")
    }
}

nonisolated extension ShapeStyle where Resolved == Never {
    /// Never called for styles of this module.
    @_disfavoredOverload public func resolve(in environment: EnvironmentValues) -> Never {
        preconditionFailure("\(Self.self) is a primitive style and does not resolve to another one.")
    }
}

/// A style that this module renders itself.
nonisolated package protocol PaintSource {
    func paint(in environment: EnvironmentValues) -> Paint
}

/// What areas are filled with.
package enum Paint: Sendable {
    case color(DynamicRGBA)
    case linear(Gradient, from: UnitPoint, to: UnitPoint)
    case radial(Gradient, center: UnitPoint, startRadius: Double, endRadius: Double)
    case angular(Gradient, center: UnitPoint, start: Angle, end: Angle)
    /// A translucent layer: its colour and the radius in points of the blur behind it.
    case material(DynamicRGBA, blur: Double)
    indirect case faded(Paint, Double)
}

nonisolated extension ShapeStyle {
    /// The paint of the style in `environment`.
    package func paint(in environment: EnvironmentValues) -> Paint {
        if let source = self as? any PaintSource { return source.paint(in: environment) }
        guard Resolved.self != Never.self, let style = resolve(in: environment) as? any ShapeStyle else {
            preconditionFailure("\(Self.self) cannot be rendered. Let its resolve(in:) return a style.")
        }
        return style.paint(in: environment)
    }
    /// The style with its opacity multiplied by `opacity` (0 to 1).
    public func opacity(_ opacity: Double) -> some ShapeStyle { FadedStyle(base: self, opacity: opacity) }
}

nonisolated struct FadedStyle<Base: ShapeStyle>: ShapeStyle, PaintSource {
    let base: Base
    let opacity: Double
    func paint(in environment: EnvironmentValues) -> Paint { .faded(base.paint(in: environment), opacity) }
}

/// A style whose type is hidden.
nonisolated public struct AnyShapeStyle: ShapeStyle, PaintSource {
    public typealias Resolved = Never
    let base: any ShapeStyle
    /// Wraps `style`.
    public init<S: ShapeStyle>(_ style: S) { base = style }
    package func paint(in environment: EnvironmentValues) -> Paint { base.paint(in: environment) }
}

extension Color: ShapeStyle, PaintSource {
    package func paint(in environment: EnvironmentValues) -> Paint { .color(resolved(in: environment)) }
}

/// The foreground style of the environment in up to five levels.
nonisolated public struct HierarchicalShapeStyle: ShapeStyle, PaintSource {
    public typealias Resolved = Never
    let level: Int
    /// The foreground style.
    public static let primary = HierarchicalShapeStyle(level: 0)
    /// The foreground style with less opacity, unless the environment sets this level.
    public static let secondary = HierarchicalShapeStyle(level: 1)
    /// The foreground style with less opacity, unless the environment sets this level.
    public static let tertiary = HierarchicalShapeStyle(level: 2)
    /// The foreground style with less opacity, unless the environment sets this level.
    public static let quaternary = HierarchicalShapeStyle(level: 3)
    /// The foreground style with less opacity, unless the environment sets this level.
    public static let quinary = HierarchicalShapeStyle(level: 4)

    package func paint(in environment: EnvironmentValues) -> Paint {
        let styles = environment.foregroundStyles
        if level < styles.count { return styles[level] }
        let strength = [1, 0.6, 0.45, 0.18, 0.1][level]
        if let first = styles.first, level > 0 { return .faded(first, strength) }
        let grey = RGBA(hex: 0x3C3C43)
        let onDark = RGBA(hex: 0xEBEBF5)
        let opacities = [(1, 1), (0.72, 0.6), (0.55, 0.5), (0.18, 0.16), (0.1, 0.1)][level]
        return .color(
            level == 0
                ? Color.label
                : DynamicRGBA(light: grey.faded(opacities.0), dark: onDark.faded(opacities.1)))
    }
}

/// A style of the environment.
nonisolated struct PlaceStyle: ShapeStyle, PaintSource {
    enum Kind { case tint, foreground, background, separator, placeholder, link, fill, selection }
    let kind: Kind
    func paint(in environment: EnvironmentValues) -> Paint {
        switch kind {
        case .tint: environment.tintPaint ?? Color.blue.paint(in: environment)
        case .foreground: environment.foregroundStyles.first ?? .color(Color.label)
        case .background: .color(DynamicRGBA(0xFFFFFF, 0x1C1C1E))
        case .separator:
            .color(
                DynamicRGBA(light: RGBA(hex: 0x3C3C43, alpha: 0.29), dark: RGBA(hex: 0x545458, alpha: 0.6)))
        case .placeholder:
            .color(DynamicRGBA(light: RGBA(hex: 0x3C3C43, alpha: 0.6), dark: RGBA(hex: 0xEBEBF5, alpha: 0.5)))
        case .link: .color(DynamicRGBA(0x0068DA, 0x2997FF))
        case .fill:
            .color(
                DynamicRGBA(light: RGBA(hex: 0x787880, alpha: 0.2), dark: RGBA(hex: 0x787880, alpha: 0.36)))
        case .selection: .faded(environment.tintPaint ?? Color.blue.paint(in: environment), 0.25)
        }
    }
}

/// The tint of the environment.
nonisolated public struct TintShapeStyle: ShapeStyle, PaintSource {
    public typealias Resolved = Never
    /// Reads the environment when it is rendered.
    public init() {}
    package func paint(in environment: EnvironmentValues) -> Paint {
        PlaceStyle(kind: .tint).paint(in: environment)
    }
}
/// The foreground style of the environment.
nonisolated public struct ForegroundStyle: ShapeStyle, PaintSource {
    public typealias Resolved = Never
    /// Reads the environment when it is rendered.
    public init() {}
    package func paint(in environment: EnvironmentValues) -> Paint {
        PlaceStyle(kind: .foreground).paint(in: environment)
    }
}
/// The background style of the environment.
nonisolated public struct BackgroundStyle: ShapeStyle, PaintSource {
    public typealias Resolved = Never
    /// Reads the environment when it is rendered.
    public init() {}
    package func paint(in environment: EnvironmentValues) -> Paint {
        environment.backgroundStyle?.paint(in: environment)
            ?? PlaceStyle(kind: .background).paint(in: environment)
    }
}
/// The style of separators.
nonisolated public struct SeparatorShapeStyle: ShapeStyle, PaintSource {
    public typealias Resolved = Never
    /// Reads the environment when it is rendered.
    public init() {}
    package func paint(in environment: EnvironmentValues) -> Paint {
        PlaceStyle(kind: .separator).paint(in: environment)
    }
}
/// The style of the text of an empty field.
nonisolated public struct PlaceholderTextShapeStyle: ShapeStyle, PaintSource {
    public typealias Resolved = Never
    /// Reads the environment when it is rendered.
    public init() {}
    package func paint(in environment: EnvironmentValues) -> Paint {
        PlaceStyle(kind: .placeholder).paint(in: environment)
    }
}
/// The style of links.
nonisolated public struct LinkShapeStyle: ShapeStyle, PaintSource {
    public typealias Resolved = Never
    /// Reads the environment when it is rendered.
    public init() {}
    package func paint(in environment: EnvironmentValues) -> Paint {
        PlaceStyle(kind: .link).paint(in: environment)
    }
}
/// The background of controls.
nonisolated public struct FillShapeStyle: ShapeStyle, PaintSource {
    public typealias Resolved = Never
    /// Reads the environment when it is rendered.
    public init() {}
    package func paint(in environment: EnvironmentValues) -> Paint {
        PlaceStyle(kind: .fill).paint(in: environment)
    }
}
/// The background of selected content.
nonisolated public struct SelectionShapeStyle: ShapeStyle, PaintSource {
    public typealias Resolved = Never
    /// Reads the environment when it is rendered.
    public init() {}
    package func paint(in environment: EnvironmentValues) -> Paint {
        PlaceStyle(kind: .selection).paint(in: environment)
    }
}
