import Loop
import Rules
import Store
import Units

/// The stored uses and marks of all streams.
@LoopActor final class UsageTable {
    private let database: Database
    private let subjects: SubjectTable

    init(_ database: Database, _ subjects: SubjectTable) {
        self.database = database
        self.subjects = subjects
    }

    // MARK: writing

    func remove(_ output: UsageOutput, of stream: Stream) throws(StoreError) {
        for use in output.uses {
            try database.run(
                "DELETE FROM use WHERE stream = ?1 AND subject = ?2 AND start_ms = ?3 AND end_ms = ?4",
                stream.id, try subjects.id(use.subject), use.interval.start, use.interval.end)
        }
        for mark in output.marks {
            let place: [Int64] = [
                stream.id, try subjects.id(mark.subject), mark.at.milliseconds, Int64(mark.kind.rawValue),
            ]
            try database.run(
                """
                UPDATE mark SET count = count - 1
                WHERE stream = ?1 AND subject = ?2 AND at_ms = ?3 AND kind = ?4
                """,
                place[0], place[1], place[2], place[3])
            try database.run(
                """
                DELETE FROM mark
                WHERE stream = ?1 AND subject = ?2 AND at_ms = ?3 AND kind = ?4 AND count <= 0
                """,
                place[0], place[1], place[2], place[3])
        }
    }

    func add(_ output: UsageOutput, to stream: Stream) throws(StoreError) {
        let use = try database.prepare(
            "INSERT OR IGNORE INTO use (stream, subject, start_ms, end_ms) VALUES (?1, ?2, ?3, ?4)")
        try use.bind(1, stream.id)
        for one in output.uses {
            try use.bind(2, try subjects.id(one.subject))
            try use.bind(3, one.interval.start)
            try use.bind(4, one.interval.end)
            try use.run()
        }
        let mark = try database.prepare(
            """
            INSERT INTO mark (stream, subject, at_ms, kind, count) VALUES (?1, ?2, ?3, ?4, 1)
            ON CONFLICT DO UPDATE SET count = count + 1
            """)
        try mark.bind(1, stream.id)
        for one in output.marks {
            try mark.bind(2, try subjects.id(one.subject))
            try mark.bind(3, one.at)
            try mark.bind(4, Int64(one.kind.rawValue))
            try mark.run()
        }
    }

    // MARK: reading

    /// Rows of one subject that begin in [from, to), sorted.
    func rows(
        of stream: Int64, subject: Int64, from: Instant, to: Instant, limit: Int = .max
    ) throws -> SubjectRows {
        var rows = SubjectRows()
        try database.each(
            """
            SELECT start_ms, end_ms FROM use
            WHERE stream = ?1 AND subject = ?2 AND start_ms >= ?3 AND start_ms < ?4
            ORDER BY start_ms, end_ms LIMIT ?5
            """, stream, subject, from, to, limit
        ) {
            if let use = TimeRange(start: $0.instant(0), end: $0.instant(1)) { rows.uses.append(use) }
        }
        let about = try subjects.subject(subject)
        try database.each(
            """
            SELECT at_ms, kind, count FROM mark
            WHERE stream = ?1 AND subject = ?2 AND at_ms >= ?3 AND at_ms < ?4 ORDER BY at_ms LIMIT ?5
            """, stream, subject, from, to, limit
        ) {
            guard let kind = Mark.Kind(rawValue: UInt8(truncatingIfNeeded: $0.int64(1))) else { return }
            rows.add(Mark(kind, at: $0.instant(0), subject: about), times: Int($0.int64(2)))
        }
        return rows
    }

    /// Start of the last use of a subject that began before an instant; nil if there is none.
    func lastStart(of stream: Int64, subject: Int64, before at: Instant) throws(StoreError) -> Instant? {
        try database.first(
            """
            SELECT start_ms FROM use WHERE stream = ?1 AND subject = ?2 AND start_ms < ?3
            ORDER BY start_ms DESC LIMIT 1
            """, stream, subject, at
        ) { $0.instant(0) }
    }

    /// The latest start of a use, or instant of a mark.
    func latest(of stream: Int64, subject: Int64) throws(StoreError) -> Instant? {
        let use = try lastStart(of: stream, subject: subject, before: .max)
        let mark = try database.first(
            "SELECT at_ms FROM mark WHERE stream = ?1 AND subject = ?2 ORDER BY at_ms DESC LIMIT 1", stream,
            subject
        ) { $0.instant(0) }
        return [use, mark].compactMap { $0 }.max()
    }

    /// The next subject after `subject` with rows in a stream; reads only a few pages, however long the
    /// history is.
    func nextSubject(of stream: Int64, after subject: Int64) throws(StoreError) -> Int64? {
        var found: [Int64] = []
        for table in ["use", "mark"] {
            let next = try database.first(
                "SELECT subject FROM \(table) WHERE stream = ?1 AND subject > ?2 ORDER BY subject LIMIT 1",
                stream, subject
            ) { $0.int64(0) }
            if let next { found.append(next) }
        }
        return found.min()
    }
}
