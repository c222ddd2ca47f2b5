import Contract
import Store

/// Rows of the table `member`.
struct MemberTable {
    let database: Database

    private static let columns = "SELECT id, name, role, uid, zone, day_start_minutes FROM member"

    private static func read(_ row: Statement) throws(StoreError) -> Member {
        guard let role = MemberRole(rawValue: row.text(2)) else {
            throw StoreError(.damaged, message: "the table member has an unknown role")
        }
        return Member(
            id: row.text(0), name: row.text(1), role: role, uid: row.isNull(3) ? nil : row.int64(3),
            zone: row.isNull(4) ? nil : row.text(4), dayStartMinutes: row.int64(5))
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

    func update(_ member: Member) throws(StoreError) {
        try database.run(
            "UPDATE member SET zone = ?2, day_start_minutes = ?3 WHERE id = ?1",
            member.id, member.zone, member.dayStartMinutes)
    }

    func delete(id: String) throws(StoreError) {
        try database.run("DELETE FROM member WHERE id = ?1", id)
    }
}
