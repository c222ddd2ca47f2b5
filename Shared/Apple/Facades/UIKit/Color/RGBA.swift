import FoundationExtras

/// A colour in sRGB. Components are from 0 to 1, or beyond for colours outside of sRGB.
package struct RGBA: Sendable, Hashable {
    /// From 0 to 1, or beyond for colours outside of sRGB.
    package var red: Double
    /// From 0 to 1, or beyond for colours outside of sRGB.
    package var green: Double
    /// From 0 to 1, or beyond for colours outside of sRGB.
    package var blue: Double
    /// Opacity from 0 to 1.
    package var alpha: Double

    /// - Parameter alpha: limited to 0 to 1.
    package init(_ red: Double, _ green: Double, _ blue: Double, _ alpha: Double = 1) {
        (self.red, self.green, self.blue) = (red, green, blue)
        self.alpha = min(max(alpha, 0), 1)
    }

    /// - Parameters: components from 0 to 255.
    package init(bytes red: Int, _ green: Int, _ blue: Int, _ alpha: Double = 1) {
        self.init(Double(red) / 255, Double(green) / 255, Double(blue) / 255, alpha)
    }

    /// The colour with another opacity, limited to 0 to 1.
    package func with(alpha: Double) -> RGBA { RGBA(red, green, blue, alpha) }

    /// `#RRGGBB`, or `#RRGGBBAA` if it is not opaque.
    package var hex: String {
        let bytes = [red, green, blue] + (alpha < 1 ? [alpha] : [])
        return "#"
            + bytes.map {
                let value = String(RGBA.byte($0), radix: 16, uppercase: true)
                return value.count < 2 ? "0" + value : value
            }.joined()
    }

    /// Parses the format of `hex`. Nil for any other text.
    package init?(hex: String) {
        let digits = hex.utf8.dropFirst()
        guard hex.hasPrefix("#"), digits.count == 6 || digits.count == 8,
            digits.allSatisfy(RGBA.isHexDigit),
            let number = UInt32(hex.dropFirst(), radix: 16)
        else { return nil }
        let value = digits.count == 6 ? number << 8 | 0xFF : number
        let bytes = [24, 16, 8, 0].map { Double(value >> $0 & 0xFF) / 255 }
        self.init(bytes[0], bytes[1], bytes[2], bytes[3])
    }

    /// Relative luminance from 0 to 1 (weights of ITU-R BT.709).
    package var luminance: Double {
        0.2126 * ColorMath.linear(red) + 0.7152 * ColorMath.linear(green) + 0.0722 * ColorMath.linear(blue)
    }

    private static func byte(_ component: Double) -> Int {
        component.isFinite ? Int((min(max(component, 0), 1) * 255).rounded()) : 0
    }

    private static func isHexDigit(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "a")...UInt8(ascii: "f"),
            UInt8(ascii: "A")...UInt8(ascii: "F"):
            true
        default: false
        }
    }
}

/// Conversions between colour spaces.
package enum ColorMath {
    /// - Parameters: hue, saturation and brightness, limited to 0 to 1.
    package static func rgb(hue: Double, saturation: Double, brightness: Double, alpha: Double) -> RGBA {
        let hue = min(max(hue, 0), 1) * 6
        let saturation = min(max(saturation, 0), 1)
        let brightness = min(max(brightness, 0), 1)
        func component(_ offset: Double) -> Double {
            let position = (offset + hue).truncatingRemainder(dividingBy: 6)
            return brightness - brightness * saturation * max(0, min(position, 4 - position, 1))
        }
        return RGBA(component(5), component(3), component(1), alpha)
    }

    /// Hue, saturation and brightness from 0 to 1. The hue of a gray is 0.
    package static func hsb(_ color: RGBA) -> (hue: Double, saturation: Double, brightness: Double) {
        let most = max(color.red, color.green, color.blue)
        let spread = most - min(color.red, color.green, color.blue)
        guard spread > 0, most > 0 else { return (0, 0, most) }
        let sixth: Double =
            if most == color.red {
                (color.green - color.blue) / spread
            } else if most == color.green {
                2 + (color.blue - color.red) / spread
            } else {
                4 + (color.red - color.green) / spread
            }
        return ((sixth < 0 ? sixth + 6 : sixth) / 6, spread / most, most)
    }

    /// Converts Display P3 to extended sRGB. Both have the transfer function of sRGB.
    package static func displayP3(_ red: Double, _ green: Double, _ blue: Double, _ alpha: Double) -> RGBA {
        let (r, g, b) = (linear(red), linear(green), linear(blue))
        return RGBA(
            curved(1.2249401763 * r - 0.2249401763 * g),
            curved(-0.0420569547 * r + 1.0420569547 * g),
            curved(-0.0196375546 * r - 0.0786360456 * g + 1.0982736001 * b), alpha)
    }

    static func linear(_ value: Double) -> Double {
        let size = abs(value)
        let result = size <= 0.04045 ? size / 12.92 : pow((size + 0.055) / 1.055, 2.4)
        return value < 0 ? -result : result
    }

    static func curved(_ value: Double) -> Double {
        let size = abs(value)
        let result = size <= 0.0031308 ? size * 12.92 : 1.055 * pow(size, 1 / 2.4) - 0.055
        return value < 0 ? -result : result
    }
}
