import Contract
import ServiceKit
internal import Store
import Units

/// Callbacks that were given up. Their effect is missing until a later callback replaces it.
extension DeliveryTable {
    /// Marks a callback as given up; it replaces earlier ones of the same kind.
    func markMissing(_ delivery: Delivery) throws {
        guard try !isRevoked(delivery) else { return }
        try replaceMissing(by: delivery) { Self.isSame($0, delivery) }
        try database.run("UPDATE delivery SET is_missing = 1 WHERE id = ?1", delivery.id)
    }

    /// Records that a callback was delivered. It replaces the same missing callback or, if it starts or ends
    /// an interval, all missing ones of its activity, which is consistent from then on.
    func noteDelivered(_ delivery: Delivery) throws {
        let callback = CallbackName(rawValue: delivery.callback)
        let isBoundary = callback == .intervalDidStart || callback == .intervalDidEnd
        try replaceMissing(by: delivery) { isBoundary || Self.isSame($0, delivery) }
    }

    private static func isSame(_ one: Delivery, _ other: Delivery) -> Bool {
        one.callback == other.callback && one.about.event == other.about.event
    }

    private func replaceMissing(by later: Delivery, _ isIncluded: (Delivery) -> Bool) throws {
        for missing in try missing(of: later.program ?? "") {
            let about = missing.about
            guard about.activity == later.about.activity, about.client == later.about.client,
                about.member == later.about.member, isIncluded(missing)
            else { continue }
            try forgetMissing(missing.id)
        }
    }

    /// Missing callbacks of an extension that no later one replaced, oldest first.
    func missing(of program: String) throws -> [Delivery] {
        let bodies = try database.query(
            "SELECT body FROM delivery WHERE extension = ?1 AND is_missing = 1 ORDER BY id", program
        ) { $0.bytes(0) }
        return try bodies.map { try Delivery.stored($0, in: "delivery") }
    }

    /// The callback of an extension that fails now, and the first of each other activity that waits behind
    /// it.
    func held(of program: String) throws -> [Delivery] {
        let open = try unfinished(of: program, limit: MonitorLimits.heldReadMax).map(\.delivery)
        guard open.first?.error != nil else { return [] }
        var seen: Set<[String]> = []
        return open.filter { seen.insert([$0.about.client, $0.about.member, $0.about.activity]).inserted }
    }

    /// The app's approval for one member was revoked. What it registered later is not concerned: it may have
    /// been heard of before. What cannot be read is not delivered either.
    func revoke(_ authorization: Authorization) throws {
        try database.run(
            "INSERT OR REPLACE INTO revocation (client, member, at_ms) VALUES (?1, ?2, ?3)",
            authorization.client, authorization.member, authorization.decided ?? 0)
        try database.run(
            """
            UPDATE delivery SET is_revoked = 1 WHERE state IN ('waiting', 'running')
                AND CASE WHEN json_valid(CAST(body AS TEXT)) THEN
                    json_extract(CAST(body AS TEXT), '$.about.client') = ?1
                    AND json_extract(CAST(body AS TEXT), '$.about.member') = ?2
                    AND ifnull(json_extract(CAST(body AS TEXT), '$.about.registered_ms'), 0) <= ?3
                END
            """, authorization.client, authorization.member, authorization.decided ?? 0)
    }

    /// The app is approved, again or for the first time.
    func allow(_ authorization: Authorization) throws {
        try database.run(
            "DELETE FROM revocation WHERE client = ?1 AND member = ?2", authorization.client,
            authorization.member)
    }

    /// Whether its app's approval was revoked while it waited, or after its activity was registered and not
    /// given again. Deliveries of an older version do not contain the time of registration.
    func isRevoked(_ delivery: Delivery) throws -> Bool {
        let isMarked = try database.first("SELECT is_revoked FROM delivery WHERE id = ?1", delivery.id) {
            $0.int64(0) != 0
        }
        if isMarked == true { return true }
        let about = delivery.about
        let revoked = try database.first(
            "SELECT at_ms FROM revocation WHERE client = ?1 AND member = ?2", about.client, about.member
        ) { $0.instant(0) }
        return revoked.map { about.registered ?? 0 <= $0 } ?? false
    }

    func forgetMissing(_ delivery: Int64) throws {
        try database.run("UPDATE delivery SET is_missing = 0 WHERE id = ?1", delivery)
    }

    /// The extension was removed: nothing is expected of it.
    func forgetMissing(of program: String) throws {
        try database.run(
            "UPDATE delivery SET is_missing = 0 WHERE extension = ?1 AND is_missing = 1", program)
    }
}

extension Delivery {
    /// What does not happen because this callback was not delivered, for `status`: rule, callback and reason.
    func missingSentence(isOfThePerson: Bool) -> String {
        let rule = isOfThePerson ? "limit '\(about.activity)'" : "'\(about.activity)' of \(about.client)"
        let name = callback + (about.event.map { " of '\($0)'" } ?? "")
        let reason = VisibleText.shortened(error ?? "", bytesMax: MonitorLimits.stateTextBytesMax)
        guard state == .failed else {
            return error == nil
                ? "\(rule): \(name) waits for a callback of \(program ?? "") that could not be delivered"
                : "\(rule): \(name) could not be delivered and will be retried: \(reason)"
        }
        return "\(rule): \(name) was given up after \(failures ?? 0) attempts; its effect is missing "
            + "until the interval ends or begins (or restart the activity): \(reason)"
    }
}
