import Contract
import JSON
import Loop
internal import Store
import Units

/// The rows of all deliveries, ordered like their events.
@LoopActor struct DeliveryTable {
    let database: Database

    /// Inserts a delivery.
    /// - Returns: nil if this callback was received before for this extension, from any copy of
    ///   activity-center's log.
    func insert(_ stored: StoredDelivery) throws -> StoredDelivery? {
        let delivery = stored.delivery
        guard try apply(delivery) else { return nil }
        try database.run(
            "INSERT INTO delivery (extension, activity, state, failures, due_ms, traceparent, body) "
                + "VALUES (?1, ?2, ?3, ?4, ?5, ?6, x'')",
            delivery.program ?? "", delivery.about.activity, delivery.state.rawValue, stored.failures,
            stored.due, stored.traceparent)
        var numbered = stored
        numbered.delivery.id = try database.integer("SELECT last_insert_rowid()")
        try write(numbered, where: "id = ?1")
        try database.run(
            "DELETE FROM delivery WHERE id <= ?1 AND state IN ('delivered', 'failed')",
            numbered.delivery.id - MonitorLimits.deliveriesKept)
        return numbered
    }

    /// - Returns: false if it was received before.
    private func apply(_ delivery: Delivery) throws -> Bool {
        try database.run(
            "INSERT OR IGNORE INTO taken_in (key, at_ms) VALUES (?1, ?2)", CallbackKey.of(delivery),
            delivery.received)
        let isNew = database.changedRows > 0
        if isNew {
            try database.run(
                "DELETE FROM taken_in WHERE at_ms < ?1", delivery.received - MonitorLimits.receivedKeysKept)
        }
        return isNew
    }

    /// Records the keys of deliveries that an older version stored without them.
    func recordOlderKeys() throws {
        let settings = Settings(database)
        guard try settings.get(Self.notedSetting) == nil else { return }
        for body in try database.query("SELECT body FROM delivery", row: { $0.bytes(0) }) {
            let delivery = try Delivery.stored(body, in: "delivery")
            try database.run(
                "INSERT OR IGNORE INTO taken_in (key, at_ms) VALUES (?1, ?2)", CallbackKey.of(delivery),
                delivery.received)
        }
        try settings.set(Self.notedSetting, "1")
    }

    private static let notedSetting = "callbacks_noted"

    /// Updates a delivery that has not ended.
    /// - Returns: false if it has ended or was deleted; nothing is written then.
    @discardableResult
    func update(_ stored: StoredDelivery) throws -> Bool {
        try write(stored, where: "id = ?1 AND state IN ('waiting', 'running')")
        return database.changedRows > 0
    }

    private func write(_ stored: StoredDelivery, where condition: String) throws {
        try database.run(
            "UPDATE delivery SET state = ?2, failures = ?3, due_ms = ?4, receipt = ?5, body = ?6 "
                + "WHERE \(condition)",
            stored.delivery.id, stored.delivery.state.rawValue, stored.failures, stored.due, stored.receipt,
            stored.delivery.encoded())
    }

    /// The oldest unfinished delivery of an extension.
    func next(of program: String) throws -> StoredDelivery? {
        try unfinished(of: program, limit: 1).first
    }

    func unfinished(of program: String, limit: Int64) throws -> [StoredDelivery] {
        let rows = try database.query(
            "SELECT body, failures, due_ms, receipt, traceparent FROM delivery "
                + "WHERE extension = ?1 AND state IN ('waiting', 'running') ORDER BY id LIMIT ?2", program,
            limit
        ) { ($0.bytes(0), $0.int64(1), $0.instant(2), $0.isNull(3) ? nil : $0.int64(3), $0.text(4)) }
        return try rows.map { body, failures, due, receipt, traceparent in
            StoredDelivery(
                delivery: try Delivery.stored(body, in: "delivery"), failures: failures, due: due,
                receipt: receipt, traceparent: traceparent)
        }
    }

    /// The newest deliveries before an id, oldest first; fewer if they would not fit into an answer.
    /// - Returns: also whether there are older ones.
    func newest(activity: String?, before: Int64?, limit: Int64) throws -> (page: [Delivery], isMore: Bool) {
        let bodies = try database.query(
            "SELECT body FROM delivery WHERE (?1 IS NULL OR activity = ?1) AND id < ?2 "
                + "ORDER BY id DESC LIMIT ?3", activity, before ?? Int64.max, limit + 1
        ) { $0.bytes(0) }
        var bytes = 0
        let fitting = bodies.prefix(Int(limit)).prefix { body in
            bytes += body.count + 1
            return bytes <= Limits.eventBytesPerAnswerMax
        }
        let page = try fitting.reversed().map { try Delivery.stored($0, in: "delivery") }
        return (page, fitting.count < bodies.count)
    }

    /// Finished deliveries after an id, oldest first.
    func finished(after id: Int64, limit: Int64) throws -> [Delivery] {
        let bodies = try database.query(
            "SELECT body FROM delivery WHERE id > ?1 AND state IN ('delivered', 'failed') "
                + "ORDER BY id LIMIT ?2",
            id, limit
        ) { $0.bytes(0) }
        return try bodies.map { try Delivery.stored($0, in: "delivery") }
    }
}
