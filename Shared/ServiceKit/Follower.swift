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

/// An event that contradicts the contract: it is named, counted and passed over, because it will never be
/// readable. A handler throws it for nothing else.
package struct MalformedEvent: Error {
    /// What is wrong with it, in a sentence.
    package let reason: String

    package init(_ reason: String) { self.reason = reason }
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
            let data: E
            do throws(JSONError) { data = try E.decode(raw.bytes) } catch {
                throw MalformedEvent(error.message)
            }
            try handler(Received(data: data, head: event.head), transaction)
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
    private var pauseTimer: TimerToken?
    /// Whether something of this turn was taken in.
    private var isUncommitted = false
    private var failuresInARow = 0

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

    func close() {
        if let pauseTimer { Reactor.shared.cancel(pauseTimer) }
        pauseTimer = nil
        follower?.close()
    }

    /// The turn's commit failed. At once the cursor goes back to what is committed, and nothing is handed on
    /// until the pause is over: a live event that came and was committed meanwhile would move the cursor over
    /// what failed.
    func rewind() {
        guard isUncommitted else { return }
        isUncommitted = false
        wantsReset = false
        follower?.pause(at: committed)
        if let pauseTimer { Reactor.shared.cancel(pauseTimer) }
        pauseTimer = Reactor.shared.after(milliseconds: pauseMs) { [weak self] in
            self?.pauseTimer = nil
            self?.follower?.resume()
        }
    }

    /// What kept the commit from succeeding will not be gone at once; an event that fails each time costs the
    /// others of its turns, so it is tried less and less often.
    private var pauseMs: Int64 {
        min(Self.pauseMsMin << min(max(0, failuresInARow - 1), 16), Self.pauseMsMax)
    }
    private static let pauseMsMin: Int64 = 500
    private static let pauseMsMax: Int64 = 30_000

    var report: FollowedLog {
        FollowedLog(
            service: source, epoch: committed.epoch, sequence: committed.sequence,
            head: max(follower?.head ?? 0, committed.sequence),
            connected: follower.map { $0.isConnected && $0.phase == .live } ?? false)
    }

    private func deliver(_ events: [ReceivedEvent], _ cursor: Cursor) {
        isUncommitted = true
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
            return failed(ServiceError(anything: error))
        }
        service.hold { [weak self] failure in if failure == nil { self?.kept(cursor) } }
    }

    /// Whatever was thrown before the cursor is written: effect and cursor are one, so neither is kept.
    private func failed(_ error: ServiceError) {
        failuresInARow += 1
        service.log.error(
            "taking in events failed; they come again",
            [
                ("source", .text(source.rawValue)), ("after", .number(committed.sequence)),
                ("error", .text(error.name.rawValue)), ("reason", .text(error.message)),
            ])
        service.setDegraded(
            "follow.\(source.rawValue)",
            "what \(source.rawValue) told after \(committed.sequence) could not be taken in: \(error.message) "
                + "(\(error.remedy))")
        service.failTurn(error)
    }

    private func kept(_ cursor: Cursor) {
        committed = cursor
        isUncommitted = false
        guard failuresInARow > 0 else { return }
        failuresInARow = 0
        service.setDegraded("follow.\(source.rawValue)", nil)
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
        var malformed: MalformedEvent?
        do {
            try service.transact(trace: span.context) { transaction in
                do { try handler(received.event, transaction) } catch let error as MalformedEvent {
                    malformed = error
                    throw error
                }
            }
            service.tracer.end(span, numbers: [Counter(name: "sequence", count: received.sequence)])
        } catch {
            service.tracer.end(span, outcome: malformed == nil ? error.name.rawValue : "malformed")
            // Only what can never be read is passed over; all else comes again.
            guard let malformed else { throw error }
            pass(received, malformed)
        }
    }

    private func pass(_ received: ReceivedEvent, _ malformed: MalformedEvent) {
        service.refused(.malformedEvent, received.type)
        service.log.error(
            "an event contradicts the contract and was passed over",
            [
                ("type", .text(received.type)), ("sequence", .number(received.sequence)),
                ("reason", .text(malformed.reason)),
            ])
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
