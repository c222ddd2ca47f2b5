import Contract
import Loop
import Rules
import ServiceKit
import Store
import Units

/// Deletes use from the tables of streams.
@LoopActor struct UseRemoval {
    /// A subject and its number.
    typealias Numbered = (id: Int64, subject: Subject)

    /// The change of one stream.
    struct Change {
        let stream: Stream
        var delta = UsageDelta()
        /// Changed ranges by subject; nil stands for pickups without an app.
        var ranges: [Subject?: Range<Instant>] = [:]

        mutating func touch(_ subject: Subject?, _ from: Instant, _ to: Instant) {
            let known = ranges[subject] ?? from..<max(from, to)
            ranges[subject] = min(known.lowerBound, from)..<max(known.upperBound, to)
        }

        /// Also adds the difference between two tails.
        mutating func touch(_ before: Tail, _ after: Tail) {
            for subject in Set(before.parts.keys).union(after.parts.keys)
            where before.parts[subject] != after.parts[subject] {
                for part in [before.parts[subject], after.parts[subject]].compactMap({ $0 }) {
                    for at in [part.provisional?.start, part.pickup, part.openSince] {
                        if let at { touch(subject, at, at + 1) }
                    }
                }
            }
        }
    }

    let database: Database
    let log: UsageLog

    init(_ database: Database, _ log: UsageLog) {
        self.database = database
        self.log = log
    }

    /// Subjects whose name is to be deleted.
    func subjects(_ kind: Subject.Kind, _ isIncluded: (String) -> Bool) throws(StoreError) -> [Numbered] {
        let rows = try database.query("SELECT id, name FROM subject WHERE kind = ?1", Int64(kind.rawValue)) {
            ($0.int64(0), $0.text(1))
        }
        return rows.filter { isIncluded($0.1) }.map { ($0.0, Subject(kind, $0.1)) }
    }

    // MARK: everything

    func clear(_ streams: [Stream], _ report: ForgetReport?) throws {
        for stream in streams {
            for table in ["observation", "use", "mark", "checkpoint", "clock_step"] {
                try database.run("DELETE FROM \(table) WHERE stream = ?1", stream.id)
                if ["observation", "use"].contains(table) {
                    report?.removed(table + "s", database.changedRows)
                }
            }
            try database.run("DELETE FROM stream WHERE id = ?1", stream.id)
        }
        log.streams.reload()
    }

    /// Deletes devices of which only synthetic border observations are left.
    func dropEmpty(_ streams: [Stream]) throws {
        let empty = try streams.filter { stream in
            guard stream.machine.foregroundSubjects.isEmpty else { return false }
            let isUsed = try database.first(
                """
                SELECT EXISTS (SELECT 1 FROM observation WHERE stream = ?1 AND ordinal > ?2)
                OR EXISTS (SELECT 1 FROM use WHERE stream = ?1)
                OR EXISTS (SELECT 1 FROM mark WHERE stream = ?1)
                """, stream.id, Self.borderOrdinal + Self.borderCountMax
            ) { $0.int64(0) != 0 }
            return isUsed == false
        }
        if !empty.isEmpty { try clear(empty, nil) }
    }

    /// Sorts before every observation of a sensor at the same instant.
    static let borderOrdinal = Int64.min
    /// More observations than a border can have.
    static let borderCountMax: Int64 = 1 << 32

    // MARK: names

    /// Deletes names without references.
    /// - Returns: those that sensors had reported.
    func sweep() throws -> Set<Subject> {
        let rows = try database.query(
            """
            SELECT id, kind, name FROM subject WHERE id NOT IN (
                SELECT first FROM observation UNION SELECT second FROM observation
                UNION SELECT subject FROM use UNION SELECT subject FROM mark)
            """
        ) { ($0.int64(0), $0.int64(1), $0.text(2)) }
        var gone: Set<Subject> = []
        for (id, kind, name) in rows {
            try database.run("DELETE FROM subject WHERE id = ?1", id)
            guard let kind = Subject.Kind(rawValue: UInt8(truncatingIfNeeded: kind)) else { continue }
            let subject = Subject(kind, name)
            if !subject.isForgotten { gone.insert(subject) }
        }
        try database.run(
            """
            DELETE FROM boot WHERE id NOT IN (
                SELECT boot FROM observation UNION SELECT boot FROM clock_step)
            """)
        log.subjects.reload()
        return gone
    }

    // MARK: delivered callbacks

    /// Forgets which callbacks of ended occurrences were delivered; for an open occurrence, and for the next
    /// one, none may be delivered twice.
    /// - Parameter counts: whether an event counts the deleted subjects.
    func forgetFired(
        _ report: ForgetReport, of forgetting: Forgetting, _ counts: (EventDefinition) -> Bool
    ) throws {
        let activities = try database.query(
            "SELECT registration, member, definition, coalesce(open_start_ms, settled_ms) FROM activity"
        ) { ($0.int64(0), $0.text(1), $0.bytes(2), $0.instant(3)) }
        for (registration, member, definition, present) in activities {
            guard forgetting.concerns(member: member) else { continue }
            let events = try ActivityDefinition.stored(definition, in: "activity").events ?? []
            let isStretch: Bool
            if case .stretch = forgetting.extent { isStretch = true } else { isStretch = false }
            var names = events.filter(counts).map(\.name)
            if isStretch { names.append("") }
            let fired = try database.query(
                "SELECT occurrence_start_ms, callback, event, at_ms FROM fired WHERE registration = ?1",
                registration
            ) { ($0.instant(0), $0.text(1), $0.text(2), $0.instant(3)) }
            for (start, callback, event, at) in fired
            where start < present && names.contains(event) && (!isStretch || forgetting.contains(at)) {
                try database.run(
                    """
                    DELETE FROM fired WHERE registration = ?1 AND occurrence_start_ms = ?2
                    AND callback = ?3 AND event = ?4
                    """, registration, start, callback, event)
                report.removed("callbacks", 1)
            }
        }
    }
}
