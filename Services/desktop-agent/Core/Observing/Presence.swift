import Bus
import Contract
import ServiceKit

/// Turns what the session tells into observations: who has the focus, and whether anybody is there.
@BusActor final class Presence {
    private let resolver: AppResolver
    private let sender: ObservationSender
    private let tracer: Tracer
    private let pauses: SystemClock
    private var clock = ObservationClock()
    private var focused: Window?
    /// What was told last: nil: nothing yet; some nil: no app.
    private var told: String??
    private var isIdle = false
    private var known: Set<String> = []
    private var trace: TraceContext
    private var alive: SystemClock.Pause?

    /// Apps behind a shield: what has the focus there is not in use.
    private var covered: Set<String> = []

    /// - Parameter pauses: between signs of life.
    init(resolver: AppResolver, sender: ObservationSender, tracer: Tracer, pauses: SystemClock) {
        self.pauses = pauses
        self.resolver = resolver
        self.sender = sender
        self.tracer = tracer
        trace = .root()
    }

    /// The app of a window; nil when it cannot be named.
    func app(of window: Window) -> AppIdentity? { resolver.app(of: window) }

    /// Desktop files came, went or changed: what has the focus may have another name now.
    func appsChanged() {
        known = []
        if told != nil { tellFocus() }
    }

    func focusChanged(_ window: Window?) {
        focused = window
        tellFocus()
    }

    func idle() {
        isIdle = true
        tell(.idle)
    }

    func resumed() {
        isIdle = false
        tell(.active)
    }

    /// What `app` shows is hidden behind a shield, or no longer.
    func setCovered(_ app: String, _ isCovered: Bool) {
        if isCovered { covered.insert(app) } else { covered.remove(app) }
        if told != nil { tellFocus() }
    }

    /// A predecessor's end, which it could not tell itself.
    func tellDeath(_ note: DeathNote) { sender.add(note.observation, trace: trace) }

    /// The last word: from now on nobody watches.
    func end() {
        if told != nil { sender.add(clock.stamp(.sensorLost), trace: trace) }
        told = nil
        armAlive()
    }

    private func tellFocus() {
        let identity = focused.flatMap { app(of: $0) }
        let id = focused.map { _ in Self.name(identity) }
        let shown = id.flatMap { covered.contains($0) ? nil : $0 }
        if case .some(let last) = told, last == shown { return }
        told = .some(shown)
        let span = tracer.start("focus", .internal, parent: nil)
        trace = span.context
        var observation = clock.stamp(.focus)
        observation.app = shown
        if let shown, let identity, known.insert(shown).inserted {
            observation.appName = String(identity.name.prefix(100))
            observation.appCategories = Array(identity.categories.prefix(32))
        }
        sender.add(observation, trace: trace)
        tracer.end(span, subject: shown ?? "none")
        armAlive()
    }

    private func tell(_ kind: ObservationKind) {
        let span = tracer.start(kind.rawValue, .internal, parent: nil)
        trace = span.context
        sender.add(clock.stamp(kind), trace: trace)
        tracer.end(span)
        armAlive()
    }

    private static func name(_ identity: AppIdentity?) -> String {
        guard let id = identity?.id, id.utf8.count <= Limits.nameBytesMax else { return "unknown" }
        return id
    }

    /// Signs of life only while somebody is there and an app has the focus: else nothing wakes us.
    private func armAlive() {
        if let alive { pauses.cancel(alive) }
        alive = nil
        guard !isIdle, case .some(.some) = told else { return }
        alive = pauses.after(milliseconds: AgentLimits.alive_ms) { [weak self] in
            guard let self else { return }
            sender.add(clock.stamp(.alive), trace: trace)
            armAlive()
        }
    }
}
