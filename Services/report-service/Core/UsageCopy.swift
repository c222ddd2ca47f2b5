package import Contract
import Engine
package import Store

/// The copy of the usage log. Nothing is kept in memory, so a failed commit leaves nothing to repair.
package struct UsageCopy {
    let database: Database

    package init(_ database: Database) { self.database = database }

    /// Opens a store of these tables alone; for tests and tools.
    package static func open(path: String) throws(StoreError) -> Database {
        try Database(path: path, migrations: Schema.migrations)
    }

    // MARK: writing

    /// Takes in one event: it replaces all of (member, device, subject) that begins in its range.
    /// Part of a write.
    /// - Returns: from when on reports differ, UTC milliseconds.
    /// - Throws: `invalidArgument` when the event contradicts the contract; then nothing of it may
    ///   be kept.
    package func take(_ event: UsageRecorded) throws -> Int64 {
        let kind = try check(event)
        let isRenamed = try learn(
            Subject(kind, event.subject),
            SubjectFacts(name: event.name, category: event.category, isBrowser: event.browser ?? false))
        let (series, wasOpenSince_ms) = try series(event, kind)
        try replaceUses(event, series)
        try replaceMarks(.pickup, event.pickups, event, series)
        try replaceMarks(.notification, event.notifications, event, series)
        if event.openSinceMs != wasOpenSince_ms {
            try database.run("UPDATE series SET open_since_ms = ?2 WHERE id = ?1", series, event.openSinceMs)
        }
        try dropIfEmpty(event, series)
        if isRenamed { return 0 }
        return [event.fromMs, event.openSinceMs, wasOpenSince_ms].compactMap { $0 }.min() ?? event.fromMs
    }

    /// Forgets everything.
    package func clear() throws {
        for table in ["series", "subject", "use", "mark"] { try database.run("DELETE FROM \(table)") }
    }

    private func check(_ event: UsageRecorded) throws(ServiceError) -> Subject.Kind {
        let kind: Subject.Kind
        switch event.kind {
        case .app: kind = .app
        case .domain: kind = .domain
        case .category: throw wrong("a category is not used, only apps and domains are")
        }
        guard event.fromMs <= event.toMs else { throw wrong("its range ends before it begins") }
        let range = event.fromMs..<event.toMs
        var previous_ms = Int64.min
        for interval in event.intervals {
            guard range.contains(interval.startMs) else {
                throw wrong("an interval begins outside of its range")
            }
            guard interval.startMs < interval.endMs else { throw wrong("an interval is empty") }
            guard interval.startMs >= previous_ms else { throw wrong("its intervals overlap") }
            previous_ms = interval.endMs
        }
        guard (event.pickups + event.notifications).allSatisfy(range.contains) else {
            throw wrong("a mark lies outside of its range")
        }
        return kind
    }

    private func wrong(_ reason: String) -> ServiceError {
        ServiceError(
            .invalidArgument, "\(UsageRecorded.type) cannot be taken in: \(reason)",
            remedy: "Run the same version of all services.")
    }

    private func series(
        _ event: UsageRecorded, _ kind: Subject.Kind
    ) throws(StoreError) -> (id: Int64, openSince_ms: Int64?) {
        let find =
            "SELECT id, open_since_ms FROM series "
            + "WHERE member = ?1 AND device = ?2 AND kind = ?3 AND subject = ?4"
        let known = try database.first(find, event.member, event.device, Int64(kind.rawValue), event.subject)
        {
            (id: $0.int64(0), openSince_ms: $0.isNull(1) ? nil : $0.int64(1))
        }
        if let known { return known }
        try database.run(
            "INSERT INTO series (member, device, kind, subject) VALUES (?1, ?2, ?3, ?4)",
            event.member, event.device, Int64(kind.rawValue), event.subject)
        return (try database.integer("SELECT last_insert_rowid()"), nil)
    }

    private func replaceUses(_ event: UsageRecorded, _ series: Int64) throws(StoreError) {
        try database.run(
            "DELETE FROM use WHERE series = ?1 AND start_ms >= ?2 AND start_ms < ?3", series, event.fromMs,
            event.toMs)
        let insert = try database.prepare("INSERT INTO use (series, start_ms, end_ms) VALUES (?1, ?2, ?3)")
        for interval in event.intervals { try insert.run(series, interval.startMs, interval.endMs) }
    }

    private func replaceMarks(
        _ kind: Mark.Kind, _ instants: [Int64], _ event: UsageRecorded, _ series: Int64
    ) throws(StoreError) {
        try database.run(
            "DELETE FROM mark WHERE series = ?1 AND kind = ?2 AND at_ms >= ?3 AND at_ms < ?4",
            series, Int64(kind.rawValue), event.fromMs, event.toMs)
        let insert = try database.prepare(
            "INSERT INTO mark (series, kind, at_ms, count) VALUES (?1, ?2, ?3, 1) "
                + "ON CONFLICT (series, kind, at_ms) DO UPDATE SET count = count + 1")
        for at_ms in instants { try insert.run(series, Int64(kind.rawValue), at_ms) }
    }

    /// A series without anything in it must not be told from one that never was.
    private func dropIfEmpty(_ event: UsageRecorded, _ series: Int64) throws(StoreError) {
        guard event.openSinceMs == nil, event.intervals.isEmpty, event.pickups.isEmpty,
            event.notifications.isEmpty
        else { return }
        try database.run(
            "DELETE FROM series WHERE id = ?1 AND NOT EXISTS (SELECT 1 FROM use WHERE series = ?1) "
                + "AND NOT EXISTS (SELECT 1 FROM mark WHERE series = ?1)", series)
    }
}
