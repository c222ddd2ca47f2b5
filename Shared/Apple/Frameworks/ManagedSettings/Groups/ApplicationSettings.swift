/// Restrictions on installing, removing and opening apps.
///
/// Blocked apps are covered as soon as they open a window. Installation and removal are the system
/// administrator's: these settings are stored and read back.
public struct ApplicationSettings: ManagedSettingsGroup, Sendable {
    /// Apps that must not be used. Each is listed by token or by identifier and reads back in the same form;
    /// only tokens have an effect.
    public var blockedApplications: Set<Application>? {
        get {
            guard blockedByToken != nil || blockedByName != nil else { return nil }
            return (blockedByToken ?? []).union(blockedByName ?? [])
        }
        set {
            blockedByToken = newValue.map { $0.filter { $0.token != nil } }
            blockedByName = newValue.map { $0.filter { $0.token == nil } }
        }
    }
    /// Empty by default: no app is blocked.
    public static let blockedApplications = SettingMetadata<Set<Application>>(defaultValue: [])

    /// Apps must not be installed. Not enforced on Linux.
    public var denyAppInstallation: Bool?
    /// False by default.
    public static let denyAppInstallation = SettingMetadata<Bool>(defaultValue: false)

    /// Apps must not be removed. Not enforced on Linux.
    public var denyAppRemoval: Bool?
    /// False by default.
    public static let denyAppRemoval = SettingMetadata<Bool>(defaultValue: false)

    private var blockedByToken: Set<Application>?
    /// Kept apart from the tokens, so that the program that wrote identifiers reads identifiers.
    private var blockedByName: Set<Application>?

    init() {}
}

extension ApplicationSettings: StoredGroup {
    mutating func settings<V: SettingVisitor>(_ visitor: inout V) {
        visitor.setting("application.blockedApplications", &blockedByToken)
        visitor.setting("application.blockedApplicationsByName", &blockedByName)
        visitor.setting("application.denyAppInstallation", &denyAppInstallation)
        visitor.setting("application.denyAppRemoval", &denyAppRemoval)
    }
}
