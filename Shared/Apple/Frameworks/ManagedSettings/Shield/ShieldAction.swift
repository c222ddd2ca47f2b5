/// What a person did with a shield.
public enum ShieldAction: Int, Sendable {
    case primaryButtonPressed
    case secondaryButtonPressed
    /// The first entry of the secondary button's menu.
    case firstSecondarySubmenuItemPressed
    case secondSecondarySubmenuItemPressed
    case thirdSecondarySubmenuItemPressed

    /// By the name of its case, as it travels.
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

/// What the system shall do after a button of a shield was pressed.
public enum ShieldActionResponse: Int, Sendable {
    /// Nothing more; the shield stays as it is.
    case none
    /// Close the app, or leave the site.
    case close
    /// Keep the shield, and ask again how it shall look.
    case `defer`
    /// Open the app that set the shield; the shield stays behind it.
    case openParentalControlsApp

    /// The case's name, as it travels.
    var name: String {
        switch self {
        case .none: "none"
        case .close: "close"
        case .defer: "defer"
        case .openParentalControlsApp: "openParentalControlsApp"
        }
    }
}
