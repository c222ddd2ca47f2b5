internal import Bus
package import Contract
internal import JSON
internal import Store
package import Units

/// A page of a service's own events, for methods that read history.
package struct HistoryPage {
    /// An event that still has its data.
    package struct Item {
        /// Position in the log.
        package let sequence: Int64
        /// When it was stored.
        package let at: Instant
        /// Trace id of what caused it.
        package let trace: String
        private let event: AnyEvent

        fileprivate init?(_ stored: StoredEvent) throws {
            event = try AnyEvent.stored(stored.body, in: "event")
            // Forgotten.
            guard let data = event.data, data.bytes != Array("null".utf8) else { return nil }
            sequence = stored.sequence
            at = stored.time
            trace = TraceContext(event.head.traceparent)?.traceID ?? ""
        }

        /// Its data, if it is of type `event`; else nil.
        package func decoded<E: EventData>(_ type: E.Type) throws -> E? {
            guard event.head.type == E.type, let data = event.data else { return nil }
            return try E.decode(data.bytes)
        }
    }

    /// In order of their sequence.
    package var items: [Item]
    /// First sequence that is still stored.
    package var first: Int64
    /// Last sequence.
    package var head: Int64
    /// All events up to this sequence are in this or an earlier page.
    package var through: Int64
}

extension Service {
    /// Committed events of these types that were not forgotten.
    package func history(after: Int64, types: [String]) throws -> HistoryPage {
        guard after >= 0 else {
            throw ServiceError(.invalidParams, "after is \(after)", remedy: "Use 0 to read all.")
        }
        let page = try eventLog.page(
            after: after, types: types, limit: Limits.eventsPerAnswerMax,
            bytesMax: Limits.eventBytesPerAnswerMax)
        return HistoryPage(
            items: try page.events.filter { $0.sequence <= head }.compactMap(HistoryPage.Item.init),
            first: page.first, head: head, through: min(page.through, head))
    }
}
