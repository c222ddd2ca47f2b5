public import Foundation

/// What this app's notifications may do.
open class UNNotificationSettings: NSObject, NSCopying {
    public let authorizationStatus: UNAuthorizationStatus

    init(_ status: UNAuthorizationStatus) { authorizationStatus = status }

    private var allowed: UNNotificationSetting { authorizationStatus == .authorized ? .enabled : .disabled }

    open var alertSetting: UNNotificationSetting { allowed }
    open var badgeSetting: UNNotificationSetting { allowed }
    open var soundSetting: UNNotificationSetting { allowed }
    open var notificationCenterSetting: UNNotificationSetting { allowed }
    open var timeSensitiveSetting: UNNotificationSetting { allowed }
    open var criticalAlertSetting: UNNotificationSetting { allowed }
    /// The person's desktop decides what a locked screen shows.
    open var lockScreenSetting: UNNotificationSetting { .notSupported }
    open var carPlaySetting: UNNotificationSetting { .notSupported }
    open var announcementSetting: UNNotificationSetting { .notSupported }
    open var scheduledDeliverySetting: UNNotificationSetting { .notSupported }
    open var directMessagesSetting: UNNotificationSetting { .notSupported }
    open var alertStyle: UNAlertStyle { authorizationStatus == .authorized ? .banner : .none }
    open var showPreviewsSetting: UNShowPreviewsSetting { .always }
    open var providesAppNotificationSettings: Bool { false }

    open func copy(with zone: NSZone? = nil) -> Any { self }
}
