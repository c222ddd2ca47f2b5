import Contract
import Store
import Units

/// Rows of the table `member`.
struct MemberTable {
    let database: Database

    private static let columns = """
        SELECT id, name, role, uid, zone, day_start_minutes, self_approval_minutes, \
        next_self_approval_minutes, next_self_approval_ms, one_more_minute FROM member
        """

    private static func read(_ row: Statement) throws(StoreError) -> Member {
        guard let role = MemberRole(rawValue: row.text(2)) else {
            throw StoreError.unreadable("member", "an unknown role")
        }
        return Member(
            id: row.text(0), name: row.text(1), role: role, uid: row.isNull(3) ? nil : row.int64(3),
            zone: row.isNull(4) ? nil : row.text(4), dayStartMinutes: row.int64(5),
            selfApprovalMinutes: row.isNull(6) ? nil : row.int64(6),
            nextSelfApprovalMinutes: row.isNull(7) ? nil : row.int64(7),
            nextSelfApprovalAt: row.isNull(8) ? nil : row.instant(8),
            oneMoreMinute: row.isNull(9) ? nil : false)
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
            """
            UPDATE member SET zone = ?2, day_start_minutes = ?3, self_approval_minutes = ?4, \
            next_self_approval_minutes = ?5, next_self_approval_ms = ?6, one_more_minute = ?7 WHERE id = ?1
            """,
            member.id, member.zone, member.dayStartMinutes, member.selfApprovalMinutes,
            member.nextSelfApprovalMinutes, member.nextSelfApprovalAt,
            member.oneMoreMinute == false ? Int64(0) : nil)
    }

    /// When the next shorter delay takes effect; nil if none is waiting.
    func nextSettling() throws(StoreError) -> Instant? {
        try database.first("SELECT min(next_self_approval_ms) FROM member") {
            $0.isNull(0) ? nil : $0.instant(0)
        } ?? nil
    }

    /// Notes the end of the day of one more minute whose subject was forgotten.
    func noteForgottenMinute(of id: String, dayEnd: Instant) throws(StoreError) {
        try database.run(
            """
            UPDATE member SET forgotten_minute_ms = max(?2, ifnull(forgotten_minute_ms, ?2)) WHERE id = ?1
            """, id, dayEnd)
    }

    /// The last such end; nil if there is none.
    func forgottenMinuteDayEnd(of id: String) throws(StoreError) -> Instant? {
        try database.first("SELECT forgotten_minute_ms FROM member WHERE id = ?1", id) {
            $0.isNull(0) ? nil : $0.instant(0)
        } ?? nil
    }

    func delete(id: String) throws(StoreError) {
        try database.run("DELETE FROM member WHERE id = ?1", id)
    }
}
