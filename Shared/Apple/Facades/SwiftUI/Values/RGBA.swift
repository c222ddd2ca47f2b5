package import UIKit

/// Conversions and mixing of colours in this module.
extension RGBA {
    /// - Parameter hex: 0xRRGGBB.
    package init(hex: UInt32, alpha: Double = 1) {
        self.init(
            Double(hex >> 16 & 255) / 255, Double(hex >> 8 & 255) / 255, Double(hex & 255) / 255, alpha)
    }

    /// Multiplies the opacity.
    package func faded(_ opacity: Double) -> RGBA { with(alpha: alpha * opacity) }

    /// Mixes in sRGB. `fraction` 0 is this colour, 1 is `other`.
    package func mixed(with other: RGBA, by fraction: Double) -> RGBA {
        func mix(_ from: Double, _ to: Double) -> Double { from + (to - from) * fraction }
        return RGBA(
            mix(red, other.red), mix(green, other.green), mix(blue, other.blue), mix(alpha, other.alpha))
    }

    /// The CSS value.
    package var css: String {
        func byte(_ part: Double) -> Int { part.isNaN ? 0 : Int((min(max(part, 0), 1) * 255).rounded()) }
        let opaque = alpha.isNaN ? 1 : min(max(alpha, 0), 1)
        if opaque < 1 { return "rgba(\(byte(red)),\(byte(green)),\(byte(blue)),\(CSS.number(opaque)))" }
        let hex = String(byte(red) << 16 | byte(green) << 8 | byte(blue), radix: 16)
        return "#" + String(repeating: "0", count: 6 - hex.count) + hex
    }
}

/// A colour for the light and one for the dark scheme.
package struct DynamicRGBA: Hashable, Sendable {
    /// For the light scheme.
    package var light: RGBA
    /// For the dark scheme.
    package var dark: RGBA
    /// Two colours.
    package init(light: RGBA, dark: RGBA) { (self.light, self.dark) = (light, dark) }
    /// The same colour in both schemes.
    package init(_ both: RGBA) { (light, dark) = (both, both) }
    /// - Parameters: 0xRRGGBB each.
    package init(_ light: UInt32, _ dark: UInt32) {
        self.init(light: RGBA(hex: light), dark: RGBA(hex: dark))
    }
    /// Changes both colours.
    package func map(_ change: (RGBA) -> RGBA) -> DynamicRGBA {
        DynamicRGBA(light: change(light), dark: change(dark))
    }
    /// The CSS value. The browser chooses by the colour scheme of the element.
    package var css: String { light == dark ? light.css : "light-dark(\(light.css),\(dark.css))" }
}
