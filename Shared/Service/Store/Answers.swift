package import Units

/// Stored answers, so that a repeated request gets the same answer without a second effect. An answer is
/// stored in the write that has the request's effect. For some requests only the key is stored.
package struct Answers {
    /// Identifies a request and its caller.
    package struct Request: Sendable, Equatable {
        /// `idempotency_key`, chosen by the caller; the same key of another caller is another request.
        package let key: String
        /// The client's bundle id, or the person.
        package let caller: String
        /// Name of the method.
        package let method: String
        /// Digest of the parameters; distinguishes a repeat from another request with the same key.
        package let hash: [UInt8]

        /// A request with these values.
        package init(key: String, caller: String, method: String, hash: [UInt8]) {
            self.key = key
            self.caller = caller
            self.method = method
            self.hash = hash
        }
    }

    /// Result of looking up a request.
    package enum Found: Sendable, Equatable {
        /// Not seen, or deleted since: handle it.
        case none
        /// A repeat: send this answer again.
        case answer([UInt8])
        /// A repeat of a request whose answer is not stored.
        case known
        /// The key was used for this other method; the caller made a mistake.
        case otherMethod(String)
        /// The key was used for the same method with other parameters; the caller made a mistake.
        case otherParameters
    }

    private let database: Database

    /// Answers in the table `answer` of a store.
    package init(_ database: Database) {
        self.database = database
    }

    /// Looks a request up by caller and key.
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
    /// - Throws: `.constraint` if the key already has an answer (call `find` first); `.misuse` outside a
    ///   write.
    package func keep(_ request: Request, answer: [UInt8], at: Instant) throws(StoreError) {
        try database.checkInsideWrite("keeping an answer")
        try database.run(
            "INSERT INTO answer (caller, key, method, request_hash, answer, at_ms) "
                + "VALUES (?1, ?2, ?3, ?4, ?5, ?6)",
            request.caller, request.key, request.method, request.hash, answer, at)
    }

    /// Stores the key of a request whose answer is not stored. Repeating this changes nothing.
    package func keepKey(_ request: Request, at: Instant) throws(StoreError) {
        try database.checkInsideWrite("keeping a key")
        try database.run(
            "INSERT INTO answer (caller, key, method, request_hash, answer, at_ms) "
                + "VALUES (?1, ?2, ?3, ?4, x'', ?5) ON CONFLICT DO NOTHING",
            request.caller, request.key, request.method, request.hash, at)
    }

    /// Deletes the oldest answers, so that the others, with their keys, have at most `bytesMax` bytes.
    /// - Returns: the number of deleted answers.
    package func trim(keepingBytes bytesMax: Int64) throws(StoreError) -> Int64 {
        try database.checkInsideWrite("forgetting answers")
        return try database.query(
            "DELETE FROM answer WHERE rowid IN (SELECT rowid FROM (SELECT rowid, "
                + "sum(length(answer) + length(key) + length(caller)) OVER (ORDER BY at_ms DESC, rowid DESC) "
                + "AS bytes FROM answer) WHERE bytes > ?1) RETURNING 1", bytesMax
        ) { $0.int64(0) }.reduce(0, +)
    }

    /// Deletes answers stored before an instant (UTC, milliseconds).
    package func expire(before: Instant) throws(StoreError) {
        try database.checkInsideWrite("forgetting answers")
        try database.run("DELETE FROM answer WHERE at_ms < ?1", before)
    }
}
