import Contract
import Store

/// Rows of the table `member`.
struct MemberTable {
    let database: Database

    private static let columns = "SELECT id, name, role, uid FROM member"

    private static func read(_ row: Statement) throws(StoreError) -> Member {
        guard let role = MemberRole(rawValue: row.text(2)) else {
            throw StoreError(.damaged, message: "the table member has a role that no version writes")
        }
        return Member(
            id: row.text(0), name: row.text(1), role: role, uid: row.isNull(3) ? nil : row.int64(3))
    }

    /// Sorted by name.
    func all() throws(StoreError) -> [Member] {
        try database.query(Self.columns + " ORDER BY name, id", row: Self.read)
    }

    func find(id: String) throws(StoreError) -> Member? {
        try database.first(Self.columns + " WHERE id = ?1", id, row: Self.read)
    }

    func insert(_ member: Member) throws(StoreError) {
        try database.run(
            "INSERT INTO member (id, name, role, uid) VALUES (?1, ?2, ?3, ?4)",
            member.id, member.name, member.role.rawValue, member.uid)
    }

    func delete(id: String) throws(StoreError) {
        try database.run("DELETE FROM member WHERE id = ?1", id)
    }
}
