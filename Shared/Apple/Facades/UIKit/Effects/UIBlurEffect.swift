public import FoundationExtras

/// An effect behind a view.
open class UIVisualEffect: NSObject {
    /// Without an effect.
    public override init() { super.init() }
}

/// A blurred background.
public final class UIBlurEffect: UIVisualEffect {
    /// The look of the blur. If no blur can be drawn, the overlay has a colour of the same brightness.
    public enum Style: Int, Sendable, Hashable, CaseIterable {
        case extraLight = 0
        case light = 1
        case dark = 2
        /// Follows the colour scheme.
        case regular = 4
        /// Follows the colour scheme, with a stronger effect.
        case prominent = 5
        case systemUltraThinMaterial = 6
        case systemThinMaterial = 7
        case systemMaterial = 8
        case systemThickMaterial = 9
        case systemChromeMaterial = 10
        case systemUltraThinMaterialLight = 11
        case systemThinMaterialLight = 12
        case systemMaterialLight = 13
        case systemThickMaterialLight = 14
        case systemChromeMaterialLight = 15
        case systemUltraThinMaterialDark = 16
        case systemThinMaterialDark = 17
        case systemMaterialDark = 18
        case systemThickMaterialDark = 19
        case systemChromeMaterialDark = 20

        /// The case name, for messages and storage.
        package var name: String { "\(self)" }

        /// Nil if no case has the name.
        package init?(name: String) {
            guard let style = Style.allCases.first(where: { $0.name == name }) else { return nil }
            self = style
        }
    }

    /// As the program passed it.
    package let style: Style

    /// - Parameter style: the look of the blur.
    public init(style: Style) {
        self.style = style
        super.init()
    }
}
