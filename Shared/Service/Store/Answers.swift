package import Units

/// The answers a service gave, so that a repeated request gets the same answer and no second effect.
/// An answer is kept in the write that has the request's effect. Of some requests only the key is kept.
package struct Answers {
    /// Who asked what.
    package struct Request: Sendable, Equatable {
        /// `idempotency_key`, chosen by the caller; another caller's equal key is another request.
        package let key: String
        package let caller: String
        package let method: String
        /// A hash over the parameters, that tells a repeat from another request with the same key.
        package let hash: [UInt8]

        package init(key: String, caller: String, method: String, hash: [UInt8]) {
            self.key = key
            self.caller = caller
            self.method = method
            self.hash = hash
        }
    }

    package enum Found: Sendable, Equatable {
        /// Never seen, or forgotten since: do it.
        case none
        /// A repeat: send this again.
        case answer([UInt8])
        /// A repeat of what keeps no answer.
        case known
        /// The key was used for something else; the caller made a mistake. The earlier method is named.
        case otherMethod(String)
        /// The key was used for the same method with other parameters; the caller made a mistake.
        case otherParameters
    }

    private let database: Database

    package init(_ database: Database) {
        self.database = database
    }

    package func find(_ request: Request) throws(StoreError) -> Found {
        let found = try database.first(
            "SELECT method, request_hash, answer FROM answer WHERE caller = ?1 AND key = ?2",
            request.caller, request.key
        ) { (method: $0.text(0), hash: $0.bytes(1), answer: $0.bytes(2)) }
        guard let found else { return .none }
        guard found.method == request.method else { return .otherMethod(found.method) }
        guard found.hash == request.hash else { return .otherParameters }
        return found.answer.isEmpty ? .known : .answer(found.answer)
    }

    /// - Parameter at: UTC, milliseconds.
    /// - Throws: `.constraint` when the key has an answer already (`find` first); `.misuse` outside of a
    ///   write.
    package func keep(_ request: Request, answer: [UInt8], at: Instant) throws(StoreError) {
        try database.checkInsideWrite("keeping an answer")
        try database.run(
            "INSERT INTO answer (caller, key, method, request_hash, answer, at_ms) "
                + "VALUES (?1, ?2, ?3, ?4, ?5, ?6)",
            request.caller, request.key, request.method, request.hash, answer, at)
    }

    /// Keeps the key of a request whose answer is not kept. Again: no change.
    package func keepKey(_ request: Request, at: Instant) throws(StoreError) {
        try database.checkInsideWrite("keeping a key")
        try database.run(
            "INSERT INTO answer (caller, key, method, request_hash, answer, at_ms) "
                + "VALUES (?1, ?2, ?3, ?4, x'', ?5) ON CONFLICT DO NOTHING",
            request.caller, request.key, request.method, request.hash, at)
    }

    /// Forgets the oldest answers, so that those that stay have at most so many bytes with their keys.
    /// - Returns: how many were forgotten.
    package func trim(keepingBytes bytesMax: Int64) throws(StoreError) -> Int64 {
        try database.checkInsideWrite("forgetting answers")
        return try database.query(
            "DELETE FROM answer WHERE rowid IN (SELECT rowid FROM (SELECT rowid, "
                + "sum(length(answer) + length(key) + length(caller)) OVER (ORDER BY at_ms DESC, rowid DESC) "
                + "AS bytes FROM answer) WHERE bytes > ?1) RETURNING 1", bytesMax
        ) { $0.int64(0) }.reduce(0, +)
    }

    /// Forgets answers kept before an instant (UTC, milliseconds).
    package func expire(before: Instant) throws(StoreError) {
        try database.checkInsideWrite("forgetting answers")
        try database.run("DELETE FROM answer WHERE at_ms < ?1", before)
    }
}
