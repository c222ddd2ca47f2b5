/// Restrictions on accounts.
///
/// Stored and read back. Not enforced on Linux.
public struct AccountSettings: ManagedSettingsGroup, Sendable {
    /// Accounts must not be added, changed or removed.
    public var lockAccounts: Bool?
    /// False by default.
    public static let lockAccounts = SettingMetadata<Bool>(defaultValue: false)

    init() {}
}

extension AccountSettings: StoredGroup {
    mutating func settings<V: SettingVisitor>(_ visitor: inout V) {
        visitor.setting("account.lockAccounts", &lockAccounts)
    }
}

/// Restrictions on the passcode.
///
/// Stored and read back. Not enforced on Linux.
public struct PasscodeSettings: ManagedSettingsGroup, Sendable {
    /// The passcode must not be changed.
    public var lockPasscode: Bool?
    /// False by default.
    public static let lockPasscode = SettingMetadata<Bool>(defaultValue: false)

    init() {}
}

extension PasscodeSettings: StoredGroup {
    mutating func settings<V: SettingVisitor>(_ visitor: inout V) {
        visitor.setting("passcode.lockPasscode", &lockPasscode)
    }
}

/// Restrictions on the clock.
///
/// Stored and read back. Independently of it, activity-center does not trust manual clock changes
/// (docs/time.md section 8).
public struct DateAndTimeSettings: ManagedSettingsGroup, Sendable {
    /// The clock must be set by time synchronization only.
    public var requireAutomaticDateAndTime: Bool?
    /// False by default.
    public static let requireAutomaticDateAndTime = SettingMetadata<Bool>(defaultValue: false)

    init() {}
}

extension DateAndTimeSettings: StoredGroup {
    mutating func settings<V: SettingVisitor>(_ visitor: inout V) {
        visitor.setting("dateAndTime.requireAutomaticDateAndTime", &requireAutomaticDateAndTime)
    }
}

/// Restrictions on the assistant.
///
/// Stored and read back. There is no Siri on Linux.
public struct SiriSettings: ManagedSettingsGroup, Sendable {
    /// The assistant must be disabled.
    public var denySiri: Bool?
    /// False by default.
    public static let denySiri = SettingMetadata<Bool>(defaultValue: false)

    init() {}
}

extension SiriSettings: StoredGroup {
    mutating func settings<V: SettingVisitor>(_ visitor: inout V) {
        visitor.setting("siri.denySiri", &denySiri)
    }
}
