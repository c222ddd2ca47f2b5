/// Which apps there may be.
///
/// Stored and read back; nothing here hides apps, or keeps them from being installed or removed.
/// ``ShieldSettings/applications`` keeps apps from being used.
public struct ApplicationSettings: ManagedSettingsGroup, Sendable {
    /// Apps that shall not be seen and not start. Named by token or by identifier; each comes back as it was
    /// named.
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
    public static let blockedApplications = SettingMetadata<Set<Application>>(defaultValue: [])

    public var denyAppInstallation: Bool?
    public static let denyAppInstallation = SettingMetadata<Bool>(defaultValue: false)

    public var denyAppRemoval: Bool?
    public static let denyAppRemoval = SettingMetadata<Bool>(defaultValue: false)

    private var blockedByToken: Set<Application>?
    /// Apart from the tokens, so that the program that named them gets names back.
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
