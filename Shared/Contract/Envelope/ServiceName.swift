internal import JSON

/// The services that own state. The raw value names the executable, its sockets, its log and its state.
package enum ServiceName: String, NameEnum {
    case auth = "auth-service"
    case activity = "activity-center"
    case monitor = "monitor-runner"
    case shield = "shield-service"
    case report = "report-service"
    case notifier = "notifier"

    /// The order in which they start; they stop in reverse.
    package static let startOrder: [ServiceName] = [.auth, .activity, .shield, .notifier, .report, .monitor]
}

/// Processes that own no state, but answer `health.check` and `trace.read` on `<name>.requests` like a
/// service.
package enum AgentName {
    package static let desktopAgent = "desktop-agent"
}

/// The programs of the system that people and services start, by the names of their files. Programs of
/// extensions are none: they belong to who runs them.
package enum ProgramName {
    package static let desktopGuard = "desktop-guard"

    /// Without the commands of apps, which have manifests.
    package static let all = Set(
        ServiceName.startOrder.map(\.rawValue) + [
            AgentName.desktopAgent, desktopGuard, "screentime", "app-link", "extension-launcher",
        ])
}

/// Clients that come with the system.
package enum BuiltInClient {
    /// Owner of what the person sets on the command line or the console. It speaks as the person, so it needs
    /// no authorization, and nobody else can claim it.
    package static let limits = prefix + "limits"

    /// Begins the bundle ids of apps of the system.
    package static let prefix = "org.screentime."

    /// Whether an app group is of an app of the system. No other app can have such a name.
    package static func owns(group: String) -> Bool { group.hasPrefix("group." + prefix) }
}
