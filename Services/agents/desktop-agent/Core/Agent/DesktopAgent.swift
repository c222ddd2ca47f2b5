import Bus
package import Contract
import Glibc
package import Loop
package import ServiceKit
import Units

/// The agent of one X11 session: reports focus and presence, and freezes shielded apps. It owns no state;
/// shield-service and its guard know what it froze.
@LoopActor package final class DesktopAgent {
    private let configuration: Configuration
    private let options: AgentOptions
    private let log: Log
    private let lock: AgentLock
    private let signals: SignalDescriptor
    private let tracer = Tracer(service: AgentName.desktopAgent)
    private let clock: SystemClock
    private let endpoint: AgentEndpoint
    private let guardSocket: GuardSocket
    private let activity: RequestClient
    private let shield: RequestClient
    private let covers: Covers
    private lazy var opener = makeOpener()
    private let boundaries: Boundaries
    private let sender: ObservationSender
    private let record: FreezeRecord
    private var desktop: Desktop?
    private var forks: Reactor.Token?
    /// Processes that a predecessor had frozen, by app.
    private var released: [String: Set<ProcessIdentity>] = [:]
    private var isStopping = false
    /// When the session is asked again whether no window has the focus.
    private var settlingTimer: TimerToken?

    /// Everything that depends on the open display.
    private struct Desktop {
        var session: X11Session
        var tree: ProcessTree
        var presence: Presence
        var protection: ProtectionSource
        var keeper: ShieldKeeper
        var follower: ShieldFollower
        var apps: AppWatch
        /// Nil under a virtual clock: banners count real seconds.
        var warnings: LimitWarnings?
        /// Nil without warnings, or without a session bus.
        var tray: TrayIcon?
        var watch: SessionWatch
        var enforcement: Enforcement
        var token: Reactor.Token
    }

    /// Takes the lock and opens the endpoints; `start` opens the display.
    /// - Throws: `alreadyExists` if an agent runs here, and errors of the directories.
    package init(_ configuration: Configuration, _ options: AgentOptions) throws(ServiceError) {
        self.configuration = configuration
        self.options = options
        let runtime = configuration.runtime
        // Before any thread starts, so that all inherit the mask.
        signals = try SignalDescriptor([SIGTERM, SIGINT])
        try configuration.prepareDirectories(of: nil)
        log = try Log(
            name: AgentName.desktopAgent, directory: configuration.logDirectory,
            level: configuration.logLevel)
        lock = try AgentLock(configuration)
        clock = try SystemClock(of: configuration.stateDirectory)
        // For the processes that this one starts.
        setenv("DISPLAY", options.display, 1)
        let host = Self.hostName()
        do throws(SocketError) {
            endpoint = try AgentEndpoint(
                runtime, tracer: tracer, log: log, clock: clock,
                stateDirectory: configuration.stateDirectory)
            activity = try RequestClient(to: .activity, in: runtime, tracer: tracer)
            shield = try RequestClient(to: .shield, in: runtime, tracer: tracer)
        } catch {
            throw ServiceError(
                .unavailable, error.message, remedy: "Raise the limit of open files (ulimit -n).")
        }
        covers = Covers(CoverStarter(runtime, log: log), log: log) { [tracer] in
            // Without a descriptor for it, it is tried again after a pause.
            try? RequestClient(toNamed: AgentName.shieldCover, in: runtime, tracer: tracer)
        }
        boundaries = Boundaries { [covers] in covers.prepare() }
        sender = ObservationSender(activity, device: host, log: log)
        record = FreezeRecord(shield, host: host, display: options.display)
        // Last: a guard that is not dismissed takes the agent for dead.
        guardSocket = try GuardSocket(log: log)
    }

    /// Thaws what a predecessor left frozen, opens the display and prints READY. Returns immediately.
    package func start() {
        // Keeps this object alive as long as the process runs.
        signals.watch { [self] _ in stop(becauseOf: nil) }
        Task { @LoopActor in
            await self.recover(within: AgentLimits.recovery)
            Task { @LoopActor in
                do throws(ServiceError) { try await self.open() } catch { self.stop(becauseOf: error) }
            }
            // shield-service may come later than this agent. Until then nothing is frozen, and what an
            // earlier agent left frozen may keep the display from opening.
            while !self.record.isRecovered, !self.isStopping {
                await EventLoop.main.sleep(AgentLimits.pause)
                await self.recover(within: AgentLimits.answer)
            }
        }
    }

    // MARK: starting

    /// Before the display: opening it blocks while a frozen app holds it.
    private func recover(within limit: Milliseconds) async {
        do throws(ServiceError) {
            try await record.recover(within: limit)
            let recovery = record.recovery
            released = recovery.thawed
            // It would end by itself, as the agent that started it has ended.
            for canary in released.removeValue(forKey: CanaryApp.id) ?? [] {
                _ = ProcessHandle.send(SIGKILL, to: canary)
            }
            desktop?.keeper.adopt(released)
            for (app, processes) in recovery.refused where !processes.isEmpty {
                log.error(
                    "what an earlier agent froze could not be thawed",
                    [("app", .text(app)), ("processes", .number(Int64(processes.count)))])
            }
            for (app, error) in recovery.uncleared {
                log.error(
                    "the record of what an earlier agent froze cannot be cleared",
                    [("app", .text(app)), ("reason", .text(error.message))])
            }
            let count = released.values.reduce(0) { $0 + $1.count }
            guard count > 0 else { return }
            log.warning("thawed what an earlier agent left", [("processes", .number(Int64(count)))])
        } catch {
            log.warnOnce(
                "recovery", "what an earlier agent froze is not known yet",
                [("error", .text(error.name.rawValue))])
        }
    }

    /// While another client holds the display, this loop goes on.
    private func openSession() async throws(ServiceError) -> X11Session {
        let display = options.display
        let opened = await EventLoop.main.onOwnThread { () -> Result<X11Session.Opened, DisplayError> in
            do throws(DisplayError) { return .success(try X11Session.open(display: display)) } catch {
                return .failure(error)
            }
        }
        do throws(DisplayError) {
            return try X11Session(try opened.get(), idleThreshold: options.idleThreshold)
        } catch {
            throw ServiceError(
                .unavailable, error.description, remedy: "Wayland sessions are not watched yet.")
        }
    }

    private func open() async throws(ServiceError) {
        guard !isStopping else { return }
        let waiting = EventLoop.main.after(AgentLimits.pause) { [weak self] in self?.report() }
        let session = try await openSession()
        EventLoop.main.cancel(waiting)
        guard !isStopping else { return }
        let tree = ProcessTree()
        let resolver = AppResolver()
        let presence = Presence(
            resolver: resolver, sender: sender, tracer: tracer, pauses: clock,
            idleThreshold: options.idleThreshold)
        let protection = ProtectionSource(
            session, runtime: configuration.runtime, sessionBusAddress: options.sessionBus)
        let keeper = ShieldKeeper(
            session, tree: tree, presence: presence, record: record, protection: protection,
            guardSocket: guardSocket, covers: covers, released: released, member: Household.defaultMember,
            tracer: tracer, log: log)
        connect(covers, session, keeper)
        presence.onStart = { [covers] in covers.prepare() }
        await covers.adopt()
        guard !isStopping else { return }
        let reporter = AppReporter(activity, device: Self.hostName(), log: log)
        let follower = ShieldFollower(
            shield, in: configuration.runtime, member: Household.defaultMember, log: log, reporter: reporter,
            apps: { keeper.present.union(resolver.installed.map(\.judgedName)) }
        ) { [weak self] judgements, traces in
            keeper.apply(judgements, traces)
            self?.expect(.exceptionEnd, judgements.untilExceptionEnd)
            self?.drainSoon()
        }
        keeper.onUnjudged = { [weak follower] in follower?.judgeNewApps() }
        let apps = AppWatch(resolver, reporter) { [weak self] in
            presence.appsChanged()
            keeper.appsChanged()
            self?.desktop?.follower.refresh()
            self?.drainSoon()
        }
        keeper.onDisplayAsked = { [weak self] in self?.drainSoon() }
        presence.onCompared = { [weak self] in
            keeper.appsChanged()
            self?.drainSoon()
        }
        let token = Reactor.shared.watch(descriptor: session.fileDescriptor) { [weak self] in
            self?.drain()
        }
        desktop = Desktop(
            session: session, tree: tree, presence: presence, protection: protection, keeper: keeper,
            follower: follower, apps: apps, warnings: makeWarnings(session, presence, keeper),
            watch: SessionWatch(options, presence, sender, log),
            enforcement: makeEnforcement(session, presence, keeper), token: token)
        reportPredecessorsDeath(presence)
        watchForks(tree)
        drain()
        apps.start()
        follower.refresh()
        desktop?.watch.start()
        startWarnings(presence, keeper, resolver)
        desktop?.enforcement.start { [clock] in clock.now }
        becomeReady()
    }

    private func expect(_ kind: Boundaries.Kind, _ pause: Milliseconds?) {
        // A virtual clock's durations are not the machine's.
        guard !clock.isVirtual else { return }
        boundaries.expect(kind, in: pause) { [weak self] in
            // shield-service tells it, too, unless its disk is full.
            if kind == .exceptionEnd { self?.desktop?.follower.refresh() }
        }
    }

    private func makeWarnings(
        _ session: X11Session, _ presence: Presence, _ keeper: ShieldKeeper
    ) -> LimitWarnings? {
        guard !clock.isVirtual else { return nil }
        let warnings = LimitWarnings(
            covers, presence, activity, in: configuration.runtime, log: log,
            focused: { session.focusedWindow }, category: { keeper.category(of: $0) })
        endpoint.isWarningShown = { [weak warnings] key, end in
            if let warnings { warnings.isShown(key, end) } else { end(false) }
        }
        return warnings
    }

    /// The icon of the tray hears of limits with them.
    private func startWarnings(_ presence: Presence, _ keeper: ShieldKeeper, _ resolver: AppResolver) {
        guard let warnings = desktop?.warnings else { return }
        desktop?.tray = TrayIcon.make(
            options, warnings, presence, activity, in: configuration.runtime, tracer: tracer, log: log,
            opener: opener, category: { keeper.category(of: $0) }, appName: { resolver.name(of: $0) })
        warnings.start()
        desktop?.tray?.start()
    }

    private func makeOpener() -> ConsoleOpener {
        let words = TrayWords.chosen(by: Configuration.processEnvironment)
        return ConsoleOpener(log: log) { [notice] in
            notice.post("console", title: words.notOpened, words.whyNotOpened)
        }
    }

    private var notice: Notice {
        Notice(log: log) { [runtime = configuration.runtime, tracer] () throws(SocketError) in
            try RequestClient(to: .notifier, in: runtime, tracer: tracer)
        }
    }

    private func makeEnforcement(
        _ session: X11Session, _ presence: Presence, _ keeper: ShieldKeeper
    ) -> Enforcement {
        let isOnRequest = clock.isVirtual || options.enforcementInterval == 0
        let enforcement = Enforcement(
            DesktopStage(session, keeper, covers, presence.canary, shield, member: Household.defaultMember),
            presence, keeper, shield, agent: record.agent, in: configuration.runtime, tracer: tracer,
            log: log, interval: isOnRequest ? nil : options.enforcementInterval)
        endpoint.check = { [weak enforcement] trace in
            await enforcement?.check(trace: trace) ?? EnforcementCheck.Result()
        }
        return enforcement
    }

    private func connect(_ covers: Covers, _ session: X11Session, _ keeper: ShieldKeeper) {
        sender.onAnswer = { [weak self] in self?.expect(.callback, $0) }
        covers.isDisplayAnswering = { [weak self] in
            defer { self?.drainSoon() }
            return session.roundTrip(timeout: AgentLimits.display)
        }
        let controlling = ControllingApp(shield: shield, log: log, notice: notice)
        covers.onPress = { press in
            switch press.response {
            case .close: keeper.close(press.cover, trace: TraceContext(press.traceparent))
            case .openParentalControlsApp: controlling.open(press)
            case .none, .defer: break
            }
        }
    }

    /// Whoever queries the tree reads the reports first; until then they wait. Only too many wake the agent.
    private func watchForks(_ tree: ProcessTree) {
        guard let descriptor = tree.overflowDescriptor else { return }
        forks = Reactor.shared.watch(descriptor: descriptor, readable: false) { tree.drain() }
    }

    private func reportPredecessorsDeath(_ presence: Presence) {
        let notePath = GuardProcess.notePath(in: configuration.runtime)
        guard let text = ProcFile.text(notePath) else { return }
        if let note = DeathRecord(text: text) { presence.reportDeath(note) }
        unlink(notePath)
    }

    private func becomeReady() {
        endpoint.clockState = { [weak self] in self?.clockState() ?? ClockState() }
        report()
        log.info("ready", [("display", .text(options.display))])
        print("READY \(AgentName.desktopAgent)")
        fflush(nil)
    }

    private func report() {
        endpoint.openPage = { [opener] page throws(ServiceError) in try opener.open(path: page) }
        endpoint.report = { [weak self] in
            guard let self else { return AgentReport() }
            return AgentReport(problems(), waiting: sender.count, counters())
        }
    }

    private func problems() -> (dead: [String], others: [String]) {
        guard let desktop else {
            return (["the display \(options.display) does not answer: nothing is measured or frozen"], [])
        }
        let ours = [sender.problem, desktop.follower.problem, desktop.tree.lineageProblem]
        let guardProblem = guardSocket.pid == nil ? ["the guard is being started again"] : []
        let shielded = desktop.keeper.problems
        let dead = shielded.runningOn + [desktop.enforcement.problem].compactMap(\.self)
        let others = ours.compactMap(\.self) + guardProblem + desktop.protection.problems
        return (dead, others + shielded.parts)
    }

    private func counters() -> [Counter] {
        guard let desktop else { return [] }
        let continued = Counter(name: "stopped_again", count: Int64(desktop.keeper.continuedCount))
        let forks = Counter(name: "forks_reported", count: desktop.tree.lineageProblem == nil ? 1 : 0)
        let tray = Counter(name: "tray_host", count: desktop.tray?.hasHost == true ? 1 : 0)
        return desktop.watch.counters + [continued, forks, tray]
    }

    private func clockState() -> ClockState {
        let clients = [activity, shield]
        var open = clients.filter { $0.openCount > 0 }.map {
            "\($0.openCount) of its requests to \($0.peer) have no answer yet"
        }
        if sender.count > 0 { open.append("\(sender.count) observations wait for activity-center") }
        return ClockState(
            follows: [desktop?.follower.followed].compactMap(\.self),
            sent: clients.reduce(0) { $0 + $1.sentCount }, open: open)
    }

    // MARK: the session

    private func drain() {
        guard let desktop, !isStopping else { return }
        for event in desktop.session.drain() {
            switch event {
            case .focus(let window): desktop.presence.focusChanged(window)
            case .idle: desktop.presence.idle()
            case .resumed: desktop.presence.resumed()
            case .windowMapped(let window):
                desktop.keeper.windowMapped(window)
                drainSoon()
            case .hintsChanged(let window):
                desktop.keeper.hintsChanged(window)
                drainSoon()
            case .windowClosed(let window): desktop.keeper.windowClosed(window)
            case .windowManagerChanged:
                desktop.protection.windowManagerChanged()
                desktop.enforcement.desktopChanged()
                drainSoon()
            case .displayLost:
                return stop(
                    becauseOf: ServiceError(
                        .unavailable, "the display \(options.display) is gone",
                        remedy: "Start the agent in the next session."))
            }
        }
        if let settlingTimer { EventLoop.main.cancel(settlingTimer) }
        settlingTimer = desktop.session.settling.map { left in
            EventLoop.main.after(left) { [weak self] in self?.drain() }
        }
    }

    /// Requests to the server may queue events that poll does not see.
    private func drainSoon() {
        EventLoop.main.after(0) { [weak self] in self?.drain() }
    }

    // MARK: stopping

    /// In this order: thaw everything, report the end of the sensor, dismiss the guard.
    private func stop(becauseOf error: ServiceError?) {
        guard !isStopping else { return }
        isStopping = true
        log.info("stopping")
        for token in [desktop?.token, forks].compactMap(\.self) { Reactor.shared.forget(token) }
        desktop?.follower.close()
        desktop?.apps.close()
        desktop?.tray?.close()
        desktop?.warnings?.close()
        desktop?.watch.close()
        desktop?.enforcement.close()
        let thawed = desktop?.keeper.close() ?? []
        boundaries.close()
        covers.close()
        desktop?.presence.end()
        Task { @LoopActor in
            await self.handOver(thawed)
            self.guardSocket.end()
            self.sender.close()
            self.activity.close()
            self.shield.close()
            self.endpoint.close()
            self.lock.markReleased()
            self.log.info("stopped")
            if let error { ServiceMain.fail(AgentName.desktopAgent, error) }
            EventLoop.main.stop()
        }
    }

    /// Delivers the last reports to their owners, within the time limit of stopping.
    private func handOver(_ thawed: [ShieldedApp]) async {
        let records = thawed.map { app in
            Task { @LoopActor in
                // If the owner is unavailable, the next agent clears the record.
                try? await self.record.set(app, [], trace: app.trace, within: AgentLimits.stop)
            }
        }
        await withCheckedContinuation { done in
            sender.whenEmpty(within: AgentLimits.stop) { done.resume() }
        }
        for record in records { await record.value }
    }

    static func hostName() -> String {
        var name = [CChar](repeating: 0, count: 128)
        let isKnown = gethostname(&name, name.count - 1) == 0
        let text = String(decoding: name.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }, as: UTF8.self)
        return isKnown && !text.isEmpty ? text : "localhost"
    }
}
