package import Bus
package import Contract
import Glibc
internal import JSON
internal import Store

/// One followed event, as a handler gets it.
package struct Received<E: EventData> {
    package var data: E
    package var head: EventHead
    package var sequence: Int64 { head.sequence.value }
}

/// What a service does with the events of another: one handler per type, and how to begin anew.
@BusActor package final class Following {
    typealias Handler = @BusActor (AnyEvent, Transaction) throws -> Void
    fileprivate(set) var handlers: [String: Handler] = [:]
    fileprivate var subjects: [String: @BusActor (AnyEvent) -> String?] = [:]
    /// Forgets, inside the transaction, what was built from the followed events.
    package var reset: (@BusActor (Transaction) throws -> Void)?

    /// Runs `handler` for each event of a type, in the transaction that moves the cursor.
    package func on<E: EventData>(
        _ type: E.Type, _ handler: @escaping @BusActor (Received<E>, Transaction) throws -> Void
    ) {
        handlers[E.type] = { event, transaction in
            // Personal data that was deleted leaves an event without data: nothing to do.
            guard let raw = event.data, raw.bytes != Array("null".utf8) else { return }
            try handler(Received(data: E.decode(raw.bytes), head: event.head), transaction)
        }
    }
}

/// Connects an EventFollower to the service's store: effects and cursor in one transaction.
@BusActor final class Follower {
    private let service: Service
    private let following: Following
    private let source: ServiceName
    private var follower: EventFollower?
    private var wantsReset = false
    /// What the store holds; moves with the service's commits.
    private(set) var committed: Cursor
    private var failed: String?

    init(_ service: Service, _ source: ServiceName, _ following: Following) throws {
        self.service = service
        self.source = source
        self.following = following
        let stored = try service.cursors.get(source.rawValue)
        committed = Cursor(epoch: stored?.epoch ?? "", sequence: stored?.sequence ?? 0)
        follower = try EventFollower(
            source, in: service.configuration.runtime, client: service.client(source), cursor: committed,
            output: FollowerOutput(
                deliver: { [weak self] in self?.deliver($0, $1) },
                reset: { [weak self] in self?.wantsReset = true },
                rewound: { [weak self] in self?.rewound(head: $0, cursor: $1) },
                refused: { [weak self] in self?.service.refused($0, $1) }))
    }

    func close() { follower?.close() }

    func rewind() {
        wantsReset = false
        // With a back-off: what kept the commit from succeeding will not be gone at once.
        Reactor.shared.after(milliseconds: 500) { [weak self] in
            guard let self else { return }
            follower?.rewind(to: committed)
        }
    }

    var report: FollowedLog {
        FollowedLog(
            service: source, epoch: committed.epoch, sequence: committed.sequence,
            head: max(follower?.head ?? 0, committed.sequence),
            connected: follower.map { $0.isConnected && $0.phase == .live } ?? false)
    }

    private func deliver(_ events: [ReceivedEvent], _ cursor: Cursor) {
        do {
            if wantsReset {
                try service.transact(trace: nil) { try following.reset?($0) }
                wantsReset = false
            }
            for event in events { try take(event) }
            try service.transact(trace: nil) { transaction in
                try service.cursors.set(
                    source.rawValue, Cursors.Cursor(epoch: cursor.epoch, sequence: cursor.sequence))
            }
        } catch {
            // The store refused; the turn's commit fails with it, and rewinds us.
            service.log.error("taking in events failed", [("source", .text(source.rawValue))])
        }
        service.hold { [weak self] failure in if failure == nil { self?.committed = cursor } }
    }

    private func take(_ received: ReceivedEvent) throws {
        guard let handler = following.handlers[received.type] else {
            if !Registry.eventTypes(of: source).contains(received.type) {
                service.refused(.unknownEvent, received.type)
            }
            return
        }
        let head = received.event.head
        let span = service.tracer.start(
            received.type, .consumer, parent: TraceContext(head.traceparent))
        do {
            try service.transact(trace: span.context) { try handler(received.event, $0) }
            service.tracer.end(span, numbers: [Counter(name: "sequence", count: received.sequence)])
        } catch {
            service.tracer.end(span, outcome: error.name.rawValue)
            guard error.name != .storageFull, error.name != .storageFailed else { throw error }
            // One bad event must not stop all later ones: it is named and passed over.
            service.refused(.malformedEvent, received.type)
            service.log.error(
                "an event could not be taken in and was passed over",
                [
                    ("type", .text(received.type)), ("sequence", .number(received.sequence)),
                    ("error", .text(error.name.rawValue)), ("reason", .text(error.message)),
                ])
        }
    }

    private func rewound(head: Int64, cursor: Int64) {
        service.setDegraded(
            "rewound.\(source.rawValue)",
            "the log of \(source.rawValue) ends at \(head), before what we have seen of it (\(cursor)): its database "
                + "was restored from a backup; remove our own directory in the state directory to build anew")
        service.log.error(
            "a followed log lies behind our cursor; following stopped",
            [("source", .text(source.rawValue)), ("head", .number(head)), ("cursor", .number(cursor))])
    }
}

extension Service {
    /// Follows all events of `source` from the committed cursor on.
    package func follow(_ source: ServiceName, _ describe: @BusActor (Following) -> Void) throws(ServiceError)
    {
        precondition(followers[source] == nil, "\(source.rawValue) is followed already")
        let following = Following()
        describe(following)
        do { followers[source] = try Follower(self, source, following) } catch {
            throw ServiceError(anything: error)
        }
    }
}
