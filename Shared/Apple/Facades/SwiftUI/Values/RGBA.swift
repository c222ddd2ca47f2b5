package import UIKit

/// Colours as this module writes and mixes them.
extension RGBA {
    /// 0xRRGGBB.
    package init(hex: UInt32, alpha: Double = 1) {
        self.init(
            Double(hex >> 16 & 255) / 255, Double(hex >> 8 & 255) / 255, Double(hex & 255) / 255, alpha)
    }

    package func faded(_ opacity: Double) -> RGBA { with(alpha: alpha * opacity) }

    package func mixed(with other: RGBA, by fraction: Double) -> RGBA {
        func mix(_ from: Double, _ to: Double) -> Double { from + (to - from) * fraction }
        return RGBA(
            mix(red, other.red), mix(green, other.green), mix(blue, other.blue), mix(alpha, other.alpha))
    }

    /// As CSS writes it.
    package var css: String {
        func byte(_ part: Double) -> Int { part.isNaN ? 0 : Int((min(max(part, 0), 1) * 255).rounded()) }
        let opaque = alpha.isNaN ? 1 : min(max(alpha, 0), 1)
        if opaque < 1 { return "rgba(\(byte(red)),\(byte(green)),\(byte(blue)),\(CSS.number(opaque)))" }
        let hex = String(byte(red) << 16 | byte(green) << 8 | byte(blue), radix: 16)
        return "#" + String(repeating: "0", count: 6 - hex.count) + hex
    }
}

/// A colour as it is on light and on dark ground.
package struct DynamicRGBA: Hashable, Sendable {
    package var light: RGBA
    package var dark: RGBA
    package init(light: RGBA, dark: RGBA) { (self.light, self.dark) = (light, dark) }
    package init(_ both: RGBA) { (light, dark) = (both, both) }
    package init(_ light: UInt32, _ dark: UInt32) {
        self.init(light: RGBA(hex: light), dark: RGBA(hex: dark))
    }
    package func map(_ change: (RGBA) -> RGBA) -> DynamicRGBA {
        DynamicRGBA(light: change(light), dark: change(dark))
    }
    /// As CSS writes it; the browser chooses by the scheme of the element.
    package var css: String { light == dark ? light.css : "light-dark(\(light.css),\(dark.css))" }
}
