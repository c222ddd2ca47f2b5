public import UIKit

nonisolated extension Color {
    /// A `UIColor` for both colour schemes.
    public init(uiColor: UIColor) {
        let (light, dark) = uiColor.appearances
        self.init(dynamic: DynamicRGBA(light: light, dark: dark))
    }
    /// A `UIColor` for both colour schemes.
    public init(_ color: UIColor) { self.init(uiColor: color) }
    /// A `CGColor`, the same in both colour schemes.
    public init(cgColor: CGColor) { self.init(source: .fixed(cgColor.rgba)) }
    /// A `CGColor`, the same in both colour schemes.
    public init(_ color: CGColor) { self.init(cgColor: color) }
    /// The colour for the light scheme.
    public var cgColor: CGColor? { CGColor(resolved(in: EnvironmentValues()).light) }
}

extension UIColor {
    /// A `Color` for both colour schemes.
    public convenience init(_ color: Color) {
        let both = color.resolved(in: EnvironmentValues())
        self.init(light: both.light, dark: both.dark)
    }
}
