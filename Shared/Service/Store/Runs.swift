/// One start of the owner of a log: its events begin at `first` and end where the next run begins.
package struct StoredRun: Sendable, Equatable {
    package let id: String
    package let first: Int64

    package init(id: String, first: Int64) {
        self.id = id
        self.first = first
    }
}

/// Two copies of one log that went on apart have the same epoch and give the same sequences to different
/// events. What tells them apart is the run: a random id of each start of the owner, kept with the first
/// sequence that it gave out (as Kafka's leader epochs).
extension EventLog {
    /// Runs that are told to a reader and kept of a followed log.
    package static let runsMax = 1_000

    /// Begins the run of this start. One that made no event is nobody's and gives its place.
    static func beginRun(_ id: String, after head: Int64, in database: Database) throws(StoreError) {
        try database.run("INSERT OR REPLACE INTO run (first, id) VALUES (?1, ?2)", head + 1, id)
        // Not in the log alone: a store that lost its log would be taken for an older copy of itself, which
        // does not know this run (see `Replacement`).
        try database.checkpoint(.truncate)
    }

    /// The run that made an event, also of a trimmed one; nil: none did yet.
    package func run(of sequence: Int64) throws(StoreError) -> String? {
        guard sequence > 0, sequence <= (try head()) else { return nil }
        return try database.first(
            "SELECT id FROM run WHERE first <= ?1 ORDER BY first DESC LIMIT 1", sequence
        ) { $0.text(0) }
    }

    /// The newest runs that made events, oldest first.
    package func runs() throws(StoreError) -> [StoredRun] {
        let newest = try database.query(
            "SELECT first, id FROM run WHERE first <= ?1 ORDER BY first DESC LIMIT ?2", try head(),
            Self.runsMax
        ) { StoredRun(id: $0.text(1), first: $0.int64(0)) }
        return newest.reversed()
    }

    /// Forgets runs of which no event is kept. That of the last trimmed event stays: a cursor may be there.
    func forgetRuns(before trimmed: Int64) throws(StoreError) {
        try database.run(
            "DELETE FROM run WHERE first < (SELECT max(first) FROM run WHERE first <= ?1)",
            max(1, trimmed))
    }
}

/// The runs of a followed log, as its events told.
extension Cursors {
    package func runs(of source: String) throws(StoreError) -> [StoredRun] {
        try database.query("SELECT first, id FROM followed_run WHERE source = ?1 ORDER BY first", source) {
            StoredRun(id: $0.text(1), first: $0.int64(0))
        }
    }

    /// Notes that `run` made an event, the first one of it that was taken in.
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

    /// Forgets the runs that begin after a sequence: the log parted from them there.
    package func forgetRuns(of source: String, after sequence: Int64) throws(StoreError) {
        try database.checkInsideWrite("forgetting runs")
        try database.run("DELETE FROM followed_run WHERE source = ?1 AND first > ?2", source, sequence)
    }
}
