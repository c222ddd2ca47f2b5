import Bus
import Contract
import Loop
import ServiceKit
import Time

/// The agent's state.
struct AgentReport {
    /// One sentence each; those that mean a limit has no effect come first.
    let problems: [String]
    let notActing: [String]
    /// Number of queued observations.
    let waiting: Int
    let counters: [Counter]

    init(
        _ problems: (dead: [String], others: [String]) = ([], []), waiting: Int = 0,
        _ counters: [Counter] = []
    ) {
        self.problems = problems.dead + problems.others
        notActing = problems.dead
        self.waiting = waiting
        self.counters = counters
    }
}

/// The agent's endpoints: it answers `health.check` and `trace.read` like a service, and publishes its spans
/// on `~trace`.
@LoopActor final class AgentEndpoint {
    private let server: RequestServer
    private var spans: SpanPublisher?
    private let tracer: Tracer
    private let log: Log
    private var counters: [String: Int64] = [:]
    private var state = ServiceState.starting
    private var since = WallTime.now
    /// Nil until the agent is ready.
    var report: (@LoopActor () -> AgentReport)?
    /// Proves that limits act. Nil while the display is not open.
    var check: (@LoopActor (TraceContext?) async -> EnforcementCheck.Result)?
    /// Tells whether the person sees the warning with a key. Nil while warnings are not shown here.
    var isWarningShown: (@LoopActor (String, @escaping @LoopActor (Bool) -> Void) -> Void)?
    /// Opens a page of the console. Nil until the agent is ready.
    var openPage: (@LoopActor (String) throws(ServiceError) -> Void)?
    /// The agent's unfinished work and followed positions, for the virtual clock.
    var clockState: (@LoopActor () -> ClockState)?
    private var clockEndpoint: ClockEndpoint?

    init(
        _ runtime: RuntimeDirectory, tracer: Tracer, log: Log, clock: SystemClock, stateDirectory: String
    ) throws(SocketError) {
        self.tracer = tracer
        self.log = log
        server = try RequestServer(named: AgentName.desktopAgent, in: runtime, tracer: tracer)
        server.onRefusal = { [weak self] reason, detail in self?.refused(reason.rawValue, detail) }
        spans = try SpanPublisher(named: AgentName.desktopAgent, in: runtime, tracer: tracer) {
            [weak self] in self?.refused($0, $1)
        }
        let clockEndpoint = ClockEndpoint(clock, on: .main, stateDirectory: stateDirectory) { [weak self] in
            self?.stateForClock() ?? ClockState()
        }
        clockEndpoint.open(server)
        self.clockEndpoint = clockEndpoint
        server.answer(HealthCheck.self) { [weak self] _, _, reply in
            if let self { reply.succeed(health()) }
        }
        server.answer(EnforcementCheck.self) { [weak self] _, context, reply in
            self?.check(context, reply)
        }
        server.answer(BannerIsShown.self) { [weak self] params, context, reply in
            guard context.client == nil else {
                return reply.fail(
                    ServiceError(
                        .accessDenied, "banner.isShown is for the person, not for apps",
                        remedy: "Use `screentime status`."))
            }
            guard let ask = self?.isWarningShown else {
                return reply.succeed(BannerIsShown.Result(shown: false))
            }
            ask(params.key) { reply.succeed(BannerIsShown.Result(shown: $0)) }
        }
        server.answer(PageOpen.self) { [weak self] params, context, reply in
            self?.open(params.page, context, reply)
        }
        server.answer(TraceRead.self) { params, context, reply in
            guard context.client == nil else {
                return reply.fail(
                    ServiceError(
                        .accessDenied, "trace.read is for the person, not for apps",
                        remedy: "Use `screentime trace`."))
            }
            let limit = max(0, min(params.limit ?? .max, Int64(Limits.spansKeptMax)))
            reply.succeed(
                TraceRead.Result(spans: tracer.spans(traceID: params.traceID, limit: Int(limit))))
        }
    }

    private func open(_ page: String, _ context: RequestContext, _ reply: TypedReply<PageOpen>) {
        guard context.client == nil else {
            return reply.fail(
                ServiceError(
                    .accessDenied, "page.open is for the person, not for apps",
                    remedy: "Use `screentime open`."))
        }
        guard let openPage else {
            return reply.fail(
                ServiceError(
                    .unavailable, "the desktop-agent is starting", remedy: "Ask again in a second."))
        }
        do throws(ServiceError) {
            try openPage(page)
            reply.succeed(Nothing())
        } catch { reply.fail(error) }
    }

    private func check(_ context: RequestContext, _ reply: TypedReply<EnforcementCheck>) {
        guard context.client == nil else {
            return reply.fail(
                ServiceError(
                    .accessDenied, "enforcement.check is for the person, not for apps",
                    remedy: "Use `screentime doctor --enforcement`."))
        }
        guard let check else {
            return reply.fail(
                ServiceError(
                    .unavailable, "the display does not answer yet",
                    remedy: "Ask again when `screentime status` says that the desktop-agent is ready."))
        }
        Task { @LoopActor in reply.succeed(await check(context.trace)) }
    }

    func close() {
        server.close()
        spans?.close()
    }

    private func refused(_ reason: String, _ detail: String) {
        counters[reason, default: 0] += 1
        log.warnOnce(
            reason, "refused a message; later ones are only counted",
            [("reason", .text(reason)), ("detail", .text(detail))])
    }

    private func stateForClock() -> ClockState {
        var state = clockState?() ?? ClockState(open: ["it is starting"])
        state.service = AgentName.desktopAgent
        state.taken = server.takenCount
        let requests = server.unanswered - (clockEndpoint?.openCount ?? 0)
        if requests > 0 { state.open.append("\(requests) requests to it are not answered yet") }
        return state
    }

    private func health() -> HealthCheck.Result {
        let now = report?()
        let next: ServiceState = now.map { $0.problems.isEmpty ? .ready : .degraded } ?? .starting
        if next != state {
            state = next
            since = WallTime.now
        }
        let unanswered = Int64(max(0, server.unanswered - 1))
        let dead = now?.notActing ?? []
        return HealthCheck.Result(
            service: AgentName.desktopAgent, state: state, pid: Int64(Peer.own.pid), since: since,
            version: Version.program, contractVersion: Registry.version,
            queue: Int64(now?.waiting ?? 0) + unanswered, unanswered: unanswered,
            degradedBy: now?.problems ?? [], lastError: log.lastError?.message,
            lastErrorAt: log.lastError?.at,
            counters: (now?.counters ?? [])
                + counters.sorted { $0.key < $1.key }.map { Counter(name: $0.key, count: $0.value) },
            notActing: dead.isEmpty ? nil : dead)
    }
}
