import Bus
import Contract
import Loop
import ServiceKit
import Time

/// The process on the bus: it answers `cover.*`, and `health.check` and `trace.read` like a service, and
/// publishes its spans on `~trace`.
@LoopActor final class CoverEndpoint {
    private let server: RequestServer
    private var spans: SpanPublisher?
    private let tracer: Tracer
    private let log: Log
    private let since = WallTime.now
    private var counters: [String: Int64] = [:]
    /// Nil until GTK is ready. Requests are answered from then on.
    private var keeper: CoverKeeper?
    private var warnings: WarningKeeper?
    /// Why it works only in part, a sentence each.
    var problems: (@LoopActor () -> [String])?
    /// Loads what the first cover needs.
    var rehearse: (@LoopActor () -> Void)?

    init(_ runtime: RuntimeDirectory, tracer: Tracer, log: Log) throws(SocketError) {
        self.tracer = tracer
        self.log = log
        server = try RequestServer(named: AgentName.shieldCover, in: runtime, tracer: tracer)
        server.onRefusal = { [weak self] reason, detail in self?.refused(reason.rawValue, detail) }
        spans = try SpanPublisher(named: AgentName.shieldCover, in: runtime, tracer: tracer) {
            [weak self] in self?.refused($0, $1)
        }
    }

    func open(_ keeper: CoverKeeper, _ warnings: WarningKeeper) {
        self.keeper = keeper
        self.warnings = warnings
        answerWarnings(warnings)
        answer(CoverPrepare.self) { [weak self] _, _, reply in
            self?.rehearse?()
            keeper.prepare()
            reply.succeed(Nothing())
        }
        answer(CoverShow.self) { params, context, reply in
            keeper.show(params, trace: context.trace) { result in
                switch result {
                case .success(let isVisible): reply.succeed(CoverShow.Result(visible: isVisible))
                case .failure(let error): reply.fail(error)
                }
            }
        }
        answer(CoverHide.self) { params, _, reply in
            reply.succeed(CoverHide.Result(wasCovered: keeper.hide(params.window)))
        }
        answer(CoverList.self) { _, _, reply in reply.succeed(CoverList.Result(covers: keeper.standing)) }
        answer(CoverPresses.self) { params, _, reply in
            keeper.presses.wait(after: params.after) { reply.succeed(CoverPresses.Result(presses: $0)) }
        }
        answer(TraceRead.self) { [tracer] params, _, reply in
            let limit = max(0, min(params.limit ?? .max, Int64(Limits.spansKeptMax)))
            reply.succeed(
                TraceRead.Result(spans: tracer.spans(traceID: params.traceID, limit: Int(limit))))
        }
        server.answer(HealthCheck.self) { [weak self] _, _, reply in
            if let self { reply.succeed(health()) }
        }
    }

    private func answerWarnings(_ warnings: WarningKeeper) {
        answer(WarningShow.self) { params, _, reply in
            do throws(ServiceError) {
                reply.succeed(WarningShow.Result(shown: try warnings.show(params)))
            } catch {
                reply.fail(error)
            }
        }
        answer(WarningList.self) { params, _, reply in
            warnings.list(after: params.after) { reply.succeed($0) }
        }
        answer(WarningHide.self) { params, _, reply in
            reply.succeed(WarningHide.Result(wasShown: warnings.hide(params.key)))
        }
    }

    func close() {
        server.close()
        spans?.close()
    }

    /// Covers are for the person's own agents, never for apps.
    private func answer<M: Call>(
        _ method: M.Type, _ handler: @escaping @LoopActor (M.Params, RequestContext, TypedReply<M>) -> Void
    ) {
        server.answer(method) { params, context, reply in
            guard context.client == nil else {
                return reply.fail(
                    ServiceError(
                        .accessDenied, "\(M.name) is for the person, not for apps",
                        remedy: "Use the settings of a store to shield an app."))
            }
            handler(params, context, reply)
        }
    }

    private func refused(_ reason: String, _ detail: String) {
        counters[reason, default: 0] += 1
        log.warnOnce(
            reason, "refused a message; later ones are only counted",
            [("reason", .text(reason)), ("detail", .text(detail))])
    }

    private func health() -> HealthCheck.Result {
        let problems = problems?() ?? []
        let unanswered = Int64(max(0, server.unanswered - 1))
        let standing = Counter(name: "covers", count: Int64(keeper?.standing.count ?? 0))
        return HealthCheck.Result(
            service: AgentName.shieldCover, state: problems.isEmpty ? .ready : .degraded,
            pid: Int64(Peer.own.pid), since: since, version: Version.program,
            contractVersion: Registry.version, queue: unanswered, unanswered: unanswered,
            degradedBy: problems, lastError: log.lastError?.message, lastErrorAt: log.lastError?.at,
            counters: [standing, Counter(name: "warnings", count: Int64(warnings?.shownCount ?? 0))]
                + counters.sorted { $0.key < $1.key }.map { Counter(name: $0.key, count: $0.value) })
    }
}
