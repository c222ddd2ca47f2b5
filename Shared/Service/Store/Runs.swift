/// One run (start) of a log's owner: its events begin at `first` and end before the next run.
package struct StoredRun: Sendable, Equatable {
    /// Random id of the start.
    package let id: String
    /// Sequence of its first event.
    package let first: Int64

    /// A run with these values.
    package init(id: String, first: Int64) {
        self.id = id
        self.first = first
    }
}

/// Two copies of one log that continued separately have the same epoch and assign the same sequences to
/// different events. They are distinguished by the run: a random id of each start of the owner, stored with
/// its first sequence (as Kafka's leader epochs).
extension EventLog {
    /// Number of runs that are returned to a reader and stored for a followed log.
    package static let runsMax = 1_000

    /// Begins the run of this start. It replaces a run that appended no event.
    static func beginRun(_ id: String, after head: Int64, in database: Database) throws(StoreError) {
        try database.run("INSERT OR REPLACE INTO run (first, id) VALUES (?1, ?2)", head + 1, id)
        // Not only in the write-ahead log: a store that lost its log would be taken for an older copy of
        // itself, which does not contain this run (see `Replacement`).
        try database.checkpoint(.truncate)
    }

    /// The run that appended an event, even if that is trimmed. Nil if it does not exist yet.
    package func run(of sequence: Int64) throws(StoreError) -> String? {
        guard sequence > 0, sequence <= (try head()) else { return nil }
        return try database.first(
            "SELECT id FROM run WHERE first <= ?1 ORDER BY first DESC LIMIT 1", sequence
        ) { $0.text(0) }
    }

    /// The newest runs with events, oldest first.
    package func runs() throws(StoreError) -> [StoredRun] {
        let newest = try database.query(
            "SELECT first, id FROM run WHERE first <= ?1 ORDER BY first DESC LIMIT ?2", try head(),
            Self.runsMax
        ) { StoredRun(id: $0.text(1), first: $0.int64(0)) }
        return newest.reversed()
    }

    /// Deletes runs without remaining events, but not the newest: a cursor that is older than the log may be
    /// in one of them.
    func forgetRuns(before trimmed: Int64) throws(StoreError) {
        try database.run(
            """
            DELETE FROM run WHERE first < (SELECT max(first) FROM run WHERE first <= ?1)
                AND first NOT IN (SELECT first FROM run ORDER BY first DESC LIMIT ?2)
            """, max(1, trimmed), Self.runsMax)
    }
}

/// The runs of a followed log, as recorded from its events.
extension Cursors {
    /// The recorded runs of a source, oldest first.
    package func runs(of source: String) throws(StoreError) -> [StoredRun] {
        try database.query("SELECT first, id FROM followed_run WHERE source = ?1 ORDER BY first", source) {
            StoredRun(id: $0.text(1), first: $0.int64(0))
        }
    }

    /// Records that `run` appended an event, with the first of its events that was applied.
    package func note(_ run: StoredRun, of source: String) throws(StoreError) {
        try database.checkInsideWrite("noting a run")
        try database.run(
            "INSERT OR REPLACE INTO followed_run (source, first, id) VALUES (?1, ?2, ?3)", source, run.first,
            run.id)
        try database.run(
            """
            DELETE FROM followed_run WHERE source = ?1 AND first NOT IN
                (SELECT first FROM followed_run WHERE source = ?1 ORDER BY first DESC LIMIT ?2)
            """, source, EventLog.runsMax)
    }

    /// Deletes the runs that begin after a sequence, where the log forked.
    package func forgetRuns(of source: String, after sequence: Int64) throws(StoreError) {
        try database.checkInsideWrite("forgetting runs")
        try database.run("DELETE FROM followed_run WHERE source = ?1 AND first > ?2", source, sequence)
    }
}
