internal import Bus
package import Contract
internal import JSON
package import Loop
internal import Store

/// One followed event, decoded for a handler.
package struct Received<E: EventData> {
    /// The event's data.
    package var data: E
    /// The event's envelope.
    package var head: EventHead
    /// Position in the source's log.
    package var sequence: Int64 { head.sequence.value }
}

/// An event that violates the contract. It is logged, counted and skipped, since it will never become
/// readable. Handlers throw this error for no other reason.
package struct MalformedEvent: Error {
    /// What is wrong with it, in one sentence.
    package let reason: String

    /// - Parameter reason: one sentence, for the log.
    package init(_ reason: String) { self.reason = reason }
}

/// Why and when a copy was rebuilt from a snapshot.
package struct Rebuild {
    /// Events were not read and will not be, because the log no longer has them or because of this rebuild:
    /// what the snapshot does not have ended. False if the source was restored from an older copy since the
    /// copy was complete, or nothing happened since: then it may only be forgotten.
    package let isOfMissedEvents: Bool
    /// When the source described its state, as ``UTCTime/text(_:)``; what was made later may be missing.
    package let described: String
}

/// How a service handles the events of another: one handler per type, and how to rebuild.
@LoopActor package final class Following {
    typealias Handler = @LoopActor (AnyEvent, Transaction) throws -> Void
    /// What does not work while the events are not applied, a clause; nil: what it means to every follower.
    let consequence: String?
    private(set) var handlers: [String: Handler] = [:]
    /// Discards, inside the transaction, what was built from the followed events; a snapshot follows. If nil,
    /// events trigger actions and nothing is built from them. After a fork of the log the events after the
    /// fork are delivered, and handlers must recognise what they have done before.
    package var reset: (@LoopActor (Transaction) throws -> Void)?
    /// Runs inside the transaction that completes the snapshot after a `reset`.
    package var rebuilt: (@LoopActor (Rebuild, Transaction) throws -> Void)?
    /// Called when the events up to the source's head were delivered: after each connection and each gap.
    package var live: (@LoopActor () -> Void)?

    init(consequence: String?) { self.consequence = consequence }

    /// Runs `handler` for each event of a type, in the transaction that moves the cursor.
    package func on<E: EventData>(
        _ type: E.Type, _ handler: @escaping @LoopActor (Received<E>, Transaction) throws -> Void
    ) {
        handlers[E.type] = { event, transaction in
            // Deleting personal data leaves an event without data; it is skipped.
            guard let raw = event.data, raw.bytes != Array("null".utf8) else { return }
            let data: E
            do throws(JSONError) { data = try E.decode(raw.bytes) } catch {
                throw MalformedEvent(error.message)
            }
            try handler(Received(data: data, head: event.head), transaction)
        }
    }
}

extension Service {
    /// Follows all events of `source`, starting after the committed cursor.
    /// - Parameter consequence: what does not work while the events are not applied, a clause for `status`;
    ///   nil: what it means to every follower of this source.
    package func follow(
        _ source: ServiceName, consequence: String? = nil, _ describe: @LoopActor (Following) -> Void
    ) throws(ServiceError) {
        precondition(followers[source] == nil, "\(source.rawValue) is followed already")
        let following = Following(consequence: consequence)
        describe(following)
        do { followers[source] = try Follower(self, source, following) } catch {
            throw ServiceError(anything: error)
        }
    }

    /// Whether the events of a followed `source` arrive live and not from its log.
    package func isLive(_ source: ServiceName) -> Bool { followers[source]?.isLive ?? false }

    /// Whether there is a connection to a followed `source`: a request has somebody to answer it.
    package func isConnected(_ source: ServiceName) -> Bool { followers[source]?.isConnected ?? false }

    /// Rebuilds the copy of a followed `source` from a snapshot. Not to be called inside a write.
    /// - Parameter reason: shown by `status`.
    /// - Throws: as a write; then no rebuild begins.
    package func rebuildCopy(of source: ServiceName, because reason: String) throws(ServiceError) {
        _ = try followers[source]?.rebuildCopy(reason)
    }
}
