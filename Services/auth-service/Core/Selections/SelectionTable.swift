import Contract
import JSON
import Store

/// Rows of the table `selection`.
struct SelectionTable {
    let database: Database

    private static func read(_ row: Statement) throws(StoreError) -> Selection {
        try Selection.stored(row.bytes(0), in: "selection")
    }

    func find(client: String, member: String, name: String) throws(StoreError) -> Selection? {
        try database.first(
            "SELECT body FROM selection WHERE client = ?1 AND member = ?2 AND name = ?3",
            client, member, name, row: Self.read)
    }

    /// Sorted by client, member and name. Nil does not filter.
    func all(client: String? = nil, member: String? = nil) throws(StoreError) -> [Selection] {
        try database.query(
            "SELECT body FROM selection WHERE client = ifnull(?1, client) AND member = ifnull(?2, member) "
                + "ORDER BY client, member, name",
            client, member, row: Self.read)
    }

    func count() throws(StoreError) -> Int64 {
        try database.first("SELECT count(*) FROM selection") { $0.int64(0) } ?? 0
    }

    /// Bytes of the selections of a client, or of all if nil, counting a fixed length per name: a limit by
    /// real bytes would reveal how long names are. Names are counted by the separators between them, which no
    /// name contains.
    func weight(of client: String?) throws(StoreError) -> Int64 {
        try database.first(
            "SELECT coalesce(sum(?2 + ?3 * (length(CAST(body AS TEXT)) "
                + "- length(replace(CAST(body AS TEXT), '\",\"', ''))) / 3), 0) "
                + "FROM selection WHERE client = ifnull(?1, client)",
            client, Self.headBytes, Int64(Limits.subjectBytes) + 3
        ) { $0.int64(0) } ?? 0
    }

    /// Bytes of a selection without its names, rounded up.
    private static let headBytes: Int64 = 2_048

    func save(_ selection: Selection) throws(StoreError) {
        try database.run(
            "INSERT OR REPLACE INTO selection (client, member, name, body) VALUES (?1, ?2, ?3, ?4)",
            selection.client, selection.member, selection.name, selection.encoded())
    }

    func delete(_ selection: Selection) throws(StoreError) {
        try database.run(
            "DELETE FROM selection WHERE client = ?1 AND member = ?2 AND name = ?3",
            selection.client, selection.member, selection.name)
    }
}
