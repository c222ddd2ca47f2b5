import Bus
import Contract
import Loop
import ServiceKit

extension TrayIcon {
    /// The agent's icon, connected with what it knows of the session. Nil without a session bus.
    /// - Parameters:
    ///   - warnings: hear of changed limits and of another app in use.
    ///   - client: to activity-center.
    ///   - category: the category that an app was judged by.
    ///   - appName: the name of an app with a desktop entry.
    static func make(
        _ options: AgentOptions, _ warnings: LimitWarnings, _ presence: Presence, _ client: RequestClient,
        in runtime: RuntimeDirectory, tracer: Tracer, log: Log, opener: ConsoleOpener,
        category: @escaping @LoopActor (AppIdentity) -> String?,
        appName: @escaping @LoopActor (String) -> String?
    ) -> TrayIcon? {
        guard let address = options.sessionBus else { return nil }
        let sources = Sources(
            use: {
                presence.inUse.map {
                    TimeLeft.Use(app: $0.judgedName, name: $0.name, category: category($0))
                }
            }, appName: appName,
            read: { end in
                // While no service answers, the time runs on as far as it is known.
                PresentLimits.read(client) { result in
                    if case .success(let present) = result { end(present.limits) } else { end(nil) }
                }
            },
            followRequests: { tell in
                // Without a descriptor for it, none are counted until the next host.
                guard let auth = try? RequestClient(to: .auth, in: runtime, tracer: tracer) else { return {} }
                let pending = PendingRequests(auth, in: runtime, log: log, tell: tell)
                pending.start()
                return { pending.close() }
            }, open: { opener.open($0) })
        let tray = TrayIcon(
            address: address, member: Household.defaultMember, environment: Configuration.processEnvironment,
            sources)
        warnings.onUse = { [weak tray] in tray?.useChanged() }
        warnings.onLimits = { [weak tray] in tray?.limitsChanged($0?.limits) }
        return tray
    }
}
