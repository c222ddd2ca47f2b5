/// Restrictions on mobile data.
///
/// Stored and read back. Nothing on Linux manages cellular plans.
public struct CellularSettings: ManagedSettingsGroup, Sendable {
    /// The choice of apps that may use mobile data must not be changed.
    public var lockAppCellularData: Bool?
    /// False by default.
    public static let lockAppCellularData = SettingMetadata<Bool>(defaultValue: false)

    /// The cellular plan must not be changed.
    public var lockCellularPlan: Bool?
    /// False by default.
    public static let lockCellularPlan = SettingMetadata<Bool>(defaultValue: false)

    /// eSIMs must not be added or removed.
    public var lockESIM: Bool?
    /// False by default.
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

/// Restrictions on games.
///
/// Stored and read back. There is no Game Center on Linux.
public struct GameCenterSettings: ManagedSettingsGroup, Sendable {
    /// Friends must not be added.
    public var denyAddingFriends: Bool?
    /// False by default.
    public static let denyAddingFriends = SettingMetadata<Bool>(defaultValue: false)

    /// Multiplayer games must be disabled.
    public var denyMultiplayerGaming: Bool?
    /// False by default.
    public static let denyMultiplayerGaming = SettingMetadata<Bool>(defaultValue: false)

    init() {}
}

extension GameCenterSettings: StoredGroup {
    mutating func settings<V: SettingVisitor>(_ visitor: inout V) {
        visitor.setting("gameCenter.denyAddingFriends", &denyAddingFriends)
        visitor.setting("gameCenter.denyMultiplayerGaming", &denyMultiplayerGaming)
    }
}
