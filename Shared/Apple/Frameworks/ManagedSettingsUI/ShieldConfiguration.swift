public import ManagedSettings
public import UIKit

/// The appearance of a shield. The system chooses a value for each property that is nil.
public struct ShieldConfiguration: Sendable {
    /// A text with a colour.
    public struct Label: Sendable {
        /// At most 4096 bytes of UTF-8 are shown. The extension's log reports truncation.
        public let text: String
        /// Both its light and its dark value are transferred.
        public let color: UIColor

        /// - Parameter text: truncated to 4096 bytes when the shield is shown.
        public init(text: String, color: UIColor) {
            self.text = text
            self.color = color
        }
    }

    /// The material behind the shield. If no blur can be drawn, a colour of the same brightness replaces it.
    public let backgroundBlurStyle: UIBlurEffect.Style?
    /// Drawn over the blur.
    public let backgroundColor: UIColor?
    /// Shown above the title. At most 512 KiB are transferred; a larger PNG, up to 8 Mi pixels, is reduced.
    public let icon: UIImage?
    /// The headline of the shield.
    public let title: ShieldConfiguration.Label?
    /// The explanation below the title.
    public let subtitle: ShieldConfiguration.Label?
    /// The text of the primary button.
    public let primaryButtonLabel: ShieldConfiguration.Label?
    /// The background of the primary button.
    public let primaryButtonBackgroundColor: UIColor?
    /// If nil, there is no secondary button.
    public let secondaryButtonLabel: ShieldConfiguration.Label?
    /// The menu of the secondary button, at most three items; the system adds Cancel. If nil, the button
    /// itself acts.
    public let secondaryButtonSubmenuItems: [String]?

    /// The look without a submenu. Every omitted value is chosen by the system.
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

    /// - Parameter secondaryButtonSubmenuItems: only the first three are shown; the extension's log reports
    /// more.
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

/// Configures the appearance of shields. The principal class of a shield-configuration extension inherits
/// from it. Methods that are not overridden leave the appearance to the system.
///
/// Apps, categories and domains have their names here. The extension can read its app group, cannot write,
/// and has no network access. It is called on a separate thread, for one shield at a time. If it exceeds its
/// time budget, the system's appearance is used.
open class ShieldConfigurationDataSource: NSObject {
    /// Called once, on the callback thread, when the first shield is requested.
    public override init() { super.init() }

    /// Called for an app that a store lists.
    open func configuration(shielding application: Application) -> ShieldConfiguration {
        ShieldConfiguration()
    }

    /// Called for an app whose category a store lists.
    open func configuration(
        shielding application: Application, in category: ActivityCategory
    ) -> ShieldConfiguration {
        ShieldConfiguration()
    }

    /// Called for a domain that a store lists.
    open func configuration(shielding webDomain: WebDomain) -> ShieldConfiguration {
        ShieldConfiguration()
    }

    /// Called for a domain whose category a store lists.
    open func configuration(
        shielding webDomain: WebDomain, in category: ActivityCategory
    ) -> ShieldConfiguration {
        ShieldConfiguration()
    }
}
