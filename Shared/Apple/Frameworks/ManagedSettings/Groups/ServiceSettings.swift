/// What may be done with mobile data.
///
/// Stored and read back; no cellular plan is managed here.
public struct CellularSettings: ManagedSettingsGroup, Sendable {
    /// Which apps use mobile data shall not be changed.
    public var lockAppCellularData: Bool?
    public static let lockAppCellularData = SettingMetadata<Bool>(defaultValue: false)

    /// The plan shall not be changed.
    public var lockCellularPlan: Bool?
    public static let lockCellularPlan = SettingMetadata<Bool>(defaultValue: false)

    /// eSIMs shall not be added or removed.
    public var lockESIM: Bool?
    public static let lockESIM = SettingMetadata<Bool>(defaultValue: false)

    init() {}
}

extension CellularSettings: StoredGroup {
    mutating func settings<V: SettingVisitor>(_ visitor: inout V) {
        visitor.setting("cellular.lockAppCellularData", &lockAppCellularData)
        visitor.setting("cellular.lockCellularPlan", &lockCellularPlan)
        visitor.setting("cellular.lockESIM", &lockESIM)
    }
}

/// What may be done in games.
///
/// Stored and read back; there is no Game Center on Linux.
public struct GameCenterSettings: ManagedSettingsGroup, Sendable {
    /// No friends shall be added.
    public var denyAddingFriends: Bool?
    public static let denyAddingFriends = SettingMetadata<Bool>(defaultValue: false)

    /// No games with others.
    public var denyMultiplayerGaming: Bool?
    public static let denyMultiplayerGaming = SettingMetadata<Bool>(defaultValue: false)

    init() {}
}

extension GameCenterSettings: StoredGroup {
    mutating func settings<V: SettingVisitor>(_ visitor: inout V) {
        visitor.setting("gameCenter.denyAddingFriends", &denyAddingFriends)
        visitor.setting("gameCenter.denyMultiplayerGaming", &denyMultiplayerGaming)
    }
}
