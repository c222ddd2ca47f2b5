/// What may be done with accounts.
///
/// Stored and read back; nothing here acts on it.
public struct AccountSettings: ManagedSettingsGroup, Sendable {
    /// Accounts shall not be added, changed or removed.
    public var lockAccounts: Bool?
    public static let lockAccounts = SettingMetadata<Bool>(defaultValue: false)

    init() {}
}

extension AccountSettings: StoredGroup {
    mutating func settings<V: SettingVisitor>(_ visitor: inout V) {
        visitor.setting("account.lockAccounts", &lockAccounts)
    }
}

/// What may be done with the passcode.
///
/// Stored and read back; nothing here acts on it.
public struct PasscodeSettings: ManagedSettingsGroup, Sendable {
    /// The passcode shall not be changed.
    public var lockPasscode: Bool?
    public static let lockPasscode = SettingMetadata<Bool>(defaultValue: false)

    init() {}
}

extension PasscodeSettings: StoredGroup {
    mutating func settings<V: SettingVisitor>(_ visitor: inout V) {
        visitor.setting("passcode.lockPasscode", &lockPasscode)
    }
}

/// What may be done with the clock.
///
/// Stored and read back. The system believes no clock that was set by hand anyway (docs/time.md section 8).
public struct DateAndTimeSettings: ManagedSettingsGroup, Sendable {
    /// The clock shall be set by time synchronisation only.
    public var requireAutomaticDateAndTime: Bool?
    public static let requireAutomaticDateAndTime = SettingMetadata<Bool>(defaultValue: false)

    init() {}
}

extension DateAndTimeSettings: StoredGroup {
    mutating func settings<V: SettingVisitor>(_ visitor: inout V) {
        visitor.setting("dateAndTime.requireAutomaticDateAndTime", &requireAutomaticDateAndTime)
    }
}

/// What the assistant may do.
///
/// Stored and read back; there is no Siri on Linux.
public struct SiriSettings: ManagedSettingsGroup, Sendable {
    /// The assistant shall not answer.
    public var denySiri: Bool?
    public static let denySiri = SettingMetadata<Bool>(defaultValue: false)

    init() {}
}

extension SiriSettings: StoredGroup {
    mutating func settings<V: SettingVisitor>(_ visitor: inout V) {
        visitor.setting("siri.denySiri", &denySiri)
    }
}
