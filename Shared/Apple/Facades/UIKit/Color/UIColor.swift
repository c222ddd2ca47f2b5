public import FoundationExtras

/// A colour with a value for light and one for dark.
///
/// It is a value that somebody else draws: a shield's overlay, a report. Components are kept in extended
/// sRGB; two colours are equal when they look the same in light and in dark (Apple compares colour spaces
/// and catalogue names too, so colours that look alike may differ there).
public final class UIColor: NSObject, Sendable {
    private enum Value: Sendable {
        case fixed(RGBA)
        case pair(light: RGBA, dark: RGBA)
        case dynamic(@Sendable (UITraitCollection) -> UIColor)
    }

    private let value: Value

    private init(_ value: Value) {
        self.value = value
        super.init()
    }

    package convenience init(_ rgba: RGBA) { self.init(.fixed(rgba)) }

    package convenience init(light: RGBA, dark: RGBA) {
        self.init(light == dark ? .fixed(light) : .pair(light: light, dark: dark))
    }

    /// - Parameters: components from 0 to 1; beyond them for colours outside of sRGB.
    public convenience init(red: CGFloat, green: CGFloat, blue: CGFloat, alpha: CGFloat) {
        self.init(.fixed(RGBA(red, green, blue, alpha)))
    }

    public convenience init(white: CGFloat, alpha: CGFloat) {
        self.init(.fixed(RGBA(white, white, white, alpha)))
    }

    /// - Parameters: all from 0 to 1; others are brought into that range.
    public convenience init(hue: CGFloat, saturation: CGFloat, brightness: CGFloat, alpha: CGFloat) {
        self.init(
            .fixed(ColorMath.rgb(hue: hue, saturation: saturation, brightness: brightness, alpha: alpha)))
    }

    /// A colour of Display P3.
    public convenience init(displayP3Red: CGFloat, green: CGFloat, blue: CGFloat, alpha: CGFloat) {
        self.init(.fixed(ColorMath.displayP3(displayP3Red, green, blue, alpha)))
    }

    public convenience init(cgColor: CGColor) { self.init(.fixed(cgColor.rgba)) }

    /// A colour that is asked for its value when it is drawn: once for light and once for dark.
    public convenience init(dynamicProvider: @escaping @Sendable (UITraitCollection) -> UIColor) {
        self.init(.dynamic(dynamicProvider))
    }

    /// The value under these traits.
    public func resolvedColor(with traitCollection: UITraitCollection) -> UIColor {
        UIColor(rgba(traitCollection))
    }

    /// The value under the current traits.
    public var cgColor: CGColor { CGColor(rgba(.current)) }

    /// The same colour with another opacity, for light and for dark.
    /// - Parameter alpha: 0 to 1.
    public func withAlphaComponent(_ alpha: CGFloat) -> UIColor {
        switch value {
        case .fixed(let rgba): UIColor(rgba.with(alpha: alpha))
        case .pair(let light, let dark):
            UIColor(light: light.with(alpha: alpha), dark: dark.with(alpha: alpha))
        case .dynamic(let provider):
            UIColor(dynamicProvider: { provider($0).withAlphaComponent(alpha) })
        }
    }

    // MARK: for drawing

    package func rgba(_ traits: UITraitCollection) -> RGBA {
        switch value {
        case .fixed(let rgba): return rgba
        case .pair(let light, let dark): return traits.userInterfaceStyle == .dark ? dark : light
        case .dynamic(let provider):
            // A provider may answer with another dynamic colour, even with itself: it is followed so far.
            var color = provider(traits)
            for _ in 0..<16 {
                guard case .dynamic(let next) = color.value else { return color.rgba(traits) }
                color = next(traits)
            }
            return RGBA(0, 0, 0)
        }
    }

    /// The values for light and for dark.
    package var appearances: (light: RGBA, dark: RGBA) { (rgba(.light), rgba(.dark)) }

    // MARK: NSObject

    public override func isEqual(_ object: Any?) -> Bool {
        guard let other = object as? UIColor else { return false }
        return appearances == other.appearances
    }

    public override var hash: Int {
        var hasher = Hasher()
        hasher.combine(appearances.light)
        hasher.combine(appearances.dark)
        return hasher.finalize()
    }

    public override var description: String {
        let (light, dark) = appearances
        return light == dark ? "UIColor(\(light.hex))" : "UIColor(\(light.hex), dark \(dark.hex))"
    }
}

extension UIColor: _ExpressibleByColorLiteral {
    /// What `#colorLiteral(red:green:blue:alpha:)` calls.
    public convenience init(
        _colorLiteralRed red: Float, green: Float, blue: Float, alpha: Float
    ) {
        self.init(RGBA(Double(red), Double(green), Double(blue), Double(alpha)))
    }
}

/// The type of a colour literal.
public typealias _ColorLiteralType = UIColor
