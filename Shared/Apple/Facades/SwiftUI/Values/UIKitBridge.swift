public import UIKit

nonisolated extension Color {
    /// The same colour as a `UIColor`, light and dark.
    public init(uiColor: UIColor) {
        let (light, dark) = uiColor.appearances
        self.init(dynamic: DynamicRGBA(light: light, dark: dark))
    }
    /// The same colour as a `UIColor`, light and dark.
    public init(_ color: UIColor) { self.init(uiColor: color) }
    /// The same colour as a `CGColor`.
    public init(cgColor: CGColor) { self.init(source: .fixed(cgColor.rgba)) }
    /// The same colour as a `CGColor`.
    public init(_ color: CGColor) { self.init(cgColor: color) }
    /// The colour on light ground.
    public var cgColor: CGColor? { CGColor(resolved(in: EnvironmentValues()).light) }
}

extension UIColor {
    /// The same colour as a `Color`, light and dark.
    public convenience init(_ color: Color) {
        let both = color.resolved(in: EnvironmentValues())
        self.init(light: both.light, dark: both.dark)
    }
}
