import Bus
import Contract
import JSON
import Loop
import ScreenTimeTesting
import Time
import Units

/// What the tests of authorizations do again and again.
extension World {
    typealias Asking = Task<AuthorizationRequest.Result, any Error>

    /// Begins a request; the answer comes with the person's word.
    func ask(
        _ client: String, _ forWhom: AuthorizationFor = .individual, member: String? = nil,
        name: String? = nil, deadline: Milliseconds = 60_000, key: String? = nil
    ) -> Asking {
        Task { @LoopActor in
            try await call(
                AuthorizationRequest.self,
                AuthorizationRequest.Params(
                    client: client, clientName: name, forWhom: forWhom, member: member),
                client: client, deadline: deadline, idempotencyKey: key)
        }
    }

    @discardableResult
    func decide(_ id: String, _ decision: Decision) async throws -> Authorization {
        try await call(AuthorizationDecide.self, AuthorizationDecide.Params(id: id, decision: decision))
            .authorization
    }

    /// Asks and approves.
    @discardableResult
    func approve(
        _ client: String, _ events: EventRecorder, as forWhom: AuthorizationFor = .individual,
        member: String? = nil
    ) async throws -> Authorization {
        let asking = ask(client, forWhom, member: member)
        let pending = try await events.pending(client)
        try await decide(pending.id, .approve)
        return try await asking.value.authorization
    }

    func authorizations(_ client: String? = nil) async throws -> [Authorization] {
        try await call(AuthorizationList.self, AuthorizationList.Params(client: client)).authorizations
    }

    func turn(
        _ client: String, access: Bool? = nil, restrictions: Bool? = nil
    ) async throws -> Int64 {
        try await call(
            AuthorizationSwitch.self,
            AuthorizationSwitch.Params(client: client, access: access, restrictions: restrictions)
        ).sequence
    }
}

extension EventRecorder {
    /// The next question about a client.
    func pending(_ client: String) async throws -> Authorization {
        try await first(AuthorizationChanged.self) {
            $0.authorization.pending && $0.authorization.client == client
        }.authorization
    }

    func changes(_ client: String) throws -> [AuthorizationChanged] {
        try all(AuthorizationChanged.self).filter { $0.authorization.client == client }
    }
}

/// The name of the error that a call ends with; nil: it succeeded.
@LoopActor func refusal(_ body: @LoopActor () async throws -> some Any) async -> ErrorName? {
    do {
        _ = try await body()
        return nil
    } catch let error as ServiceError {
        return error.name
    } catch {
        return .internalError
    }
}

/// A notifier that shows nothing: it records what was posted and withdrawn, and presses buttons on request.
@LoopActor final class ButtonPresser {
    private(set) var posts: [NotificationPost.Params] = []
    private(set) var withdrawn: [String] = []
    @LoopActor private final class EventBytes { var all: [[UInt8]] = [] }
    private let log: EventBytes
    private let server: RequestServer
    private let publisher: EventPublisher
    private var watchers: [@LoopActor () -> Bool] = []
    private var keys: Set<String> = []

    init(_ world: World) throws {
        let log = EventBytes()
        self.log = log
        server = try RequestServer(.notifier, in: world.runtime, tracer: world.tracer)
        publisher = try EventPublisher(.notifier, in: world.runtime) {
            SyncHead(source: "/test/epoch/notifier", head: SequenceText(Int64(log.all.count)))
        }
        server.answer(EventsRead.self) { params, _, reply in
            // Written by ourselves below.
            let events = log.all.dropFirst(Int(params.after)).compactMap { try? RawJSON(bytes: $0) }
            let head = Int64(log.all.count)
            reply.succeed(
                EventsRead.Result(epoch: "epoch", first: 1, head: head, through: head, events: events))
        }
        server.answer(NotificationPost.self) { [weak self] params, context, reply in
            if self?.keys.insert(context.idempotencyKey ?? "").inserted == true { self?.posts.append(params) }
            reply.succeed(NotificationPost.Result())
            self?.look()
        }
        server.answer(NotificationWithdraw.self) { [weak self] params, _, reply in
            self?.withdrawn.append(params.identifier)
            reply.succeed(Written(sequence: 0))
            self?.look()
        }
    }

    func close() {
        server.close()
        publisher.close()
    }

    private func look() { watchers.removeAll { $0() } }

    func wait(for what: String, _ condition: @escaping @LoopActor (ButtonPresser) -> Bool) async throws {
        let expectation = Expectation<Bool>("\(what); posts: \(self.posts), withdrawn: \(self.withdrawn)")
        let judge: @LoopActor () -> Bool = { [self] in
            guard condition(self) else { return false }
            expectation.fulfil(true)
            return true
        }
        if !judge() { watchers.append(judge) }
        _ = try await expectation.wait()
    }

    /// Id of the authorization that a question is about.
    static func authorization(_ identifier: String) -> String? {
        identifier.split(separator: ".").dropFirst().first.map { String($0) }
    }

    func press(_ identifier: String, _ action: String) throws {
        var head = EventHead()
        head.type = NotificationAnswered.type
        head.source = "/test/epoch/notifier"
        head.id = String(log.all.count + 1)
        head.time = UTCTime.text(WallTime.now)
        head.sequence = SequenceText(Int64(log.all.count + 1))
        head.previous = SequenceText(Int64(log.all.count))
        head.traceparent = TraceContext.root().traceparent
        let bytes = Event(head, NotificationAnswered(identifier: identifier, action: action)).encoded()
        log.all.append(bytes)
        try publisher.publish(topic: NotificationAnswered.type, bytes)
    }
}
