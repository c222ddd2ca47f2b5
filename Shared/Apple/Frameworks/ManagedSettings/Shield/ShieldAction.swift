/// A button or menu item that a person pressed on a shield.
public enum ShieldAction: Int, Sendable {
    case primaryButtonPressed
    case secondaryButtonPressed
    /// The first item of the secondary button's menu.
    case firstSecondarySubmenuItemPressed
    case secondSecondarySubmenuItemPressed
    case thirdSecondarySubmenuItemPressed

    /// Parses the case name that messages carry.
    init?(name: String) {
        switch name {
        case "primaryButtonPressed": self = .primaryButtonPressed
        case "secondaryButtonPressed": self = .secondaryButtonPressed
        case "firstSecondarySubmenuItemPressed": self = .firstSecondarySubmenuItemPressed
        case "secondSecondarySubmenuItemPressed": self = .secondSecondarySubmenuItemPressed
        case "thirdSecondarySubmenuItemPressed": self = .thirdSecondarySubmenuItemPressed
        default: return nil
        }
    }
}

/// What the system does after a button of a shield was pressed.
public enum ShieldActionResponse: Int, Sendable {
    /// Nothing. The shield does not change.
    case none
    /// Closes the app or leaves the site.
    case close
    /// Keeps the shield and requests its configuration again.
    case `defer`
    /// Opens the app that set the shield, in front of the shield.
    case openParentalControlsApp

    /// The case name that messages carry.
    var name: String {
        switch self {
        case .none: "none"
        case .close: "close"
        case .defer: "defer"
        case .openParentalControlsApp: "openParentalControlsApp"
        }
    }
}
