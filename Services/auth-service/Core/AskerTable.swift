import Contract
import JSON
import Store
import Units

/// A request that waits or waited for the person's decision. It survives a restart: the caller's client
/// repeats the request with the same idempotency key and continues to wait, or gets the answer it missed.
struct Asker {
    /// Uid and client of the caller; the same key of another caller is another request.
    var caller: String
    var key: String
    var params: [UInt8]
    var authorization: String
    var traceparent: String
    /// When it ends without an answer.
    var deadline: Instant
    /// Nil while it waits.
    var answer: Result<AuthorizationRequest.Result, ServiceError>?

    var id: String { "\(caller)\u{0}\(key)" }

    /// Whether it asks for names, too.
    var asksDataAccess: Bool {
        get throws(StoreError) {
            try AuthorizationRequest.Params.stored(params, in: "asker").dataAccess == true
        }
    }
}

/// Rows of the table `asker`.
struct AskerTable {
    let database: Database

    private static let columns =
        "SELECT caller, key, params, authorization, traceparent, deadline_ms, answer, error FROM asker"

    private static func read(_ row: Statement) throws(StoreError) -> Asker {
        var asker = Asker(
            caller: row.text(0), key: row.text(1), params: row.bytes(2), authorization: row.text(3),
            traceparent: row.text(4), deadline: row.instant(5))
        if !row.isNull(6) { asker.answer = .success(try .stored(row.bytes(6), in: "asker")) }
        if !row.isNull(7) {
            asker.answer = .failure(try ErrorObject.stored(row.bytes(7), in: "asker").serviceError)
        }
        return asker
    }

    func find(caller: String, key: String) throws(StoreError) -> Asker? {
        try database.first(Self.columns + " WHERE caller = ?1 AND key = ?2", caller, key, row: Self.read)
    }

    /// Requests that wait for one authorization.
    func waiting(authorization: String) throws(StoreError) -> [Asker] {
        try database.query(
            Self.columns + " WHERE authorization = ?1 AND ended_ms IS NULL", authorization, row: Self.read)
    }

    /// A request that waits.
    struct Waiting {
        let caller: String
        let key: String
        let deadline: Instant

        /// As ``Asker/id``.
        var id: String { "\(caller)\u{0}\(key)" }
    }

    /// All requests that wait, at most ``AuthLimits/askersMax`` for each authorization.
    func waiting() throws(StoreError) -> [Waiting] {
        try database.query("SELECT caller, key, deadline_ms FROM asker WHERE ended_ms IS NULL") {
            Waiting(caller: $0.text(0), key: $0.text(1), deadline: $0.instant(2))
        }
    }

    func insert(_ asker: Asker) throws(StoreError) {
        try database.run(
            "INSERT INTO asker (caller, key, params, authorization, traceparent, deadline_ms) "
                + "VALUES (?1, ?2, ?3, ?4, ?5, ?6)",
            asker.caller, asker.key, asker.params, asker.authorization, asker.traceparent, asker.deadline)
    }

    func end(
        _ asker: Asker, _ answer: Result<AuthorizationRequest.Result, ServiceError>, at now: Instant
    ) throws(StoreError) {
        var result: [UInt8]?
        var error: [UInt8]?
        switch answer {
        case .success(let value): result = value.encoded()
        case .failure(let refusal): error = ErrorObject(refusal).encoded()
        }
        try database.run(
            "UPDATE asker SET ended_ms = ?3, answer = ?4, error = ?5 WHERE caller = ?1 AND key = ?2",
            asker.caller, asker.key, now, result, error)
    }

    /// Deletes answers as old as those that the bus deletes.
    func expire(before: Instant) throws(StoreError) {
        try database.run("DELETE FROM asker WHERE ended_ms < ?1", before)
    }
}
