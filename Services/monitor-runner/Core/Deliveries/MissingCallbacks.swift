import Contract
import ServiceKit
internal import Store
import Units

/// Callbacks that were given up: what each was to do is not done until another one takes its place.
extension DeliveryTable {
    /// Notes that a callback was given up; earlier ones of the same kind are said with it.
    func markMissing(_ delivery: Delivery) throws {
        guard try !isRevoked(delivery) else { return }
        try takePlace(by: delivery) { Self.isSame($0, delivery) }
        try database.run("UPDATE delivery SET is_missing = 1 WHERE id = ?1", delivery.id)
    }

    /// Notes that a callback was delivered. It takes the place of the same one, and where its interval begins
    /// or ends, of all of its activity: from there on the activity acts anew.
    func noteDelivered(_ delivery: Delivery) throws {
        let callback = CallbackName(rawValue: delivery.callback)
        let isBoundary = callback == .intervalDidStart || callback == .intervalDidEnd
        try takePlace(by: delivery) { isBoundary || Self.isSame($0, delivery) }
    }

    private static func isSame(_ one: Delivery, _ other: Delivery) -> Bool {
        one.callback == other.callback && one.about.event == other.about.event
    }

    private func takePlace(by later: Delivery, _ isMeant: (Delivery) -> Bool) throws {
        for missing in try missing(of: later.program ?? "") {
            let about = missing.about
            guard about.activity == later.about.activity, about.client == later.about.client,
                about.member == later.about.member, isMeant(missing)
            else { continue }
            try forgetMissing(missing.id)
        }
    }

    /// Those of an extension in whose place no other came, oldest first.
    func missing(of program: String) throws -> [Delivery] {
        let bodies = try database.query(
            "SELECT body FROM delivery WHERE extension = ?1 AND is_missing = 1 ORDER BY id", program
        ) { $0.bytes(0) }
        return try bodies.map { try Delivery.decode($0) }
    }

    /// The callback of an extension that fails now, and the first of each other activity that waits for it.
    func held(of program: String) throws -> [Delivery] {
        let open = try unfinished(of: program, limit: MonitorLimits.heldReadMax).map(\.delivery)
        guard open.first?.error != nil else { return [] }
        var seen: Set<[String]> = []
        return open.filter { seen.insert([$0.about.client, $0.about.member, $0.about.activity]).inserted }
    }

    /// The app lost its permission, for one member.
    func revoke(_ authorization: Authorization) throws {
        try database.run(
            "INSERT OR REPLACE INTO revocation (client, member, at_ms) VALUES (?1, ?2, ?3)",
            authorization.client, authorization.member, authorization.decided ?? 0)
    }

    /// The app has its permission, again or for the first time.
    func allow(_ authorization: Authorization) throws {
        try database.run(
            "DELETE FROM revocation WHERE client = ?1 AND member = ?2", authorization.client,
            authorization.member)
    }

    /// Whether its activity was registered before its app lost its permission. One that was told by an older
    /// version does not say when that was.
    func isRevoked(_ delivery: Delivery) throws -> Bool {
        let about = delivery.about
        let revoked = try database.first(
            "SELECT at_ms FROM revocation WHERE client = ?1 AND member = ?2", about.client, about.member
        ) { $0.instant(0) }
        return revoked.map { about.registered ?? 0 <= $0 } ?? false
    }

    func forgetMissing(_ delivery: Int64) throws {
        try database.run("UPDATE delivery SET is_missing = 0 WHERE id = ?1", delivery)
    }

    /// The extension is no more: nothing is expected of it.
    func forgetMissing(of program: String) throws {
        try database.run(
            "UPDATE delivery SET is_missing = 0 WHERE extension = ?1 AND is_missing = 1", program)
    }
}

extension Delivery {
    /// What does not happen because this callback does not arrive, for `status`: rule, callback and reason.
    func sayMissing(isOfThePerson: Bool) -> String {
        let rule = isOfThePerson ? "limit '\(about.activity)'" : "'\(about.activity)' of \(about.client)"
        let name = callback + (about.event.map { " of '\($0)'" } ?? "")
        let reason = VisibleText.shortened(error ?? "", bytesMax: MonitorLimits.stateTextBytesMax)
        guard state == .failed else {
            return error == nil
                ? "\(rule): \(name) waits for a callback of \(program ?? "") that could not be delivered"
                : "\(rule): \(name) could not be delivered, and is tried again: \(reason)"
        }
        return "\(rule): \(name) was given up after \(failures ?? 0) attempts, and what it was to do is not "
            + "done until the interval ends or begins (or start the activity anew): \(reason)"
    }
}
