public import Foundation

/// What this app's notifications may do.
open class UNNotificationSettings: NSObject, NSCopying {
    /// The person's decision.
    public let authorizationStatus: UNAuthorizationStatus

    init(_ status: UNAuthorizationStatus) { authorizationStatus = status }

    private var allowed: UNNotificationSetting { authorizationStatus == .authorized ? .enabled : .disabled }

    /// Enabled if the app is authorized.
    open var alertSetting: UNNotificationSetting { allowed }
    /// Enabled if the app is authorized.
    open var badgeSetting: UNNotificationSetting { allowed }
    /// Enabled if the app is authorized.
    open var soundSetting: UNNotificationSetting { allowed }
    /// Enabled if the app is authorized.
    open var notificationCenterSetting: UNNotificationSetting { allowed }
    /// Enabled if the app is authorized.
    open var timeSensitiveSetting: UNNotificationSetting { allowed }
    /// Enabled if the app is authorized.
    open var criticalAlertSetting: UNNotificationSetting { allowed }
    /// The desktop decides what a locked screen shows.
    open var lockScreenSetting: UNNotificationSetting { .notSupported }
    /// Not supported on Linux.
    open var carPlaySetting: UNNotificationSetting { .notSupported }
    /// Not supported on Linux.
    open var announcementSetting: UNNotificationSetting { .notSupported }
    /// Not supported on Linux.
    open var scheduledDeliverySetting: UNNotificationSetting { .notSupported }
    /// Not supported on Linux.
    open var directMessagesSetting: UNNotificationSetting { .notSupported }
    /// `banner` if the app is authorized.
    open var alertStyle: UNAlertStyle { authorizationStatus == .authorized ? .banner : .none }
    /// Always `always`; the desktop decides.
    open var showPreviewsSetting: UNShowPreviewsSetting { .always }
    /// Always false.
    open var providesAppNotificationSettings: Bool { false }

    open func copy(with zone: NSZone? = nil) -> Any { self }
}
