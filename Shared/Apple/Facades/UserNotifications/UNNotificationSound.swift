public import Foundation

/// The name of a sound in the desktop's sound theme, with or without a file extension.
public struct UNNotificationSoundName: RawRepresentable, Hashable, Sendable {
    /// The name as passed.
    public let rawValue: String
    /// Accepts any text; an unknown sound is silent.
    public init(rawValue: String) { self.rawValue = rawValue }
    /// Same as ``init(rawValue:)``.
    public init(_ rawValue: String) { self.rawValue = rawValue }
}

/// The sound of a notification. The desktop's notification daemon plays it if it can: a name of the sound
/// theme (freedesktop.org Sound Naming Specification), not a file of the app's bundle. The desktop sets the
/// volume.
open class UNNotificationSound: NSObject, NSCopying {
    /// The name in messages: `default`, `default-critical`, `default-ringtone`, or a theme name.
    let name: String

    init(_ name: String) { self.name = name }

    /// - Parameter name: in the desktop's sound theme.
    public init(named name: UNNotificationSoundName) { self.name = name.rawValue }

    /// The theme's usual notification sound.
    open class var `default`: UNNotificationSound { UNNotificationSound("default") }
    /// The theme's sound for critical notifications.
    open class var defaultCritical: UNNotificationSound { UNNotificationSound("default-critical") }
    /// The theme's ringtone.
    open class var defaultRingtone: UNNotificationSound { UNNotificationSound("default-ringtone") }

    /// Same as ``init(named:)``; the interruption level sets the urgency.
    open class func criticalSoundNamed(_ name: UNNotificationSoundName) -> UNNotificationSound {
        UNNotificationSound(named: name)
    }

    /// Same as ``init(named:)``.
    open class func ringtoneSoundNamed(_ name: UNNotificationSoundName) -> UNNotificationSound {
        UNNotificationSound(named: name)
    }

    open func copy(with zone: NSZone? = nil) -> Any { self }

    open override func isEqual(_ object: Any?) -> Bool {
        (object as? UNNotificationSound)?.name == name
    }
    open override var hash: Int { name.hashValue }
}
