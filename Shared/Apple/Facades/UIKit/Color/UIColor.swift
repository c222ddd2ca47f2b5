public import FoundationExtras

/// A colour with a value for the light and one for the dark scheme.
///
/// Other programs render it: the overlay of a shield, the viewer of a report. Components are stored in
/// extended sRGB. Two colours are equal if they look the same in both schemes. (Apple also compares colour
/// spaces and catalogue names.)
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

    /// The same in both schemes.
    package convenience init(_ rgba: RGBA) { self.init(.fixed(rgba)) }

    /// Different in the schemes.
    package convenience init(light: RGBA, dark: RGBA) {
        self.init(light == dark ? .fixed(light) : .pair(light: light, dark: dark))
    }

    /// - Parameters: components from 0 to 1, or beyond for colours outside of sRGB.
    public convenience init(red: CGFloat, green: CGFloat, blue: CGFloat, alpha: CGFloat) {
        self.init(.fixed(RGBA(red, green, blue, alpha)))
    }

    /// A gray, from 0 to 1.
    public convenience init(white: CGFloat, alpha: CGFloat) {
        self.init(.fixed(RGBA(white, white, white, alpha)))
    }

    /// - Parameters: limited to 0 to 1.
    public convenience init(hue: CGFloat, saturation: CGFloat, brightness: CGFloat, alpha: CGFloat) {
        self.init(
            .fixed(ColorMath.rgb(hue: hue, saturation: saturation, brightness: brightness, alpha: alpha)))
    }

    /// A colour of Display P3, stored in extended sRGB.
    public convenience init(displayP3Red: CGFloat, green: CGFloat, blue: CGFloat, alpha: CGFloat) {
        self.init(.fixed(ColorMath.displayP3(displayP3Red, green, blue, alpha)))
    }

    /// The same in both schemes.
    public convenience init(cgColor: CGColor) { self.init(.fixed(cgColor.rgba)) }

    /// - Parameter dynamicProvider: called whenever the colour is used: once for the light and once for the
    /// dark scheme.
    public convenience init(dynamicProvider: @escaping @Sendable (UITraitCollection) -> UIColor) {
        self.init(.dynamic(dynamicProvider))
    }

    /// The colour under these traits.
    public func resolvedColor(with traitCollection: UITraitCollection) -> UIColor {
        UIColor(rgba(traitCollection))
    }

    /// The colour under the current traits.
    public var cgColor: CGColor { CGColor(rgba(.current)) }

    /// The colour with another opacity, in both schemes.
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

    /// The components under these traits.
    package func rgba(_ traits: UITraitCollection) -> RGBA {
        switch value {
        case .fixed(let rgba): return rgba
        case .pair(let light, let dark): return traits.userInterfaceStyle == .dark ? dark : light
        case .dynamic(let provider):
            // A provider may return another dynamic colour, even itself, so this is limited.
            var color = provider(traits)
            for _ in 0..<16 {
                guard case .dynamic(let next) = color.value else { return color.rgba(traits) }
                color = next(traits)
            }
            return RGBA(0, 0, 0)
        }
    }

    /// The values for the light and the dark scheme.
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
    /// Called by `#colorLiteral(red:green:blue:alpha:)`.
    public convenience init(
        _colorLiteralRed red: Float, green: Float, blue: Float, alpha: Float
    ) {
        self.init(RGBA(Double(red), Double(green), Double(blue), Double(alpha)))
    }
}

/// The type of colour literals.
public typealias _ColorLiteralType = UIColor
