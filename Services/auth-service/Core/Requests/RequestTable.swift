import Contract
import Store
import Units

/// Rows of the table `request`: requests for more time, and those that are over as long as they are kept.
struct RequestTable {
    let database: Database

    private static let columns = """
        SELECT id, member, kind, subject, minutes, one_more_minute, reason, asked_ms, self_approval_ms, \
        day_end_ms, state, decided_ms, decider, granted, end_ms, answer, boot_id, boottime_ms FROM request
        """

    private static func read(_ row: Statement) throws(StoreError) -> TimeRequest {
        let decider = row.isNull(12) ? nil : RequestDecider(rawValue: row.text(12))
        guard let kind = SubjectKind(rawValue: row.text(2)), let state = RequestState(rawValue: row.text(10)),
            row.isNull(12) || decider != nil
        else {
            throw StoreError.unreadable("request", "an unknown value")
        }
        return TimeRequest(
            id: row.text(0), member: row.text(1), kind: kind, subject: row.text(3),
            minutes: row.isNull(4) ? nil : row.int64(4), oneMoreMinute: row.int64(5) != 0 ? true : nil,
            reason: row.isNull(6) ? nil : row.text(6), asked: row.instant(7),
            selfApproval: row.isNull(8) ? nil : row.instant(8), dayEnd: row.instant(9), state: state,
            decided: row.isNull(11) ? nil : row.instant(11), decider: decider,
            bootID: row.isNull(16) ? nil : row.text(16),
            boottime: row.isNull(17) ? nil : Milliseconds(row.int64(17)),
            granted: row.isNull(13) ? nil : row.int64(13), end: row.isNull(14) ? nil : row.instant(14),
            answer: row.isNull(15) ? nil : row.text(15))
    }

    // MARK: reading

    func find(id: String) throws(StoreError) -> TimeRequest? {
        try database.first(Self.columns + " WHERE id = ?1", id, row: Self.read)
    }

    /// The pending request of a member for a subject, which may be written in another Unicode form.
    func pending(member: String, kind: SubjectKind, subject: String) throws(StoreError) -> TimeRequest? {
        try pending(member: member).first { $0.kind == kind && $0.subject == subject }
    }

    /// Pending requests in the order in which they were made. Nil does not filter.
    func pending(member: String? = nil) throws(StoreError) -> [TimeRequest] {
        try database.query(
            Self.columns + " WHERE state = 'pending' AND member = ifnull(?1, member) ORDER BY number", member,
            row: Self.read)
    }

    /// All of them, in the order in which they were made. Nil does not filter.
    func all(member: String? = nil) throws(StoreError) -> [TimeRequest] {
        try database.query(
            Self.columns + " WHERE member = ifnull(?1, member) ORDER BY number", member, row: Self.read)
    }

    /// The newest first. Nil does not filter.
    /// - Parameter before: only those made before this one.
    func newest(
        member: String?, state: RequestState?, before: String?, limit: Int64
    ) throws(StoreError) -> [TimeRequest] {
        try database.query(
            Self.columns + """
                 WHERE member = ifnull(?1, member) AND state = ifnull(?2, state)
                 AND (?3 IS NULL OR number < (SELECT number FROM request WHERE id = ?3))
                 ORDER BY number DESC LIMIT ?4
                """, member, state?.rawValue, before, limit, row: Self.read)
    }

    /// What the present state consists of: pending requests, and approved ones whose end is after `now`.
    func present(at now: Instant) throws(StoreError) -> [TimeRequest] {
        try database.query(
            Self.columns + " WHERE state = 'pending' OR state = 'approved' AND end_ms > ?1", now,
            row: Self.read)
    }

    /// End of the day of the last one more minute that is known; nil if there is none. The subject may be
    /// written in another Unicode form.
    func lastMinuteDayEnd(
        member: String, kind: SubjectKind, subject: String
    ) throws(StoreError) -> Instant? {
        try database.query(
            "SELECT subject, day_end_ms FROM request WHERE member = ?1 AND kind = ?2 AND one_more_minute",
            member, kind.rawValue
        ) { ($0.text(0), $0.instant(1)) }.filter { $0.0 == subject }.map(\.1).max()
    }

    /// What the request continues: traceparent.
    func trace(id: String) throws(StoreError) -> String? {
        try database.first("SELECT traceparent FROM request WHERE id = ?1", id) { $0.text(0) }
    }

    // MARK: what is due

    /// Pending ones whose day has ended.
    func overdue(at now: Instant) throws(StoreError) -> [TimeRequest] {
        try database.query(
            Self.columns + " WHERE state = 'pending' AND day_end_ms <= ?1 ORDER BY number", now,
            row: Self.read)
    }

    /// Pending ones that their member may decide now, and was not asked about yet.
    func opened(at now: Instant) throws(StoreError) -> [TimeRequest] {
        try database.query(
            Self.columns + " WHERE state = 'pending' AND self_approval_ms <= ?1 AND day_end_ms > ?1"
                + Self.unasked + " ORDER BY number", now, row: Self.read)
    }

    /// When the next pending one expires or can be decided by its member; nil if there is none.
    func nextDue() throws(StoreError) -> Instant? {
        try database.first(
            """
            SELECT min(due_ms) FROM (
                SELECT min(day_end_ms) AS due_ms FROM request WHERE state = 'pending'
                UNION ALL
                SELECT min(self_approval_ms) FROM request WHERE state = 'pending'\(Self.unasked)
            )
            """
        ) { $0.isNull(0) ? nil : $0.instant(0) } ?? nil
    }

    private static let unasked = " AND id NOT IN (SELECT request FROM request_question)"

    // MARK: writing

    /// - Parameter trace: traceparent of what made it.
    func insert(_ request: TimeRequest, trace: String) throws(StoreError) {
        try database.run(
            """
            INSERT INTO request (id, member, kind, subject, minutes, one_more_minute, reason, asked_ms, \
            self_approval_ms, day_end_ms, state, traceparent)
            VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10, ?11, ?12)
            """,
            request.id, request.member, request.kind.rawValue, request.subject, request.minutes,
            request.oneMoreMinute == true, request.reason, request.asked, request.selfApproval,
            request.dayEnd, request.state.rawValue, trace)
    }

    /// Stores how it ended.
    func end(_ request: TimeRequest) throws(StoreError) {
        try database.run(
            """
            UPDATE request SET state = ?2, decided_ms = ?3, decider = ?4, granted = ?5, end_ms = ?6, \
            answer = ?7, boot_id = ?8, boottime_ms = ?9 WHERE id = ?1
            """,
            request.id, request.state.rawValue, request.decided, request.decider?.rawValue, request.granted,
            request.end, request.answer, request.bootID, request.boottime)
    }

    func delete(id: String) throws(StoreError) {
        try database.run("DELETE FROM request WHERE id = ?1", id)
    }

    // MARK: what is kept

    private static let over = "state <> 'pending'"
    /// Over, and still needed at ?1: in effect, or one more minute by which the day of the next one ends.
    private static let needed = """
        (state = 'approved' AND end_ms > ?1
        OR one_more_minute AND day_end_ms > ?1 - \(AuthLimits.minuteDayMin.count))
        """

    func countNeeded(of member: String, at now: Instant) throws(StoreError) -> Int64 {
        try database.first(
            "SELECT count(*) FROM request WHERE \(Self.over) AND \(Self.needed) AND member = ?2", now, member
        ) { $0.int64(0) } ?? 0
    }

    /// Deletes the oldest that are over and not needed, until no more than `kept` are over.
    func prune(to kept: Int64, at now: Instant) throws(StoreError) {
        let excess = try database.integer("SELECT count(*) FROM request WHERE \(Self.over)") - kept
        guard excess > 0 else { return }
        try database.run(
            """
            DELETE FROM request WHERE number IN (
                SELECT number FROM request WHERE \(Self.over) AND NOT \(Self.needed) ORDER BY number LIMIT ?2
            )
            """, now, excess)
    }
}
