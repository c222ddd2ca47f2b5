import Contract
import JSON
import Loop
import Monitoring
import Rules
import Schedules
import Store
import Units

/// The stored activities and their delivered callbacks.
@LoopActor struct ActivityTable {
    let database: Database

    struct Row {
        let name: ActivityName
        let registration: Int64
        let registered: Instant
        let definition: ActivityDefinition
        var state: ActivityState
    }

    // MARK: reading

    /// - Parameter zone: the member's zone; occurrences stored by an older version have no nominal place.
    func all(zone: (String) -> Zone) throws -> [Row] {
        var told = try deliveredMarks()
        var since = try countedSince()
        let rows = try database.query(
            """
            SELECT registration, client, member, name, registered_ms, definition, open_start_ms, open_end_ms,
                open_end_wall_ms, settled_ms, settled_wall_ms, awaits_use, ended_start_ms, ended_end_ms
            FROM activity
            """
        ) { row in
            (
                Row(
                    name: ActivityName(client: row.text(1), member: row.text(2), name: row.text(3)),
                    registration: row.int64(0), registered: row.instant(4),
                    definition: ActivityDefinition(), state: ActivityState()),
                row.bytes(5), TimeRange(start: row.instant(6), end: row.instant(7)),
                row.isNull(8) ? nil : row.milliseconds(8), row.instant(9),
                row.isNull(10) ? nil : row.milliseconds(10),
                row.int64(11) != 0, TimeRange(start: row.instant(12), end: row.instant(13))
            )
        }
        return try rows.map {
            row, definition, open, openWall, settled, settledWall, awaitsUse, ended in
            let zone = zone(row.name.member)
            let progress = ActivityProgress(
                open: open.map {
                    OpenOccurrence(range: $0, endWall: openWall ?? zone.wall(at: $0.end))
                },
                settled: settled,
                settledWall: settledWall ?? (settled == .min ? .min : zone.wall(at: settled)),
                awaitsUse: awaitsUse, ended: ended)
            return Row(
                name: row.name, registration: row.registration, registered: row.registered,
                definition: try ActivityDefinition.stored(definition, in: "activity"),
                state: ActivityState(
                    progress: progress, countedSince: since.removeValue(forKey: row.registration) ?? [:],
                    delivered: told.removeValue(forKey: row.registration) ?? []))
        }
    }

    /// All activities and when they were registered.
    func names() throws(StoreError) -> [(ActivityName, registered: Instant)] {
        try database.query("SELECT client, member, name, registered_ms FROM activity") {
            (ActivityName(client: $0.text(0), member: $0.text(1), name: $0.text(2)), $0.instant(3))
        }
    }

    private func countedSince() throws -> [Int64: [String: Instant]] {
        var since: [Int64: [String: Instant]] = [:]
        try database.each("SELECT registration, name, registered_ms FROM counted_event") {
            since[$0.int64(0), default: [:]][$0.text(1)] = $0.instant(2)
        }
        return since
    }

    /// For open and future occurrences.
    private func deliveredMarks() throws -> [Int64: [DeliveredMark]] {
        var told: [Int64: [DeliveredMark]] = [:]
        try database.each(
            """
            SELECT fired.registration, occurrence_start_ms, callback, event FROM activity
            JOIN fired ON fired.registration = activity.registration
                AND occurrence_start_ms >= coalesce(open_start_ms, settled_ms)
            """
        ) { row in
            guard let callback = CallbackName(rawValue: row.text(2)) else { return }
            let event = row.text(3)
            told[row.int64(0), default: []].append(
                DeliveredMark(callback, event: event.isEmpty ? nil : event, occurrenceStart: row.instant(1)))
        }
        return told
    }

    /// Bytes of the definitions by client, as computed by ``Record/weight``.
    func definitionBytes() throws -> [String: Int64] {
        var bytes: [String: Int64] = [:]
        let rows = try database.query("SELECT client, definition FROM activity") {
            ($0.text(0), $0.bytes(1))
        }
        for (client, body) in rows { bytes[client, default: 0] += try Self.weight(body) }
        return bytes
    }

    /// The same for one definition; 0 if it does not exist.
    func definitionBytes(of name: ActivityName) throws -> Int64 {
        let body = try database.first(
            "SELECT definition FROM activity WHERE client = ?1 AND member = ?2 AND name = ?3",
            name.client, name.member, name.name
        ) { $0.bytes(0) }
        return try body.map { try Self.weight($0) } ?? 0
    }

    private static func weight(_ body: [UInt8]) throws -> Int64 {
        Int64(try ActivityDefinition.stored(body, in: "activity").weight)
    }

    // MARK: writing

    /// Stores a new activity, replacing the one of the same name.
    /// - Returns: its registration.
    func insert(
        _ definition: ActivityDefinition, as name: ActivityName, registered: Instant
    ) throws -> Int64 {
        try database.run(
            "DELETE FROM activity WHERE client = ?1 AND member = ?2 AND name = ?3", name.client, name.member,
            name.name)
        try database.run(
            """
            INSERT INTO activity (client, member, name, registered_ms, definition, settled_ms)
            VALUES (?1, ?2, ?3, ?4, ?5, ?6)
            """, name.client, name.member, name.name, registered, definition.encoded(), Int64.min)
        return try database.integer("SELECT last_insert_rowid()")
    }

    /// Stores the whole state: what a new registration takes over from the one before, or from what its
    /// client was told, and what another zone changes.
    func save(_ state: ActivityState, of registration: Int64, now: Instant) throws(StoreError) {
        try save(state.progress, of: registration)
        for (event, registered) in state.countedSince {
            try database.run(
                "INSERT OR REPLACE INTO counted_event (registration, name, registered_ms) "
                    + "VALUES (?1, ?2, ?3)",
                registration, event, registered)
        }
        for mark in state.delivered {
            _ = try markDelivered(mark, of: registration, at: now, told: true)
        }
    }

    func remove(_ name: ActivityName) throws(StoreError) {
        try database.run(
            "DELETE FROM activity WHERE client = ?1 AND member = ?2 AND name = ?3", name.client, name.member,
            name.name)
    }

    func save(_ progress: ActivityProgress, of registration: Int64) throws(StoreError) {
        try database.run(
            """
            UPDATE activity SET open_start_ms = ?2, open_end_ms = ?3, open_end_wall_ms = ?4, settled_ms = ?5,
                settled_wall_ms = ?6, awaits_use = ?7, ended_start_ms = ?8, ended_end_ms = ?9
            WHERE registration = ?1
            """,
            registration, progress.open?.range.start, progress.open?.range.end,
            progress.open?.endWall, progress.settled, progress.settledWall, progress.awaitsUse,
            progress.ended?.start, progress.ended?.end)
    }

    /// - Returns: false if it was marked before and must not be delivered again.
    func markDelivered(_ due: DueCallback) throws(StoreError) -> Bool {
        let mark = DeliveredMark(
            due.callback, event: due.event?.name, occurrenceStart: due.occurrence.start)
        return try markDelivered(mark, of: due.registration, at: due.at, told: due.fate == .told)
    }

    private func markDelivered(
        _ mark: DeliveredMark, of registration: Int64, at: Instant, told: Bool
    ) throws(StoreError) -> Bool {
        try database.run(
            """
            INSERT OR IGNORE INTO fired (registration, occurrence_start_ms, callback, event, at_ms, told)
            VALUES (?1, ?2, ?3, ?4, ?5, ?6)
            """, registration, mark.occurrenceStart, mark.callback.rawValue, mark.event ?? "", at, told)
        return database.changedRows > 0
    }

    /// Deletes the marks of occurrences that began before an instant.
    func clearDelivered(of registration: Int64, before: Instant) throws(StoreError) {
        try database.run(
            "DELETE FROM fired WHERE registration = ?1 AND occurrence_start_ms < ?2", registration, before)
    }
}
