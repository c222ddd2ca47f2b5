import Foundation

/// How strongly a notification may interrupt. Time-sensitive and critical notifications have the desktop's
/// highest urgency, passive ones its lowest.
public enum UNNotificationInterruptionLevel: Int, Sendable, Hashable {
    case passive = 0
    case active = 1
    case timeSensitive = 2
    case critical = 3
}

/// Whether this app may show notifications. This is the person's decision on the app's use of Screen Time: an
/// app has one permission here, not two. Only the first three cases occur.
public enum UNAuthorizationStatus: Int, Sendable, Hashable {
    case notDetermined = 0
    case denied = 1
    case authorized = 2
    case provisional = 3
    case ephemeral = 4
}

/// Whether one form of notification is enabled.
public enum UNNotificationSetting: Int, Sendable, Hashable {
    /// The system does not have it.
    case notSupported = 0
    case disabled = 1
    case enabled = 2
}

/// How notifications appear; the desktop's daemon decides.
public enum UNAlertStyle: Int, Sendable, Hashable {
    case none = 0
    case banner = 1
    case alert = 2
}

/// When contents are shown on a locked screen; the desktop decides.
public enum UNShowPreviewsSetting: Int, Sendable, Hashable {
    case always = 0
    case whenAuthenticated = 1
    case never = 2
}

/// What an app requests. One permission covers everything; ``UNNotificationSettings`` reports options that a
/// desktop lacks (`carPlay`, `announcement`) as not supported.
public struct UNAuthorizationOptions: OptionSet, Sendable, Hashable {
    /// Apple's bits.
    public let rawValue: UInt
    /// Unknown bits are ignored.
    public init(rawValue: UInt) { self.rawValue = rawValue }

    /// A number on the app's icon.
    public static let badge = UNAuthorizationOptions(rawValue: 1 << 0)
    /// A sound of the desktop's theme.
    public static let sound = UNAuthorizationOptions(rawValue: 1 << 1)
    /// A visible notification.
    public static let alert = UNAuthorizationOptions(rawValue: 1 << 2)
    /// Not supported on Linux.
    public static let carPlay = UNAuthorizationOptions(rawValue: 1 << 3)
    /// The desktop's highest urgency.
    public static let criticalAlert = UNAuthorizationOptions(rawValue: 1 << 4)
    /// Ignored: there is no such settings page.
    public static let providesAppNotificationSettings = UNAuthorizationOptions(rawValue: 1 << 5)
    /// Ignored: the person is always asked.
    public static let provisional = UNAuthorizationOptions(rawValue: 1 << 6)
    /// Not supported on Linux.
    public static let announcement = UNAuthorizationOptions(rawValue: 1 << 7)
    /// The desktop's highest urgency.
    public static let timeSensitive = UNAuthorizationOptions(rawValue: 1 << 8)
}

/// How a delegate wants a notification to be shown while its app runs. Without `banner`, `list` and `alert`
/// it is removed from the screen.
public struct UNNotificationPresentationOptions: OptionSet, Sendable, Hashable {
    /// Apple's bits.
    public let rawValue: UInt
    /// Unknown bits are ignored.
    public init(rawValue: UInt) { self.rawValue = rawValue }

    /// Ignored; the badge is set when the notification is due.
    public static let badge = UNNotificationPresentationOptions(rawValue: 1 << 0)
    /// Ignored; the desktop plays the sound.
    public static let sound = UNNotificationPresentationOptions(rawValue: 1 << 1)
    /// Keeps the notification on the screen.
    public static let alert = UNNotificationPresentationOptions(rawValue: 1 << 2)
    /// Keeps the notification on the screen.
    public static let list = UNNotificationPresentationOptions(rawValue: 1 << 3)
    /// Keeps the notification on the screen.
    public static let banner = UNNotificationPresentationOptions(rawValue: 1 << 4)
}

/// How a button behaves. Stored and returned; notification daemons draw all buttons alike.
public struct UNNotificationActionOptions: OptionSet, Sendable, Hashable {
    /// Apple's bits.
    public let rawValue: UInt
    /// Unknown bits are kept.
    public init(rawValue: UInt) { self.rawValue = rawValue }

    /// Not enforced: the button works without authentication.
    public static let authenticationRequired = UNNotificationActionOptions(rawValue: 1 << 0)
    /// Not drawn differently.
    public static let destructive = UNNotificationActionOptions(rawValue: 1 << 1)
    /// Does not open the app.
    public static let foreground = UNNotificationActionOptions(rawValue: 1 << 2)
}

/// How notifications of a category behave. With `customDismissAction` the delegate is called when one is
/// dismissed; the other options are stored and returned.
public struct UNNotificationCategoryOptions: OptionSet, Sendable, Hashable {
    /// Apple's bits.
    public let rawValue: UInt
    /// Unknown bits are kept.
    public init(rawValue: UInt) { self.rawValue = rawValue }

    /// Reports dismissals to the delegate.
    public static let customDismissAction = UNNotificationCategoryOptions(rawValue: 1 << 0)
    /// No effect on Linux.
    public static let allowInCarPlay = UNNotificationCategoryOptions(rawValue: 1 << 1)
    /// No effect on Linux.
    public static let hiddenPreviewsShowTitle = UNNotificationCategoryOptions(rawValue: 1 << 2)
    /// No effect on Linux.
    public static let hiddenPreviewsShowSubtitle = UNNotificationCategoryOptions(rawValue: 1 << 3)
    /// No effect on Linux.
    public static let allowAnnouncement = UNNotificationCategoryOptions(rawValue: 1 << 4)
}

/// The action identifier of a response to the notification itself.
public let UNNotificationDefaultActionIdentifier = "com.apple.UNNotificationDefaultActionIdentifier"
/// The action identifier of a response that dismissed the notification.
public let UNNotificationDismissActionIdentifier = "com.apple.UNNotificationDismissActionIdentifier"
/// The error domain of ``UNError``.
public let UNErrorDomain = "UNErrorDomain"
