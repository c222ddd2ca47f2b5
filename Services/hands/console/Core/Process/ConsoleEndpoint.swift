import Bus
import Contract
import Loop
import ServiceKit
import Time

/// The console on the bus: it answers `console.open`, and `health.check` and `trace.read` like a service.
@LoopActor final class ConsoleEndpoint {
    private let server: RequestServer
    private let tracer: Tracer
    private let log: Log
    private let since = WallTime.now
    private var counters: [String: Int64] = [:]
    /// Why it works only in part, a sentence each.
    var problems: [String] = []

    init(_ transport: any Transport, tracer: Tracer, log: Log) throws(SocketError) {
        self.tracer = tracer
        self.log = log
        server = try RequestServer(named: AgentName.console, in: transport, tracer: tracer)
        server.onRefusal = { [weak self] reason, detail in self?.refused(reason.rawValue, detail) }
    }

    func open(_ front: Front, _ events: EventHub) {
        answer(ConsoleOpen.self) { params, reply in
            do throws(ServiceError) { reply.succeed(try front.invite(to: params.page)) } catch {
                reply.fail(error)
            }
        }
        answer(TraceRead.self) { [tracer] params, reply in
            let limit = max(0, min(params.limit ?? .max, Int64(Limits.spansKeptMax)))
            reply.succeed(
                TraceRead.Result(spans: tracer.spans(traceID: params.traceID, limit: Int(limit))))
        }
        server.answer(HealthCheck.self) { [weak self, weak front, weak events] _, _, reply in
            guard let self, let front, let events else { return }
            reply.succeed(health(front, events))
        }
    }

    func close() { server.close() }

    func refused(_ reason: String, _ detail: String) {
        counters[reason, default: 0] += 1
        log.warnOnce(
            reason, "refused a message or a connection; later ones are only counted",
            [("reason", .text(reason)), ("detail", .text(detail))])
    }

    /// The console is the person's, never an app's.
    private func answer<M: Call>(
        _ method: M.Type, _ handler: @escaping @LoopActor (M.Params, TypedReply<M>) -> Void
    ) {
        server.answer(method) { params, context, reply in
            guard context.client == nil else {
                return reply.fail(
                    ServiceError(
                        .accessDenied, "\(M.name) is for the person, not for apps",
                        remedy: "Let the person open the console with `screentime open`."))
            }
            handler(params, reply)
        }
    }

    private func health(_ front: Front, _ events: EventHub) -> HealthCheck.Result {
        let unanswered = Int64(max(0, server.unanswered - 1))
        var counts = [
            ("sessions", Int64(front.sessionCount)), ("pages", Int64(events.count)),
            ("followed", Int64(events.followedCount)), ("commands", Int64(front.commandCount)),
        ]
        counts += front.refusals.map { ("http." + $0.key.rawValue, $0.value) }.sorted { $0.0 < $1.0 }
        counts += counters.sorted { $0.key < $1.key }.map { ($0.key, $0.value) }
        return HealthCheck.Result(
            service: AgentName.console, state: problems.isEmpty ? .ready : .degraded,
            pid: Int64(Peer.own.pid),
            since: since, version: Version.program, contractVersion: Registry.version, queue: unanswered,
            unanswered: unanswered, degradedBy: problems, lastError: log.lastError?.message,
            lastErrorAt: log.lastError?.at, counters: counts.map { Counter(name: $0.0, count: $0.1) })
    }
}
