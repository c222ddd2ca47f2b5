import Contract
import Store

/// Rows of the tables `token_grant`, `token_master` and `token_name`, from which tokens are made.
struct GrantTable {
    let database: Database

    /// Number of revocations of the grant; tokens of an earlier generation are invalid.
    func generation(client: String, member: String) throws(StoreError) -> Int64 {
        try database.first(
            "SELECT generation FROM token_grant WHERE client = ?1 AND member = ?2", client, member
        ) { $0.int64(0) } ?? 0
    }

    /// Invalidates all tokens of the client and member. The row stays forever, even without an authorization,
    /// because a generation must never be reused.
    func end(client: String, member: String) throws(StoreError) {
        try database.run(
            "INSERT INTO token_grant (client, member, generation) VALUES (?1, ?2, 1) "
                + "ON CONFLICT (client, member) DO UPDATE SET generation = generation + 1",
            client, member)
    }

    /// The key from which all others are derived; nil before the first start has ended.
    func master() throws(StoreError) -> [UInt8]? {
        let bytes = try database.first("SELECT key FROM token_master") { $0.bytes(0) }
        guard let bytes else { return nil }
        guard bytes.count == TokenSealer.masterBytes else {
            throw StoreError(.damaged, message: "the table token_master has a key of another length")
        }
        return bytes
    }

    func insert(master: [UInt8]) throws(StoreError) {
        try database.run("INSERT INTO token_master (id, key) VALUES (1, ?1)", master)
    }

    /// A name too long for a token, by its digest.
    func name(_ digest: [UInt8]) throws(StoreError) -> String? {
        try database.first("SELECT name FROM token_name WHERE digest = ?1", digest) { $0.text(0) }
    }

    func namesCount() throws(StoreError) -> Int64 { try database.integer("SELECT count(*) FROM token_name") }

    func keep(name: String, _ digest: [UInt8]) throws(StoreError) {
        try database.run("INSERT OR IGNORE INTO token_name (digest, name) VALUES (?1, ?2)", digest, name)
    }
}
