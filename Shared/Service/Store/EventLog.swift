package import Units

/// One event of the log, as published.
package struct StoredEvent: Sendable, Equatable {
    /// Position in the log, starting at 1, without gaps.
    package let sequence: Int64
    /// Event type.
    package let type: String
    /// When it happened: UTC, milliseconds.
    package let time: Instant
    /// The event as JSON.
    package let body: [UInt8]

    /// An event with these values.
    package init(sequence: Int64, type: String, time: Instant, body: [UInt8]) {
        self.sequence = sequence
        self.type = type
        self.time = time
        self.body = body
    }
}

/// A page of the log, with how far it reaches.
package struct EventPage: Sendable, Equatable {
    /// The events in order.
    package let events: [StoredEvent]
    /// Every wanted event up to this sequence is in the page; continue after it. With a filter it lies beyond
    /// the last event if no further wanted event follows.
    package let through: Int64
    /// Sequence of the log's last event when the page was read.
    package let head: Int64
    /// Sequence of the first event that still exists. If it is larger than `after + 1`, the reader missed
    /// trimmed events.
    package let first: Int64

    /// A page with these values.
    package init(events: [StoredEvent], through: Int64, head: Int64, first: Int64) {
        self.events = events
        self.through = through
        self.head = head
        self.first = first
    }
}

/// The outbox of a service: its published events in order. Events are appended in the write that changes the
/// state.
///
/// Sequences are never reused, even after all events are trimmed or the file is reopened.
package final class EventLog {
    let database: Database
    /// Random, created with the store: logs with different epochs are different logs, whatever their
    /// sequences.
    package let epoch: String
    /// Random, created with this object: identifies the owner's start that appends events from now on.
    package let run: String
    /// When the log was created: UTC, milliseconds.
    package let created: Instant
    private var memory: Memory?
    private let insertEvent: Statement
    private let insertLast: Statement

    /// What appending needs; valid until the next rollback.
    private struct Memory {
        let rollbacks: Int
        var head: Int64
        var last: [String: Int64] = [:]
    }

    /// - Parameters:
    ///   - now: creation time of a new log; an existing one keeps its own.
    ///   - randomID: makes the epoch of a new log, and the run, each 16 hex digits.
    ///   - newEpoch: epoch of a new log instead.
    /// - Throws: `.misuse` while a batch is open; what SQLite throws.
    package init(
        _ database: Database, now: Instant, randomID: () -> UInt64 = { UInt64.random(in: .min ... .max) },
        newEpoch: String? = nil
    ) throws(StoreError) {
        self.database = database
        insertEvent = try database.prepare(
            "INSERT INTO event (sequence, type, previous, time_ms, body) VALUES (?1, ?2, ?3, ?4, ?5)")
        insertLast = try database.prepare(
            "INSERT INTO event_last (type, sequence) VALUES (?1, ?2) "
                + "ON CONFLICT (type) DO UPDATE SET sequence = excluded.sequence")
        let found = try database.first("SELECT epoch, created_ms FROM log") { ($0.text(0), $0.instant(1)) }
        (epoch, created) = if let found { found } else { (newEpoch ?? Self.text(randomID()), now) }
        run = Self.text(randomID())
        guard !database.batchIsOpen else {
            throw StoreError(.misuse, message: "opening the log of \(database.path) while a batch is open")
        }
        if found == nil {
            try database.run(
                "INSERT INTO log (one, epoch, created_ms) VALUES (1, ?1, ?2)", epoch, created)
        }
        try Self.beginRun(run, after: try head(), in: database)
    }

    private static func text(_ id: UInt64) -> String {
        let digits = String(id, radix: 16)
        return String(repeating: "0", count: 16 - digits.count) + digits
    }

    /// Sequence of the last event ever appended; 0 before the first.
    package func head() throws(StoreError) -> Int64 {
        try database.integer("SELECT coalesce((SELECT max(sequence) FROM event), (SELECT trimmed FROM log))")
    }

    /// Sequence of the first event that still exists; `head + 1` if there is none.
    package func first() throws(StoreError) -> Int64 {
        try database.integer("SELECT trimmed + 1 FROM log")
    }

    /// Sequence of the last event of a type, even if trimmed; 0 if there was none.
    package func previous(of type: String) throws(StoreError) -> Int64 {
        try database.first("SELECT sequence FROM event_last WHERE type = ?1", type) { $0.int64(0) } ?? 0
    }

    // MARK: appending

    /// Appends an event to the running write.
    /// - Parameters:
    ///   - time: UTC, milliseconds.
    ///   - body: returns the event's bytes, given its sequence and that of the last event of the same type (0
    ///     if none).
    /// - Throws: `.misuse` outside a write; what SQLite throws.
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
