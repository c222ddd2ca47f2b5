import Bus
import Contract
import Loop
import ServiceKit
import Time
import Units

/// auth-service as the covers know it, in the test's own process.
@LoopActor final class FakeAuth {
    var members = [Member(id: Household.defaultMember, name: "Minji", role: .guardian)]
    private(set) var requests: [TimeRequest] = []
    private(set) var created: [RequestCreate.Params] = []
    /// Traces of what arrived.
    private(set) var traces: [String] = []
    private(set) var decided: [RequestDecide.Params] = []
    /// How often the requests were read.
    private(set) var read = 0
    /// After which the member may decide.
    var delay: Milliseconds = 300_000
    var refusal: ErrorName?
    private let server: RequestServer
    private let log: FakeLog

    init(in runtime: RuntimeDirectory) throws {
        server = try RequestServer(
            named: ServiceName.auth.rawValue, in: runtime, tracer: Tracer(service: "test"))
        log = try FakeLog(of: .auth, in: runtime, at: server)
        server.answer(MemberList.self) { [weak self] _, _, reply in
            reply.succeed(MemberList.Result(members: self?.members ?? []))
        }
        server.answer(RequestList.self) { [weak self] _, _, reply in
            self?.read += 1
            reply.succeed(RequestList.Result(requests: self?.requests ?? []))
        }
        server.answer(RequestCreate.self) { [weak self] params, context, reply in
            guard let self else { return }
            traces.append(context.trace.traceID)
            if let refusal { return reply.fail(ServiceError(refusal, "test", remedy: "none")) }
            created.append(params)
            let request = make(params)
            requests.insert(request, at: 0)
            reply.succeed(RequestCreate.Result(request: request, sequence: log.head))
        }
        server.answer(RequestDecide.self) { [weak self] params, _, reply in
            guard let self, let index = requests.firstIndex(where: { $0.id == params.id }) else { return }
            decided.append(params)
            (requests[index].state, requests[index].decided) = (.approved, WallTime.now)
            requests[index].end = WallTime.now + .minute * 15
            reply.succeed(RequestDecide.Result(request: requests[index], sequence: log.head))
        }
    }

    private func make(_ params: RequestCreate.Params) -> TimeRequest {
        let now = WallTime.now
        return TimeRequest(
            id: "request-\(created.count)", member: params.member ?? Household.defaultMember,
            kind: params.kind, subject: params.subject, minutes: params.minutes,
            oneMoreMinute: params.oneMoreMinute, reason: params.reason, asked: now,
            selfApproval: now + delay, dayEnd: now + .hours(6))
    }

    /// A request that was made elsewhere.
    func ask(_ params: RequestCreate.Params) throws {
        let request = make(params)
        requests.insert(request, at: 0)
        try log.publish(RequestCreated(request: request))
    }

    func close() {
        server.close()
        log.close()
    }
}
