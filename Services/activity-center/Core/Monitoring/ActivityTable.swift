import Bus
import CivilTime
import Contract
import Engine
import JSON
import Store

/// The stored activities, and what was told of them.
@BusActor final class ActivityTable {
    private let database: Database
    private let zone: Zone

    init(_ database: Database, zone: Zone) {
        self.database = database
        self.zone = zone
    }

    // MARK: reading

    func all() throws -> [Activity] {
        let rows = try database.query(
            """
            SELECT registration, client, member, name, registered_ms, definition, open_start_ms, open_end_ms,
                settled_ms FROM activity
            """
        ) { row in
            (
                registration: row.int64(0),
                name: Activity.Name(client: row.text(1), member: row.text(2), name: row.text(3)),
                registered_ms: row.int64(4), definition: row.bytes(5),
                open: TimeRange(start_ms: row.int64(6), end_ms: row.int64(7)), settled_ms: row.int64(8)
            )
        }
        return try rows.map { row in
            let definition = try ActivityDefinition.decode(row.definition)
            let activity = Activity(
                registration: row.registration, name: row.name, registered_ms: row.registered_ms,
                definition: definition, schedule: try CivilSchedule(definition.schedule, zone: zone),
                events: try events(definition, registration: row.registration), open: row.open,
                settled_ms: row.settled_ms, trace: .root())
            try loadFired(of: activity)
            return activity
        }
    }

    private func events(_ definition: ActivityDefinition, registration: Int64) throws -> [MonitoredEvent] {
        let rows = try database.query(
            "SELECT name, registered_ms FROM counted_event WHERE registration = ?1", registration
        ) { ($0.text(0), $0.int64(1)) }
        // The name is part of the table's key, so none comes twice.
        let since = Dictionary(uniqueKeysWithValues: rows)
        return try (definition.events ?? []).map {
            try MonitoredEvent($0, registered_ms: since[$0.name] ?? Int64.min)
        }
    }

    private func loadFired(of activity: Activity) throws {
        try database.each(
            """
            SELECT occurrence_start_ms, callback, event FROM fired WHERE registration = ?1
            ORDER BY occurrence_start_ms
            """, activity.registration
        ) { row in
            guard let callback = CallbackName(rawValue: row.text(1)) else { return }
            switch callback {
            case .intervalWillStartWarning, .intervalWillEndWarning: activity.warned[callback] = row.int64(0)
            case .eventDidReachThreshold, .eventWillReachThresholdWarning:
                guard row.int64(0) == activity.open?.start_ms else { return }
                let name = row.text(2)
                let index = activity.events.firstIndex { $0.definition.name == name }
                if let index { activity.events[index].fired.insert(callback) }
            case .intervalDidStart, .intervalDidEnd: break
            }
        }
    }

    // MARK: writing

    /// Stores a new activity in the place of the old one of its name; events that did not change go on
    /// counting, and what was told of them in the running occurrence stays told.
    func register(
        _ definition: ActivityDefinition, as name: Activity.Name, replacing old: Activity?, now_ms: Int64,
        trace: TraceContext
    ) throws -> Activity {
        if let old { try remove(old) }
        let schedule = definition.schedule
        try database.run(
            """
            INSERT INTO activity (client, member, name, registered_ms, definition, settled_ms)
            VALUES (?1, ?2, ?3, ?4, ?5, ?6)
            """, name.client, name.member, name.name, now_ms, definition.encoded(), Int64.min)
        let registration = try database.integer("SELECT last_insert_rowid()")
        var events: [MonitoredEvent] = []
        for definition in definition.events ?? [] {
            let kept = old?.events.first { $0.definition.countsLike(definition) }
            var event = try MonitoredEvent(definition, registered_ms: kept?.registered_ms ?? now_ms)
            try database.run(
                "INSERT INTO counted_event (registration, name, registered_ms) VALUES (?1, ?2, ?3)",
                registration, definition.name, event.registered_ms)
            if let open = old?.open, let kept, old?.definition.schedule == schedule {
                event.fired = kept.fired
                for callback in kept.fired {
                    try mark(registration, open.start_ms, callback, definition.name, now_ms, told: true)
                }
            }
            events.append(event)
        }
        return Activity(
            registration: registration, name: name, registered_ms: now_ms, definition: definition,
            schedule: try CivilSchedule(definition.schedule, zone: zone), events: events, open: nil,
            settled_ms: Int64.min, trace: trace)
    }

    func remove(_ activity: Activity) throws(StoreError) {
        try database.run("DELETE FROM activity WHERE registration = ?1", activity.registration)
    }

    func save(_ activity: Activity) throws(StoreError) {
        try database.run(
            """
            UPDATE activity SET open_start_ms = ?2, open_end_ms = ?3, settled_ms = ?4
            WHERE registration = ?1
            """,
            activity.registration, activity.open?.start_ms, activity.open?.end_ms, activity.settled_ms)
    }

    /// - Returns: false when it was marked before: it must not be told again.
    func markFired(_ due: DueCallback, of activity: Activity) throws(StoreError) -> Bool {
        try mark(
            activity.registration, due.occurrence.start_ms, due.callback, due.event?.name ?? "", due.at_ms,
            told: due.told)
        return database.changedRows > 0
    }

    private func mark(
        _ registration: Int64, _ occurrence_ms: Int64, _ callback: CallbackName, _ event: String,
        _ at_ms: Int64,
        told: Bool
    ) throws(StoreError) {
        try database.run(
            """
            INSERT OR IGNORE INTO fired (registration, occurrence_start_ms, callback, event, at_ms, told)
            VALUES (?1, ?2, ?3, ?4, ?5, ?6)
            """, registration, occurrence_ms, callback.rawValue, event, at_ms, told)
    }

    /// Forgets what was told of occurrences that began before an instant.
    func forgetFired(of activity: Activity, before before_ms: Int64) throws(StoreError) {
        try database.run(
            "DELETE FROM fired WHERE registration = ?1 AND occurrence_start_ms < ?2", activity.registration,
            before_ms)
    }
}

extension EventDefinition {
    /// Whether it counts the same use to the same threshold; the words shown may differ.
    fileprivate func countsLike(_ other: EventDefinition) -> Bool {
        var mine = self
        mine.message = other.message
        return mine == other
    }
}
