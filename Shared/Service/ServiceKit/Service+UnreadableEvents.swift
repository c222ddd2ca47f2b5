internal import Bus
internal import Contract
internal import JSON
internal import Store
import Units

/// An event of the log that cannot be read: it keeps its place, since the log has no gaps, and loses its
/// data; its bytes are set aside as the rows of other tables are (``UnreadableRows``). Nobody looks for it
/// before it is met, since that reads the whole log.
extension Service {
    /// Call inside a write.
    /// - Returns: the sequences of the events.
    func setAsideEvents(at now: Instant) throws -> [Int64] {
        let sequences = try unreadableEvents()
        for sequence in sequences {
            try unreadable.keep("event", where: "sequence", sequence, at: now)
            try eventLog.eraseData(sequence: sequence, body: eventWithoutData(sequence))
        }
        return sequences
    }

    private func unreadableEvents() throws(StoreError) -> [Int64] {
        let statement = try database.prepare("SELECT sequence, body FROM event ORDER BY sequence")
        defer { statement.reset() }
        var sequences: [Int64] = []
        while try statement.step() {
            do { _ = try AnyEvent.stored(statement.bytes(1), in: "event") } catch {
                sequences.append(statement.int64(0))
            }
        }
        return sequences
    }

    /// What remains of an event without its body: its attributes, of which all but `traceparent` are in other
    /// columns.
    func eventWithoutData(_ sequence: Int64) throws -> [UInt8] {
        var event = AnyEvent()
        event.data = RawJSON()
        let columns = try database.first(
            "SELECT type, previous, time_ms FROM event WHERE sequence = ?1", sequence
        ) { ($0.text(0), $0.int64(1), $0.instant(2)) }
        if let (type, previous, time) = columns {
            event.head.type = type
            event.head.previous = SequenceText(previous)
            event.head.time = UTCTime.text(time)
        }
        event.head.source = source
        event.head.id = String(sequence)
        event.head.sequence = SequenceText(sequence)
        event.head.traceparent = TraceContext.root().traceparent
        let run = try eventLog.run(of: sequence)
        event.head.run = run == LogRun.before ? nil : run
        return event.encoded()
    }
}
