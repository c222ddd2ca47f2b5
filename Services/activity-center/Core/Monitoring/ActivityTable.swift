import Contract
import JSON
import Loop
import Monitoring
import Rules
import Schedules
import Store

/// The stored activities, and what was told of them.
@LoopActor struct ActivityTable {
    let database: Database

    struct Row {
        let name: ActivityName
        let registration: Int64
        let registered_ms: Int64
        let definition: ActivityDefinition
        var state: ActivityState
    }

    // MARK: reading

    /// - Parameter zone: the member's; occurrences that an older version stored have no nominal place.
    func all(zone: (String) -> Zone) throws -> [Row] {
        var told = try toldMarks()
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
                    registration: row.int64(0), registered_ms: row.int64(4),
                    definition: ActivityDefinition(), state: ActivityState()),
                row.bytes(5), TimeRange(start_ms: row.int64(6), end_ms: row.int64(7)),
                row.isNull(8) ? nil : row.int64(8), row.int64(9), row.isNull(10) ? nil : row.int64(10),
                row.int64(11) != 0, TimeRange(start_ms: row.int64(12), end_ms: row.int64(13))
            )
        }
        return try rows.map {
            row, definition, open, openWall_ms, settled_ms, settledWall_ms, awaitsUse, ended in
            let zone = zone(row.name.member)
            let standing = Standing(
                open: open.map {
                    OpenOccurrence(range: $0, endWall_ms: openWall_ms ?? zone.wall_ms(at: $0.end_ms))
                },
                settled_ms: settled_ms,
                settledWall_ms: settledWall_ms ?? (settled_ms == .min ? .min : zone.wall_ms(at: settled_ms)),
                awaitsUse: awaitsUse, ended: ended)
            return Row(
                name: row.name, registration: row.registration, registered_ms: row.registered_ms,
                definition: try ActivityDefinition.decode(definition),
                state: ActivityState(
                    standing: standing, countedSince: since.removeValue(forKey: row.registration) ?? [:],
                    told: told.removeValue(forKey: row.registration) ?? []))
        }
    }

    private func countedSince() throws -> [Int64: [String: Int64]] {
        var since: [Int64: [String: Int64]] = [:]
        try database.each("SELECT registration, name, registered_ms FROM counted_event") {
            since[$0.int64(0), default: [:]][$0.text(1)] = $0.int64(2)
        }
        return since
    }

    /// Of open occurrences and those to come.
    private func toldMarks() throws -> [Int64: [ToldMark]] {
        var told: [Int64: [ToldMark]] = [:]
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
                ToldMark(callback, event: event.isEmpty ? nil : event, occurrenceStart_ms: row.int64(1)))
        }
        return told
    }

    /// Bytes of the definitions by client, as ``Record/weight`` counts them.
    func definitionBytes() throws -> [String: Int64] {
        var bytes: [String: Int64] = [:]
        let rows = try database.query("SELECT client, definition FROM activity") {
            ($0.text(0), $0.bytes(1))
        }
        for (client, body) in rows { bytes[client, default: 0] += try Self.weight(body) }
        return bytes
    }

    /// The same of one definition; 0: there is none.
    func definitionBytes(of name: ActivityName) throws -> Int64 {
        let body = try database.first(
            "SELECT definition FROM activity WHERE client = ?1 AND member = ?2 AND name = ?3",
            name.client, name.member, name.name
        ) { $0.bytes(0) }
        return try body.map { try Self.weight($0) } ?? 0
    }

    private static func weight(_ body: [UInt8]) throws -> Int64 {
        Int64(try ActivityDefinition.decode(body).weight)
    }

    // MARK: writing

    /// Stores a new activity in the place of the old one of its name.
    /// - Returns: its registration.
    func insert(
        _ definition: ActivityDefinition, as name: ActivityName, registered_ms: Int64
    ) throws -> Int64 {
        try database.run(
            "DELETE FROM activity WHERE client = ?1 AND member = ?2 AND name = ?3", name.client, name.member,
            name.name)
        try database.run(
            """
            INSERT INTO activity (client, member, name, registered_ms, definition, settled_ms)
            VALUES (?1, ?2, ?3, ?4, ?5, ?6)
            """, name.client, name.member, name.name, registered_ms, definition.encoded(), Int64.min)
        return try database.integer("SELECT last_insert_rowid()")
    }

    /// What a new registration takes over from the one before it.
    func save(_ state: ActivityState, of registration: Int64, now_ms: Int64) throws(StoreError) {
        for (event, registered_ms) in state.countedSince {
            try database.run(
                "INSERT INTO counted_event (registration, name, registered_ms) VALUES (?1, ?2, ?3)",
                registration, event, registered_ms)
        }
        for mark in state.told {
            _ = try markTold(mark, of: registration, at_ms: now_ms, told: true)
        }
    }

    func remove(_ name: ActivityName) throws(StoreError) {
        try database.run(
            "DELETE FROM activity WHERE client = ?1 AND member = ?2 AND name = ?3", name.client, name.member,
            name.name)
    }

    func save(_ standing: Standing, of registration: Int64) throws(StoreError) {
        try database.run(
            """
            UPDATE activity SET open_start_ms = ?2, open_end_ms = ?3, open_end_wall_ms = ?4, settled_ms = ?5,
                settled_wall_ms = ?6, awaits_use = ?7, ended_start_ms = ?8, ended_end_ms = ?9
            WHERE registration = ?1
            """,
            registration, standing.open?.range.start_ms, standing.open?.range.end_ms,
            standing.open?.endWall_ms, standing.settled_ms, standing.settledWall_ms, standing.awaitsUse,
            standing.ended?.start_ms, standing.ended?.end_ms)
    }

    /// - Returns: false when it was marked before: it must not be told again.
    func markTold(_ due: DueCallback) throws(StoreError) -> Bool {
        let mark = ToldMark(
            due.callback, event: due.event?.name, occurrenceStart_ms: due.occurrence.start_ms)
        return try markTold(mark, of: due.registration, at_ms: due.at_ms, told: due.fate == .told)
    }

    private func markTold(
        _ mark: ToldMark, of registration: Int64, at_ms: Int64, told: Bool
    ) throws(StoreError) -> Bool {
        try database.run(
            """
            INSERT OR IGNORE INTO fired (registration, occurrence_start_ms, callback, event, at_ms, told)
            VALUES (?1, ?2, ?3, ?4, ?5, ?6)
            """, registration, mark.occurrenceStart_ms, mark.callback.rawValue, mark.event ?? "", at_ms, told)
        return database.changedRows > 0
    }

    /// Forgets what was told of occurrences that began before an instant.
    func forgetTold(of registration: Int64, before before_ms: Int64) throws(StoreError) {
        try database.run(
            "DELETE FROM fired WHERE registration = ?1 AND occurrence_start_ms < ?2", registration, before_ms)
    }
}
