public import FoundationExtras

/// A colour without appearances, in sRGB.
public final class CGColor: NSObject, Sendable {
    package let rgba: RGBA

    package init(_ rgba: RGBA) {
        self.rgba = rgba
        super.init()
    }

    /// - Parameters: components from 0 to 1.
    public convenience init(red: CGFloat, green: CGFloat, blue: CGFloat, alpha: CGFloat) {
        self.init(RGBA(red, green, blue, alpha))
    }

    /// As `init(red:green:blue:alpha:)`: every colour is kept in sRGB.
    public convenience init(srgbRed red: CGFloat, green: CGFloat, blue: CGFloat, alpha: CGFloat) {
        self.init(RGBA(red, green, blue, alpha))
    }

    public convenience init(gray: CGFloat, alpha: CGFloat) { self.init(RGBA(gray, gray, gray, alpha)) }

    /// Red, green, blue and alpha; always four, also of a grey.
    public var components: [CGFloat]? { [rgba.red, rgba.green, rgba.blue, rgba.alpha] }
    public var numberOfComponents: Int { 4 }
    public var alpha: CGFloat { rgba.alpha }

    public func copy(alpha: CGFloat) -> CGColor? { CGColor(rgba.with(alpha: alpha)) }

    public static let black = CGColor(gray: 0, alpha: 1)
    public static let white = CGColor(gray: 1, alpha: 1)
    public static let clear = CGColor(gray: 0, alpha: 0)

    public override func isEqual(_ object: Any?) -> Bool { (object as? CGColor)?.rgba == rgba }
    public override var hash: Int { rgba.hashValue }
}
