import Bus
import Contract
import Loop
import ScreenTimeTesting
import Testing
import Units

@testable import AuthCore
@testable import NotifierCore
@testable import ServiceKit
@testable import Store

/// auth-service on a clock that the test moves, and the person's client. The days of the person and of Anna,
/// who has no account, are those of UTC.
@LoopActor final class RequestRoom {
    static let own = ServiceKit.Household.defaultMember
    static let anna = "member-Anna"
    /// 2026-09-21T13:13:20Z, and the end of that day.
    static let start: Instant = 1_789_996_400_000
    static let midnight: Instant = 1_790_035_200_000
    let clock = HandClock()
    /// The boot and CLOCK_BOOTTIME; nil: as under a virtual clock.
    private let boot: String?
    private var elapsed: Milliseconds = 1_000_000
    /// The sum of the steps by which the clock was set.
    private(set) var steps: Milliseconds = 0
    let configuration: Configuration
    private(set) var auth: AuthService
    private(set) var faults: CommitFaults
    private(set) var client: RequestClient
    private let directory: TestDirectory

    /// - Parameter languages: the person's.
    init(boot: String? = nil, languages: [String] = []) async throws {
        self.boot = boot
        directory = try TestDirectory()
        var configuration = try directory.configuration()
        configuration.languages = languages
        self.configuration = configuration
        clock.now = Self.start
        auth = try AuthService(configuration, clock: clock)
        faults = CommitFaults(auth.service.database)
        client = try RequestClient(to: .auth, in: configuration.runtime, tracer: Tracer(service: "test"))
        readBoot()
        try auth.start()
        _ = try await call(MemberAdd.self, MemberAdd.Params(name: "Anna", role: .child))
        for member in [Self.own, Self.anna] {
            _ = try await call(MemberSet.self, MemberSet.Params(name: member, zone: "UTC"))
        }
    }

    func restart() throws {
        stop()
        try begin()
    }

    /// The service ends; its clock goes on.
    func stop() {
        client.close()
        auth.service.close()
    }

    func begin() throws {
        auth = try AuthService(configuration, clock: clock)
        readBoot()
        try auth.start()
        auth.service.endTurn()
        faults = CommitFaults(auth.service.database)
        client = try RequestClient(to: .auth, in: configuration.runtime, tracer: Tracer(service: "test"))
    }

    func close() { stop() }

    private func readBoot() {
        auth.time.boot = { [weak self] in
            self.flatMap { room in room.boot.map { ($0, room.elapsed) } }
        }
    }

    /// The time that passed since the start of the test.
    var trusted: Instant { clock.now - steps }

    /// Time passes, and what is due is run.
    func move(to instant: Instant) {
        pass(instant - trusted)
        clock.fire()
        auth.service.endTurn()
    }

    /// Time passes for all clocks.
    func pass(_ time: Milliseconds) {
        elapsed = elapsed + time
        clock.now = clock.now + time
    }

    func move(by time: Milliseconds) { move(to: trusted + time) }

    /// Sets the clock, which the service notices.
    func set(by time: Milliseconds) {
        clock.now = clock.now + time
        steps = steps + time
        guard !auth.service.stopping else { return }
        auth.time.clockWasSet()
        clock.fire()
        auth.service.endTurn()
    }

    func isJudged() async throws {
        try await untilTurn("the clock is judged") { [self] in
            auth.time.isJudged && auth.time.ahead == steps && !auth.service.hasUncommitted
        }
    }

    // MARK: requests

    func call<M: Method>(_ method: M.Type, _ params: M.Params) async throws -> M.Result {
        try await client.call(method, params, options: CallOptions(deadline: 20_000))
    }

    /// The error of a request; nil: there was none.
    func refusal<M: Method>(_ method: M.Type, _ params: M.Params) async -> ServiceError? {
        do {
            _ = try await call(method, params)
            return nil
        } catch { return ServiceError(anything: error) }
    }

    func ask(
        _ subject: String = "org.example.game", _ kind: SubjectKind = .app, minutes: Int64? = nil,
        of member: String = anna, reason: String? = nil
    ) async throws -> TimeRequest {
        let params = RequestCreate.Params(
            member: member, kind: kind, subject: subject, minutes: minutes, reason: reason)
        return try await call(RequestCreate.self, params).request
    }

    func oneMore(_ subject: String = "org.example.game", of member: String = anna) async throws -> TimeRequest
    {
        try await call(
            RequestCreate.self,
            RequestCreate.Params(member: member, subject: subject, oneMoreMinute: true)
        ).request
    }

    func decide(
        _ request: TimeRequest, _ decision: Decision, minutes: Int64? = nil, answer: String? = nil
    ) async throws -> TimeRequest {
        let params = RequestDecide.Params(
            id: request.id, decision: decision, minutes: minutes, answer: answer)
        return try await call(RequestDecide.self, params).request
    }

    func decideRefusal(
        _ request: TimeRequest, _ decision: Decision, minutes: Int64? = nil
    ) async -> ServiceError? {
        await refusal(
            RequestDecide.self, RequestDecide.Params(id: request.id, decision: decision, minutes: minutes))
    }

    func withdraw(_ request: TimeRequest) async throws -> TimeRequest {
        try await call(RequestWithdraw.self, RequestWithdraw.Params(id: request.id)).request
    }

    func now(_ request: TimeRequest) throws -> TimeRequest? { try auth.requests.find(id: request.id) }

    func member(_ id: String = own) async throws -> Member {
        try #require(try await call(MemberList.self, Nothing()).members.first { $0.id == id })
    }

    // MARK: events

    /// The requests that events told, in order: `created` or `decided`, and the request.
    func told() throws -> [(event: String, request: TimeRequest)] {
        let page = try auth.service.eventLog.page(after: 0, types: [], limit: 10_000)
        return try page.events.compactMap { stored in
            let event = try AnyEvent.decode(stored.body)
            guard let data = event.data else { return nil }
            switch stored.type {
            case RequestCreated.type: return ("created", try RequestCreated.decode(data.bytes).request)
            case RequestDecided.type: return ("decided", try RequestDecided.decode(data.bytes).request)
            default: return nil
            }
        }
    }

    /// What is present by the events of a snapshot.
    func snapshot() throws -> [TimeRequest] {
        var (page, found): (String?, [TimeRequest]) = (nil, [])
        repeat {
            let part = try auth.snapshot(page)
            for body in part.events {
                let event = try AnyEvent.decode(body)
                guard let data = event.data else { continue }
                switch event.head.type {
                case RequestCreated.type: found.append(try RequestCreated.decode(data.bytes).request)
                case RequestDecided.type: found.append(try RequestDecided.decode(data.bytes).request)
                default: break
                }
            }
            page = part.nextPage
        } while page != nil
        return found.sorted { $0.id < $1.id }
    }
}
