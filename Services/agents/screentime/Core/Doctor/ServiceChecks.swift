import Bus
import Contract
import Loop
import Time
import Units

/// The services, and what they miss.
enum ServiceChecks {
    @LoopActor static func all(_ session: Session) async -> [Finding] {
        let asked = ServiceName.startOrder.map { service in
            (service, Task { @LoopActor in await check(service, session) })
        }
        var findings: [Finding] = []
        for (_, task) in asked { findings += await task.value }
        findings += await agent(await Screentime.agentStatus(session), session)
        findings += await desktop(session)
        if let daemon = await notificationDaemon(session) { findings.append(daemon) }
        return findings
    }

    @LoopActor private static func check(_ service: ServiceName, _ session: Session) async -> [Finding] {
        let name = service.rawValue
        do throws(ServiceError) {
            let health = try await Screentime.health(of: service, session)
            if health.contractVersion != Registry.version {
                return [
                    .error(
                        name,
                        "speaks contract \(health.contractVersion), this command line \(Registry.version)",
                        "Run the same version of all programs.")
                ]
            }
            guard !health.degradedBy.isEmpty else {
                return [.ok(name, "is \(health.state.rawValue), pid \(health.pid), queue \(health.queue)")]
            }
            let dead = health.notActing ?? []
            let lost = health.dataLost ?? []
            let others = health.degradedBy.filter { !dead.contains($0) && !lost.contains($0) }
            let remedy = "See `screentime logs \(name)`."
            return dead.map { .error(name, "does not act: \($0)", remedy) }
                + lost.map { .error(name, $0, "This is said until \(name) starts again.") }
                + others.map { .warning(name, "works without something: \($0)", remedy) }
        } catch {
            let isKnown = session.somebodyListens(at: service) || session.hindrance(to: name) == nil
            return [.error(name, error.message + (isKnown ? "; what it does is not done" : ""), error.remedy)]
        }
    }

    @LoopActor private static func agent(_ agent: ProcessStatus, _ session: Session) async -> [Finding] {
        guard let pid = agent.pid else {
            return [absent(agent.name, await AbsentAgent.found(session), now: WallTime.now)]
        }
        let dead = agent.notActing
        let others = (agent.degradedBy ?? []).filter { !dead.contains($0) }
        guard !(dead + others).isEmpty else { return [.ok(agent.name, "runs with pid \(pid)")] }
        let remedy =
            agent.degradedBy == nil
            ? "See its log; it may be stopped (SIGCONT wakes it), or end it: its guard thaws what is frozen."
            : "See `screentime logs \(agent.name)`."
        return dead.map { .error(agent.name, "does not act, pid \(pid): \($0)", remedy) }
            + others.map { .warning(agent.name, "works without something: \($0)", remedy) }
    }

    static func absent(_ name: String, _ agent: AbsentAgent, now: Instant) -> Finding {
        guard let failure = agent.failure(now: now) else {
            return .warning(
                name, "is not running; nothing is measured or shielded on this desktop", agent.remedy)
        }
        return .error(name, "does not act: \(failure)", agent.remedy)
    }

    /// What the agent receives. If it does not run, only whether it would receive process events.
    @LoopActor private static func desktop(_ session: Session) async -> [Finding] {
        guard session.somebodyListens(at: AgentName.desktopAgent) else {
            return [MachineChecks.processEvents()]
        }
        do throws(ServiceError) {
            let health = try await session.client(named: AgentName.desktopAgent).call(
                HealthCheck.self, Nothing(), options: CallOptions(deadline: 1_000))
            func hasCounted(_ name: String) -> Bool {
                health.counters.contains { $0.name == name && $0.count == 1 }
            }
            // Why it hears of none it says itself.
            let forks = Finding.ok("process events", "the kernel tells the desktop agent of new processes")
            return [login(hasCounted("login_session"))] + (hasCounted("forks_reported") ? [forks] : [])
                + [tray(hasCounted("tray_host"))]
        } catch {
            return [MachineChecks.processEvents()]
        }
    }

    /// Whether the agent hears of lock and sleep.
    private static func login(_ hasSession: Bool) -> Finding {
        hasSession
            ? .ok("logind", "tells of lock and sleep")
            : .warning(
                "logind",
                "has no session of the desktop agent: a lock is not seen, and a sleep only afterwards",
                "Start the agent inside a session of systemd-logind or elogind.")
    }

    /// Whether there is an icon with the time left. A desktop without one lacks nothing else.
    private static func tray(_ hasHost: Bool) -> Finding {
        .ok(
            "tray icon",
            hasHost
                ? "the panel shows the time left"
                : "there is none, since no panel of this session shows such icons (StatusNotifierItem)")
    }

    /// Nil when the notifier is down: that is a finding already.
    @LoopActor private static func notificationDaemon(_ session: Session) async -> Finding? {
        guard session.somebodyListens(at: .notifier) else { return nil }
        do throws(ServiceError) {
            let present = try await session.call(
                NotificationList.self, NotificationList.Params(limit: 1), deadline: 1_000
            ).daemonPresent
            guard !present else { return .ok("notification daemon", "is there") }
            return .warning(
                "notification daemon", "none runs; warnings and questions stay pending until one comes",
                "Run one in the session, for example dunst; questions can be answered in a terminal, too.")
        } catch {
            return nil
        }
    }
}
