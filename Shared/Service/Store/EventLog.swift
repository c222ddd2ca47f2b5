package import Units

/// One event of the log, as it is published.
package struct StoredEvent: Sendable, Equatable {
    /// The place in the log, from 1, without gaps.
    package let sequence: Int64
    package let type: String
    /// When it happened: UTC, milliseconds.
    package let time: Instant
    /// The event in JSON.
    package let body: [UInt8]

    package init(sequence: Int64, type: String, time: Instant, body: [UInt8]) {
        self.sequence = sequence
        self.type = type
        self.time = time
        self.body = body
    }
}

/// A piece of the log, and how far it reaches.
package struct EventPage: Sendable, Equatable {
    package let events: [StoredEvent]
    /// Every wanted event up to here is in the page: the place to read on after. With a filter it is beyond
    /// the last event when no more wanted ones follow.
    package let through: Int64
    /// The last sequence of the log when the page was read.
    package let head: Int64
    /// The first sequence that is still kept; `after + 1 < first` means that the reader missed trimmed
    /// events.
    package let first: Int64

    package init(events: [StoredEvent], through: Int64, head: Int64, first: Int64) {
        self.events = events
        self.through = through
        self.head = head
        self.first = first
    }
}

/// The outbox of a service: what it has published, in order. Appending is part of the write that changes the
/// state.
///
/// Sequences are never used twice, also when all events are trimmed or the file is opened again.
package final class EventLog {
    let database: Database
    /// Random, made with the store: another epoch means another log, whatever its sequences say.
    package let epoch: String
    /// Random, made with this object: the start of the owner that makes the events from here on.
    package let run: String
    /// When the log was made: UTC, milliseconds.
    package let created: Instant
    private var memory: Memory?
    private let insertEvent: Statement
    private let insertLast: Statement

    /// What appending needs to know, valid until the next rollback.
    private struct Memory {
        let rollbacks: Int
        var head: Int64
        var last: [String: Int64] = [:]
    }

    /// - Parameters:
    ///   - now: the time of creation for a new log; an old one keeps its own.
    ///   - newEpoch: the epoch of a new log, for runs that must repeat exactly; nil draws 16 random hex
    ///     digits.
    /// - Throws: `.misuse` while a batch is open; what SQLite throws.
    package init(_ database: Database, now: Instant, newEpoch: String? = nil) throws(StoreError) {
        self.database = database
        insertEvent = try database.prepare(
            "INSERT INTO event (sequence, type, previous, time_ms, body) VALUES (?1, ?2, ?3, ?4, ?5)")
        insertLast = try database.prepare(
            "INSERT INTO event_last (type, sequence) VALUES (?1, ?2) "
                + "ON CONFLICT (type) DO UPDATE SET sequence = excluded.sequence")
        let found = try database.first("SELECT epoch, created_ms FROM log") { ($0.text(0), $0.instant(1)) }
        (epoch, created) = if let found { found } else { (newEpoch ?? Self.randomID(), now) }
        run = Self.randomID()
        guard !database.batchIsOpen else {
            throw StoreError(.misuse, message: "opening the log of \(database.path) while a batch is open")
        }
        if found == nil {
            try database.run(
                "INSERT INTO log (one, epoch, created_ms) VALUES (1, ?1, ?2)", epoch, created)
        }
        try Self.beginRun(run, after: try head(), in: database)
    }

    private static func randomID() -> String {
        let digits = String(UInt64.random(in: .min ... .max), radix: 16)
        return String(repeating: "0", count: 16 - digits.count) + digits
    }

    /// The last sequence ever given; 0 before the first event.
    package func head() throws(StoreError) -> Int64 {
        try database.integer("SELECT coalesce((SELECT max(sequence) FROM event), (SELECT trimmed FROM log))")
    }

    /// The first sequence that is still kept; `head + 1` when none is.
    package func first() throws(StoreError) -> Int64 {
        try database.integer("SELECT trimmed + 1 FROM log")
    }

    /// The last sequence of a type, also of a trimmed event; 0 when there was none.
    package func previous(of type: String) throws(StoreError) -> Int64 {
        try database.first("SELECT sequence FROM event_last WHERE type = ?1", type) { $0.int64(0) } ?? 0
    }

    // MARK: appending

    /// Appends an event to the running write.
    /// - Parameters:
    ///   - time: UTC, milliseconds.
    ///   - body: makes the event's bytes from its sequence and the last sequence of the same type (0: none).
    /// - Throws: `.misuse` outside of a write; what SQLite throws.
    package func append(
        type: String, time: Instant, body: (_ sequence: Int64, _ previous: Int64) -> [UInt8]
    ) throws(StoreError) -> Int64 {
        try database.checkInsideWrite("appending an event")
        var memory = try remembered()
        let sequence = memory.head + 1
        let previous = if let last = memory.last[type] { last } else { try self.previous(of: type) }
        try insertEvent.run(sequence, type, previous, time, body(sequence, previous))
        try insertLast.run(type, sequence)
        memory.head = sequence
        memory.last[type] = sequence
        self.memory = memory
        return sequence
    }

    private func remembered() throws(StoreError) -> Memory {
        if let memory, memory.rollbacks == database.rollbacks { return memory }
        return Memory(rollbacks: database.rollbacks, head: try head())
    }
}
