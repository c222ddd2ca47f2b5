public import ManagedSettings
public import UIKit

/// How a shield looks. A property of nil is the system's to choose.
public struct ShieldConfiguration: Sendable {
    /// Words in a colour.
    public struct Label: Sendable {
        /// Up to 4096 bytes of UTF-8 are shown; what is cut off is said in the extension's log.
        public let text: String
        /// Its values for light and for dark both travel.
        public let color: UIColor

        public init(text: String, color: UIColor) {
            self.text = text
            self.color = color
        }
    }

    /// What is behind the shield. Where no blur can be drawn, a colour of the same brightness stands for it.
    public let backgroundBlurStyle: UIBlurEffect.Style?
    /// Over the blur.
    public let backgroundColor: UIColor?
    /// Above the title. Up to 512 KiB travel; a larger PNG of up to 8 Mi pixels is made smaller.
    public let icon: UIImage?
    public let title: ShieldConfiguration.Label?
    public let subtitle: ShieldConfiguration.Label?
    public let primaryButtonLabel: ShieldConfiguration.Label?
    public let primaryButtonBackgroundColor: UIColor?
    /// nil: there is no such button.
    public let secondaryButtonLabel: ShieldConfiguration.Label?
    /// What the secondary button offers, at most three; the system adds Cancel. nil: the button acts itself.
    public let secondaryButtonSubmenuItems: [String]?

    public init(
        backgroundBlurStyle: UIBlurEffect.Style? = nil, backgroundColor: UIColor? = nil,
        icon: UIImage? = nil, title: ShieldConfiguration.Label? = nil,
        subtitle: ShieldConfiguration.Label? = nil, primaryButtonLabel: ShieldConfiguration.Label? = nil,
        primaryButtonBackgroundColor: UIColor? = nil,
        secondaryButtonLabel: ShieldConfiguration.Label? = nil
    ) {
        self.init(
            backgroundBlurStyle: backgroundBlurStyle, backgroundColor: backgroundColor, icon: icon,
            title: title, subtitle: subtitle, primaryButtonLabel: primaryButtonLabel,
            primaryButtonBackgroundColor: primaryButtonBackgroundColor,
            secondaryButtonLabel: secondaryButtonLabel, secondaryButtonSubmenuItems: nil)
    }

    /// - Parameter secondaryButtonSubmenuItems: of more than three the first three are shown, which is said
    ///   in the extension's log.
    public init(
        backgroundBlurStyle: UIBlurEffect.Style? = nil, backgroundColor: UIColor? = nil,
        icon: UIImage? = nil, title: ShieldConfiguration.Label? = nil,
        subtitle: ShieldConfiguration.Label? = nil, primaryButtonLabel: ShieldConfiguration.Label? = nil,
        primaryButtonBackgroundColor: UIColor? = nil,
        secondaryButtonLabel: ShieldConfiguration.Label? = nil,
        secondaryButtonSubmenuItems: [String]? = nil
    ) {
        self.backgroundBlurStyle = backgroundBlurStyle
        self.backgroundColor = backgroundColor
        self.icon = icon
        self.title = title
        self.subtitle = subtitle
        self.primaryButtonLabel = primaryButtonLabel
        self.primaryButtonBackgroundColor = primaryButtonBackgroundColor
        self.secondaryButtonLabel = secondaryButtonLabel
        self.secondaryButtonSubmenuItems = secondaryButtonSubmenuItems
    }
}

/// Says how shields look. The principal class of a shield-configuration extension inherits from it; a method
/// that it does not override leaves the look to the system.
///
/// Here apps, categories and domains have their names. The extension can read its app group and write
/// nothing, and has no network. It is asked on a thread of its own, one shield at a time; what it answers
/// after its time budget is not waited for, and the system's look is shown.
open class ShieldConfigurationDataSource: NSObject {
    public override init() { super.init() }

    /// The app is shielded because a store lists it.
    open func configuration(shielding application: Application) -> ShieldConfiguration {
        ShieldConfiguration()
    }

    /// The app is shielded because a store lists its category.
    open func configuration(
        shielding application: Application, in category: ActivityCategory
    ) -> ShieldConfiguration {
        ShieldConfiguration()
    }

    /// The domain is shielded because a store lists it.
    open func configuration(shielding webDomain: WebDomain) -> ShieldConfiguration {
        ShieldConfiguration()
    }

    /// The domain is shielded because a store lists its category.
    open func configuration(
        shielding webDomain: WebDomain, in category: ActivityCategory
    ) -> ShieldConfiguration {
        ShieldConfiguration()
    }
}
