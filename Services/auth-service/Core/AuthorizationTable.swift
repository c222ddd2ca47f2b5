import Contract
import Store
import Units

/// Rows of the table `authorization`: one per client and member, kept even if denied or revoked.
struct AuthorizationTable {
    let database: Database

    private static let columns = """
        SELECT id, client, client_name, member, for_whom, status, pending, access, restrictions, \
        requested_ms, decided_ms, data_access, asks_data_access FROM authorization
        """

    private static func read(_ row: Statement) throws(StoreError) -> Authorization {
        guard let forWhom = AuthorizationFor(rawValue: row.text(4)),
            let status = AuthorizationStatus(rawValue: row.text(5))
        else {
            throw StoreError.unreadable("authorization", "an unknown value")
        }
        return Authorization(
            id: row.text(0), client: row.text(1), clientName: row.isNull(2) ? nil : row.text(2),
            member: row.text(3), forWhom: forWhom, status: status, pending: row.int64(6) != 0,
            access: row.int64(7) != 0, restrictions: row.int64(8) != 0, requested: row.instant(9),
            decided: row.isNull(10) ? nil : row.instant(10), dataAccess: row.isNull(11) ? nil : true,
            asksDataAccess: row.isNull(12) ? nil : true)
    }

    func find(id: String) throws(StoreError) -> Authorization? {
        try database.first(Self.columns + " WHERE id = ?1", id, row: Self.read)
    }

    func find(client: String, member: String) throws(StoreError) -> Authorization? {
        try database.first(
            Self.columns + " WHERE client = ?1 AND member = ?2", client, member, row: Self.read)
    }

    /// Sorted by client, then member. Nil does not filter.
    func all(client: String? = nil, member: String? = nil) throws(StoreError) -> [Authorization] {
        try database.query(
            Self.columns + " WHERE client = ifnull(?1, client) AND member = ifnull(?2, member) "
                + "ORDER BY client, member",
            client, member, row: Self.read)
    }

    func pending() throws(StoreError) -> [Authorization] {
        try database.query(Self.columns + " WHERE pending ORDER BY requested_ms", row: Self.read)
    }

    /// Inserts or replaces a row by its id.
    func save(_ authorization: Authorization) throws(StoreError) {
        try database.run(
            """
            INSERT OR REPLACE INTO authorization (id, client, client_name, member, for_whom, status, \
            pending, access, restrictions, requested_ms, decided_ms, data_access, asks_data_access) \
            VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10, ?11, ?12, ?13)
            """,
            authorization.id, authorization.client, authorization.clientName, authorization.member,
            authorization.forWhom.rawValue, authorization.status.rawValue, authorization.pending,
            authorization.access, authorization.restrictions, authorization.requested,
            authorization.decided, Self.flag(authorization.dataAccess),
            Self.flag(authorization.asksDataAccess))
    }

    /// False is stored as NULL.
    private static func flag(_ value: Bool?) -> Int64? { value == true ? 1 : nil }

    func delete(id: String) throws(StoreError) {
        try database.run("DELETE FROM authorization WHERE id = ?1", id)
    }
}
