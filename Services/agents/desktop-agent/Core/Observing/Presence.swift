import Bus
import Contract
import Loop
import ServiceKit
import Units

/// Converts session events to observations: the focused app, and whether the person is present.
@LoopActor final class Presence {
    private let resolver: AppResolver
    private let sender: ObservationSender
    private let tracer: Tracer
    private let pauses: SystemClock
    private var clock = ObservationClock()
    private var focused: Window?
    /// The last reported focus: nil if none yet; some nil for no app.
    private var reported: String??
    private var known: Set<String> = []
    private var isComparing = false
    private var trace: TraceContext
    private var alive: SystemClock.Pause?
    private let heartbeatTimer = BootTimer()
    /// Programs that play media, in the foreground or not.
    private var playing: [Playing] = []
    private let idleThreshold: Milliseconds
    private(set) lazy var attendance = Attendance(idleThreshold: idleThreshold) { [unowned self] in
        report($0)
    }
    /// Called when the person switches apps or returns to the machine.
    var onSomebody: (@LoopActor () -> Void)?
    /// Called when another app is in use, or none.
    var onUse: (@LoopActor () -> Void)?
    /// Called when the person stops giving input, or locks the session.
    var onAway: (@LoopActor () -> Void)?
    /// Called when a program of a shielded app is started.
    var onStart: (@LoopActor () -> Void)?
    private lazy var starts = StartWatch { [weak self] in self?.onStart?() }
    /// Called when a comparison of programs may have changed the app of a window.
    var onCompared: (@LoopActor () -> Void)?

    /// A program that plays media.
    struct Playing: Equatable {
        var pid: Int32
        /// Its own name; empty if unknown.
        var name: String
    }

    /// Shielded apps: a focused one is not in use.
    private var covered: Set<String> = []

    /// - Parameters:
    ///   - pauses: timers of heartbeats.
    ///   - idleThreshold: time without input, after foreground media ended, that counts as idle.
    init(
        resolver: AppResolver, sender: ObservationSender, tracer: Tracer, pauses: SystemClock,
        idleThreshold: Milliseconds
    ) {
        self.pauses = pauses
        self.resolver = resolver
        self.sender = sender
        self.tracer = tracer
        self.idleThreshold = idleThreshold
        trace = .root()
    }

    private let coverPath = DetachedProcess.path(of: AgentName.shieldCover)

    /// Whether it is a cover: no window of an app.
    private func isCover(_ window: Window) -> Bool {
        window.pid.flatMap { ProcessFacts.executablePath($0) } == coverPath
    }

    /// The program that is shielded to see whether shields act, while it runs.
    let canary = Canary()

    /// The app of a window; nil if unknown, or if it is a cover.
    func app(of window: Window) -> AppIdentity? {
        guard !isCover(window) else { return nil }
        if canary.owns(window) { return .canary }
        defer { compareSoon() }
        return resolver.app(of: window)
    }

    /// Desktop files changed, so the focused window may belong to another app.
    func appsChanged() {
        known = []
        if reported != nil { reportFocus() }
    }

    /// The shielded apps changed; their programs are recognised under other names, too.
    func setShielded(_ judgements: ShieldJudgements) {
        let isNew = resolver.setShielded(programs: judgements.programs) {
            judgements.shield(of: $0) != nil
        }
        if isNew { appsChanged() }
        let programs = resolver.shieldedPrograms.sorted().lazy.compactMap { StartWatch.path(of: $0) }
        starts.set(Set(programs.prefix(StartWatch.programsMax)))
    }

    /// Compares pending programs, one piece at a time.
    private func compareSoon() {
        guard resolver.isComparing, !isComparing else { return }
        isComparing = true
        EventLoop.main.after(0) { [weak self] in
            guard let self else { return }
            isComparing = false
            if resolver.compare() {
                appsChanged()
                onCompared?()
            }
            compareSoon()
        }
    }

    func focusChanged(_ window: Window?) {
        // Whoever looks at a cover uses no app.
        focused = window.flatMap { isCover($0) || canary.owns($0) ? nil : $0 }
        reportFocus()
        onSomebody?()
        attendance.setPlaying(playsInForeground)
    }

    func idle() {
        attendance.inputStopped()
        guard !attendance.isIdle else { return }
        tracer.end(tracer.start("idle held back", .internal, parent: nil))
    }

    func resumed() {
        attendance.inputCame()
        onSomebody?()
    }

    /// Sets the programs that play media, in the foreground or not.
    func setPlaying(_ programs: [Playing]) {
        playing = programs
        attendance.setPlaying(playsInForeground)
    }

    /// Whether one of them is the foreground app, or belongs to it.
    private var playsInForeground: Bool {
        guard let focused, !playing.isEmpty else { return false }
        let front = app(of: focused)
        return playing.contains { program in
            if focused.pid.map({ ProcessFacts.is(program.pid, of: $0) }) == true { return true }
            guard let front else { return false }
            let names = [front.id, front.name].map { $0.lowercased() }
            return names.contains(program.name.lowercased())
                || resolver.app(ofProcess: program.pid)?.id == front.id
        }
    }

    /// Sets whether a shield hides `app`.
    func setCovered(_ app: String, _ isCovered: Bool) {
        if isCovered { covered.insert(app) } else { covered.remove(app) }
        if reported != nil { reportFocus() }
    }

    /// Reports a predecessor's end.
    func reportDeath(_ note: DeathRecord) { sender.add(note.observation, trace: trace) }

    /// Reports the end of the sensor.
    func end() {
        if reported != nil { sender.add(clock.stamp(.sensorLost), trace: trace) }
        starts.close()
        onSomebody = nil
        onAway = nil
        onStart = nil
        onUse = nil
        onCompared = nil
        reported = nil
        armHeartbeat()
    }

    private func reportFocus() {
        let identity = focused.flatMap { app(of: $0) }
        let id = focused.map { _ in Self.name(identity) }
        let shown = id.flatMap { covered.contains($0) ? nil : $0 }
        if case .some(let last) = reported, last == shown { return }
        let span = tracer.start("focus", .internal, parent: nil)
        trace = span.context
        // Only the silence of a sensor that has sent a heartbeat ends use.
        if reported == nil { sender.add(stampAwake(.alive), trace: trace) }
        reported = .some(shown)
        var observation = stampAwake(.focus)
        observation.app = shown
        if let shown, let identity, known.insert(shown).inserted {
            observation.appName = String(identity.name.prefix(100))
            observation.appCategories = Array(identity.categories.prefix(32))
        }
        sender.add(observation, trace: trace)
        tracer.end(span, subject: shown ?? "none")
        armHeartbeat()
        onUse?()
    }

    /// The app in use; nil if none is, or nobody is there.
    var inUse: AppIdentity? {
        guard attendance.isThere, let identity = focused.flatMap({ app(of: $0) }),
            !covered.contains(Self.name(identity))
        else { return nil }
        return identity
    }

    private func report(_ kind: ObservationKind) {
        let span = tracer.start(kind.rawValue, .internal, parent: nil)
        trace = span.context
        // Announced sleep has its own observation.
        if kind == .resume { clock.isAwake() }
        sender.add(stampAwake(kind), trace: trace)
        tracer.end(span)
        armHeartbeat()
        onUse?()
        if kind == .idle || kind == .locked { onAway?() }
    }

    /// Stamps the present. Unannounced sleep is reported first: use before it ended at the last heartbeat.
    /// The machine may also fall asleep during this call.
    private func stampAwake(_ kind: ObservationKind) -> Observation {
        while true {
            if !attendance.isAsleep, clock.hasSlept() { sender.add(clock.stamp(.resume), trace: trace) }
            let observation = clock.stamp(kind)
            if attendance.isAsleep || !clock.sleptMeanwhile { return observation }
        }
    }

    private static func name(_ identity: AppIdentity?) -> String {
        guard let id = identity?.id, id.utf8.count <= Limits.nameBytesMax else { return "unknown" }
        return id
    }

    /// Heartbeats are sent only while the person is present and an app has the focus, so nothing wakes the
    /// agent otherwise. The interval includes sleep, so the first heartbeat comes when the machine wakes.
    private func armHeartbeat() {
        if let alive { pauses.cancel(alive) }
        alive = nil
        heartbeatTimer.cancel()
        guard attendance.isThere, case .some(.some) = reported else { return }
        if pauses.isVirtual {
            alive = pauses.after(AgentLimits.heartbeat) { [weak self] in self?.sendHeartbeat() }
        } else {
            heartbeatTimer.set(milliseconds: AgentLimits.heartbeat) { [weak self] in self?.sendHeartbeat() }
        }
    }

    private func sendHeartbeat() {
        sender.add(stampAwake(.alive), trace: trace)
        armHeartbeat()
    }
}
