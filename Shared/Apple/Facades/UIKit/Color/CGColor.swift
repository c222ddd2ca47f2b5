public import FoundationExtras

/// A colour in sRGB that does not depend on appearance.
public final class CGColor: NSObject, Sendable {
    /// Components in extended sRGB.
    package let rgba: RGBA

    /// Wraps components.
    package init(_ rgba: RGBA) {
        self.rgba = rgba
        super.init()
    }

    /// - Parameters: components from 0 to 1.
    public convenience init(red: CGFloat, green: CGFloat, blue: CGFloat, alpha: CGFloat) {
        self.init(RGBA(red, green, blue, alpha))
    }

    /// The same as `init(red:green:blue:alpha:)`: every colour is stored in sRGB.
    public convenience init(srgbRed red: CGFloat, green: CGFloat, blue: CGFloat, alpha: CGFloat) {
        self.init(RGBA(red, green, blue, alpha))
    }

    /// - Parameters: from 0 to 1.
    public convenience init(gray: CGFloat, alpha: CGFloat) { self.init(RGBA(gray, gray, gray, alpha)) }

    /// Red, green, blue and alpha. Always four, even for a gray.
    public var components: [CGFloat]? { [rgba.red, rgba.green, rgba.blue, rgba.alpha] }
    /// Always 4.
    public var numberOfComponents: Int { 4 }
    /// From 0 to 1.
    public var alpha: CGFloat { rgba.alpha }

    /// Never nil here.
    public func copy(alpha: CGFloat) -> CGColor? { CGColor(rgba.with(alpha: alpha)) }

    /// In sRGB.
    public static let black = CGColor(gray: 0, alpha: 1)
    /// In sRGB.
    public static let white = CGColor(gray: 1, alpha: 1)
    /// In sRGB.
    public static let clear = CGColor(gray: 0, alpha: 0)

    public override func isEqual(_ object: Any?) -> Bool { (object as? CGColor)?.rgba == rgba }
    public override var hash: Int { rgba.hashValue }
}
