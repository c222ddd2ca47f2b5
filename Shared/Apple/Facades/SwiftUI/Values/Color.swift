public import Foundation
import UIKit

/// A colour, fixed or dependent on the colour scheme. Also a view that fills its area.
nonisolated public struct Color: Hashable, Sendable, CustomStringConvertible {
    indirect enum Source: Hashable, Sendable {
        case system(DynamicRGBA, name: String)
        case fixed(RGBA)
        case dynamic(DynamicRGBA)
        case named(String, bundlePath: String?)
        case accent
        case primary
        case secondary
        case faded(Source, Double)
        case mixed(Source, Source, Double)
    }
    let source: Source
    init(source: Source) { self.source = source }

    /// A colour that depends on the colour scheme.
    package init(dynamic: DynamicRGBA) { source = .dynamic(dynamic) }

    /// The colour space of components.
    nonisolated public enum RGBColorSpace: Hashable, Sendable {
        case sRGB
        case sRGBLinear
        case displayP3
    }

    /// Components from 0 to 1. Display P3 is treated as sRGB, the colour space of pages.
    public init(
        _ colorSpace: RGBColorSpace = .sRGB, red: Double, green: Double, blue: Double, opacity: Double = 1
    ) {
        func curved(_ part: Double) -> Double {
            part <= 0.0031308 ? part * 12.92 : 1.055 * pow(part, 1 / 2.4) - 0.055
        }
        source = .fixed(
            colorSpace == .sRGBLinear
                ? RGBA(curved(red), curved(green), curved(blue), opacity) : RGBA(red, green, blue, opacity))
    }
    /// A gray from 0 (black) to 1 (white).
    public init(_ colorSpace: RGBColorSpace = .sRGB, white: Double, opacity: Double = 1) {
        self.init(colorSpace, red: white, green: white, blue: white, opacity: opacity)
    }
    /// Components from 0 to 1.
    public init(hue: Double, saturation: Double, brightness: Double, opacity: Double = 1) {
        source = .fixed(
            ColorMath.rgb(hue: hue, saturation: saturation, brightness: brightness, alpha: opacity))
    }
    /// A colour set of the bundle's asset catalogue. A missing one is rendered as clear and logged.
    public init(_ name: String, bundle: Bundle? = nil) {
        source = .named(name, bundlePath: bundle?.bundlePath)
    }

    /// The colour with its opacity multiplied by `opacity` (0 to 1).
    public func opacity(_ opacity: Double) -> Color { Color(source: .faded(source, opacity)) }
    /// A mixture in sRGB. `fraction` 0 is this colour, 1 is `other`.
    public func mix(with other: Color, by fraction: Double, in colorSpace: Gradient.ColorSpace = .device)
        -> Color
    {
        Color(source: .mixed(source, other.source, fraction))
    }
    /// A subtle gradient of this colour, lighter at the top.
    public var gradient: AnyGradient { AnyGradient(color: self) }

    public var description: String {
        switch source {
        case .system(_, let name): name
        case .fixed(let color): color.css
        case .dynamic(let color): color.css
        case .named(let name, _): "NamedColor(\(name))"
        case .accent: "accentColor"
        case .primary: "primary"
        case .secondary: "secondary"
        case .faded(let source, let opacity): "\(CSS.percent(opacity)) \(Color(source: source))"
        case .mixed(let one, let other, _): "\(Color(source: one)) + \(Color(source: other))"
        }
    }
}

nonisolated extension Color {
    private static func system(_ name: String, _ light: UInt32, _ dark: UInt32) -> Color {
        Color(source: .system(DynamicRGBA(light, dark), name: name))
    }
    /// As on iOS, for light and dark.
    public static let red = system("red", 0xFF3B30, 0xFF453A)
    /// As on iOS, for light and dark.
    public static let orange = system("orange", 0xFF9500, 0xFF9F0A)
    /// As on iOS, for light and dark.
    public static let yellow = system("yellow", 0xFFCC00, 0xFFD60A)
    /// As on iOS, for light and dark.
    public static let green = system("green", 0x34C759, 0x30D158)
    /// As on iOS, for light and dark.
    public static let mint = system("mint", 0x00C7BE, 0x63E6E2)
    /// As on iOS, for light and dark.
    public static let teal = system("teal", 0x30B0C7, 0x40CBE0)
    /// As on iOS, for light and dark.
    public static let cyan = system("cyan", 0x32ADE6, 0x64D2FF)
    /// As on iOS, for light and dark.
    public static let blue = system("blue", 0x007AFF, 0x0A84FF)
    /// As on iOS, for light and dark.
    public static let indigo = system("indigo", 0x5856D6, 0x5E5CE6)
    /// As on iOS, for light and dark.
    public static let purple = system("purple", 0xAF52DE, 0xBF5AF2)
    /// As on iOS, for light and dark.
    public static let pink = system("pink", 0xFF2D55, 0xFF375F)
    /// As on iOS, for light and dark.
    public static let brown = system("brown", 0xA2845E, 0xAC8E68)
    /// As on iOS, for light and dark.
    public static let gray = system("gray", 0x8E8E93, 0x8E8E93)
    /// The same in both colour schemes.
    public static let white = Color(source: .fixed(RGBA(1, 1, 1)))
    /// The same in both colour schemes.
    public static let black = Color(source: .fixed(RGBA(0, 0, 0)))
    /// Transparent.
    public static let clear = Color(source: .fixed(RGBA(0, 0, 0, 0)))
    /// The colour of text.
    public static let primary = Color(source: .primary)
    /// The colour of secondary text.
    public static let secondary = Color(source: .secondary)
    /// The tint of the environment. Blue unless `tint(_:)` sets another.
    public static let accentColor = Color(source: .accent)
    /// The tint of the environment.
    public static var tint: Color { accentColor }
}

nonisolated extension Color {
    static let label = DynamicRGBA(0x000000, 0xFFFFFF)
    static let secondaryLabel = DynamicRGBA(
        light: RGBA(hex: 0x3C3C43, alpha: 0.72), dark: RGBA(hex: 0xEBEBF5, alpha: 0.6))

    /// The colour in `environment`, for light and dark.
    package func resolved(in environment: EnvironmentValues) -> DynamicRGBA {
        Self.resolved(source, environment)
    }

    private static func resolved(_ source: Source, _ environment: EnvironmentValues) -> DynamicRGBA {
        switch source {
        case .system(let color, _): return color
        case .fixed(let color): return DynamicRGBA(color)
        case .dynamic(let color): return color
        case .named(let name, let path): return NamedColors.color(name, bundlePath: path)
        case .accent:
            guard let tint = environment.tintColor, tint.source != .accent else {
                return resolved(Color.blue.source, environment)
            }
            return resolved(tint.source, environment)
        case .primary: return label
        case .secondary: return secondaryLabel
        case .faded(let inner, let opacity): return resolved(inner, environment).map { $0.faded(opacity) }
        case .mixed(let one, let other, let fraction):
            let (from, to) = (resolved(one, environment), resolved(other, environment))
            return DynamicRGBA(
                light: from.light.mixed(with: to.light, by: fraction),
                dark: from.dark.mixed(with: to.dark, by: fraction))
        }
    }

    /// Components in linear sRGB, from 0 to 1.
    nonisolated public struct Resolved: Hashable, Sendable {
        /// From 0 to 1.
        public var red: Float
        /// From 0 to 1.
        public var green: Float
        /// From 0 to 1.
        public var blue: Float
        /// From 0 to 1.
        public var opacity: Float
    }
    /// The colour for the colour scheme of `environment`.
    public func resolve(in environment: EnvironmentValues) -> Resolved {
        let both = resolved(in: environment)
        let color = environment.colorScheme == .dark ? both.dark : both.light
        return Resolved(
            red: Float(color.red), green: Float(color.green), blue: Float(color.blue),
            opacity: Float(color.alpha))
    }
    /// A colour made of components.
    public init(_ resolved: Resolved) {
        self.init(
            red: Double(resolved.red), green: Double(resolved.green), blue: Double(resolved.blue),
            opacity: Double(resolved.opacity))
    }
}

extension Color: View, PrimitiveView {
    public typealias Body = Never
    @MainActor package func nodes(in context: RenderContext) -> [RenderNode] {
        let color = resolved(in: context.environment)
        var node = RenderNode("div", style: ["background": color.css])
        node.reading = .silent
        node.layout.growsWidth = true
        node.layout.growsHeight = true
        node.layout.isShape = true
        return [node]
    }
}
