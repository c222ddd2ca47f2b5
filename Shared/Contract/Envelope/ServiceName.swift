internal import JSON

/// The services that own state. The raw value is the name of the executable, its sockets, its log and its
/// state directory.
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

/// Agents: processes that own no state, but answer `health.check` and `trace.read` on `<name>.requests` as
/// services do, and some of them methods of their own (``AgentMethod``).
package enum AgentName {
    /// The agent of a desktop session.
    package static let desktopAgent = "desktop-agent"
    /// Draws the covers of shielded apps.
    package static let shieldCover = "shield-cover"
    /// Serves the page that people use, and signs in its browsers.
    package static let console = "console"
}

/// File names of the programs of the system that people and services start. Extension programs are not
/// listed; they belong to their host.
package enum ProgramName {
    /// The helper of the desktop-agent that thaws frozen processes when the agent dies.
    package static let desktopGuard = "desktop-guard"
    /// What the desktop-agent shields to see whether shields act.
    package static let desktopCanary = "desktop-canary"

    /// All programs except the commands of apps, which have manifests.
    package static let all = Set(
        ServiceName.startOrder.map(\.rawValue) + [
            AgentName.desktopAgent, desktopGuard, desktopCanary, AgentName.shieldCover, AgentName.console,
            "screentime", "app-link", "extension-launcher",
        ])
}

/// The app that the desktop-agent shields to see whether shields act. The agent recognises it by the process
/// that it started; no other app has this id.
package enum CanaryApp {
    /// App id.
    package static let id = BuiltInClient.prefix + "canary"
    /// Name of the store of ``BuiltInClient/limits`` that shields it during a check.
    package static let store = "canary"
}

/// Clients that are part of the system.
package enum BuiltInClient {
    /// Owner of everything the person sets on the command line. It speaks as the person, so it needs no
    /// authorization, and no other program can claim it.
    package static let limits = prefix + "limits"

    /// Prefix of the bundle ids of built-in apps.
    package static let prefix = "org.screentime."

    /// Whether an app group belongs to a built-in app. No other app may have such a name.
    package static func owns(group: String) -> Bool { group.hasPrefix("group." + prefix) }
}
