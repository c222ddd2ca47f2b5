public import Foundation

/// The name of a sound: of the desktop's sound theme, with or without the ending of a file.
public struct UNNotificationSoundName: RawRepresentable, Hashable, Sendable {
    public let rawValue: String
    public init(rawValue: String) { self.rawValue = rawValue }
    public init(_ rawValue: String) { self.rawValue = rawValue }
}

/// The sound of a notification. The desktop's notification daemon plays it, where it can: by a name of the
/// sound theme (freedesktop.org, Sound Naming Specification), not from the app's bundle. Volumes are the
/// desktop's.
open class UNNotificationSound: NSObject, NSCopying {
    /// As it travels: `default`, `default-critical`, `default-ringtone`, or a name.
    let name: String

    init(_ name: String) { self.name = name }

    public init(named name: UNNotificationSoundName) { self.name = name.rawValue }

    open class var `default`: UNNotificationSound { UNNotificationSound("default") }
    open class var defaultCritical: UNNotificationSound { UNNotificationSound("default-critical") }
    open class var defaultRingtone: UNNotificationSound { UNNotificationSound("default-ringtone") }

    open class func criticalSoundNamed(_ name: UNNotificationSoundName) -> UNNotificationSound {
        UNNotificationSound(named: name)
    }

    open class func ringtoneSoundNamed(_ name: UNNotificationSoundName) -> UNNotificationSound {
        UNNotificationSound(named: name)
    }

    open func copy(with zone: NSZone? = nil) -> Any { self }

    open override func isEqual(_ object: Any?) -> Bool {
        (object as? UNNotificationSound)?.name == name
    }
    open override var hash: Int { name.hashValue }
}
