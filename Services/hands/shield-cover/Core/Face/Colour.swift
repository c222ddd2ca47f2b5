import Glibc

/// An opaque colour in sRGB; each part from 0 to 1.
struct Colour: Equatable, Sendable {
    var red: Double, green: Double, blue: Double

    init(_ red: Double, _ green: Double, _ blue: Double) {
        (self.red, self.green, self.blue) = (red, green, blue)
    }

    /// `0xRRGGBB`.
    init(_ hex: UInt32) {
        self.init(
            Double(hex >> 16 & 0xFF) / 255, Double(hex >> 8 & 0xFF) / 255, Double(hex & 0xFF) / 255)
    }

    /// `#RRGGBB` or `#RRGGBBAA`; nil for any other text.
    /// - Parameter ground: what shows through.
    init?(_ text: String, over ground: Colour) {
        let digits = Array(text.utf8)
        guard digits.first == UInt8(ascii: "#"), digits.count == 7 || digits.count == 9 else { return nil }
        var value: UInt32 = 0
        for digit in digits.dropFirst() {
            guard let number = Self.hexDigit(digit) else { return nil }
            value = value << 4 | number
        }
        guard digits.count == 9 else {
            self.init(value)
            return
        }
        let alpha = Double(value & 0xFF) / 255
        self = Colour(value >> 8).laid(over: ground, alpha: alpha)
    }

    private static func hexDigit(_ byte: UInt8) -> UInt32? {
        switch byte {
        case UInt8(ascii: "0")...UInt8(ascii: "9"): UInt32(byte - UInt8(ascii: "0"))
        case UInt8(ascii: "a")...UInt8(ascii: "f"): UInt32(byte - UInt8(ascii: "a") + 10)
        case UInt8(ascii: "A")...UInt8(ascii: "F"): UInt32(byte - UInt8(ascii: "A") + 10)
        default: nil
        }
    }

    /// This colour with `alpha`, over an opaque one.
    func laid(over ground: Colour, alpha: Double) -> Colour {
        func mix(_ one: Double, _ other: Double) -> Double { one * alpha + other * (1 - alpha) }
        return Colour(mix(red, ground.red), mix(green, ground.green), mix(blue, ground.blue))
    }

    /// Relative luminance (WCAG 2).
    var luminance: Double {
        func linear(_ part: Double) -> Double {
            part <= 0.04045 ? part / 12.92 : pow((part + 0.055) / 1.055, 2.4)
        }
        return 0.2126 * linear(red) + 0.7152 * linear(green) + 0.0722 * linear(blue)
    }

    /// Contrast (WCAG 2), from 1 to 21.
    func contrast(with other: Colour) -> Double {
        let (one, two) = (luminance, other.luminance)
        return (max(one, two) + 0.05) / (min(one, two) + 0.05)
    }

    /// The least contrast of large text and its ground (WCAG 2, 1.4.3).
    static let contrastMin = 3.0

    /// This colour, or black or white if it cannot be read.
    /// - Parameter ground: what is below a text of a colour.
    func readable(_ ground: (Colour) -> Colour) -> Colour {
        func contrast(_ colour: Colour) -> Double { colour.contrast(with: ground(colour)) }
        guard contrast(self) < Self.contrastMin else { return self }
        let (black, white) = (Colour(0), Colour(0xFFFFFF))
        return contrast(black) > contrast(white) ? black : white
    }

    /// Whether white text on it reads better than black.
    var isDark: Bool { luminance < 0.3 }

    /// As CSS writes it.
    var css: String {
        func byte(_ part: Double) -> Int { Int((min(max(part, 0), 1) * 255).rounded()) }
        return "rgb(\(byte(red)),\(byte(green)),\(byte(blue)))"
    }
}

/// The appearance of the desktop.
enum Appearance: Equatable, Sendable { case light, dark }

/// The system's own colours.
struct Palette {
    var background: Colour
    var text: Colour
    var quietText: Colour
    var accent: Colour

    static func of(_ appearance: Appearance) -> Palette {
        switch appearance {
        case .light:
            Palette(
                background: Colour(0xF4F4F7), text: Colour(0x1B1B1F), quietText: Colour(0x5C5C66),
                accent: Colour(0x0A66D8))
        case .dark:
            Palette(
                background: Colour(0x1B1B1F), text: Colour(0xF4F4F7), quietText: Colour(0xA9A9B4),
                accent: Colour(0x2F7DE1))
        }
    }

    /// On a background that somebody chose, text in black or white with the same graduation.
    static func fitting(_ background: Colour) -> Palette {
        var palette = of(background.isDark ? .dark : .light)
        palette.background = background
        palette.quietText = palette.text.laid(over: background, alpha: 0.72)
        return palette
    }
}
