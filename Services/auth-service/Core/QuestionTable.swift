import Store

/// A question to the person, as a notification. One row from the question until its notification is known to
/// be off the screen, so that neither a restart nor an absent notifier leaves an obsolete question there.
struct Question: Equatable {
    /// Identifier of the notification. Each question has its own, so that a button answers the question on
    /// which it was, whatever happened to the clock since.
    var identifier: String
    /// Id of the authorization that it asks for.
    var authorization: String
}

/// Rows of the table `question`.
struct QuestionTable {
    let database: Database

    private static let columns = "SELECT identifier, authorization FROM question "

    private static func read(_ row: Statement) -> Question {
        Question(identifier: row.text(0), authorization: row.text(1))
    }

    /// A new question about an authorization.
    func ask(_ authorization: String) throws(StoreError) -> Question {
        let new = Question(
            identifier: "\(AuthService.questionPrefix)\(authorization).\(AuthService.shortID())",
            authorization: authorization)
        try database.run(
            "INSERT INTO question (identifier, authorization) VALUES (?1, ?2)", new.identifier, authorization)
        return new
    }

    /// The question that waits for an answer, by its authorization or by its notification.
    func open(_ authorization: String) throws(StoreError) -> Question? {
        try database.first(
            Self.columns + "WHERE authorization = ?1 AND ended_by IS NULL", authorization, row: Self.read)
    }

    func open(identifier: String) throws(StoreError) -> Question? {
        try database.first(
            Self.columns + "WHERE identifier = ?1 AND ended_by IS NULL", identifier, row: Self.read)
    }

    /// The open question about an authorization is over; its notification is not withdrawn yet.
    /// - Parameter trace: traceparent of what ended it.
    func end(_ authorization: String, trace: String) throws(StoreError) {
        try database.run(
            "UPDATE question SET ended_by = ?2 WHERE authorization = ?1 AND ended_by IS NULL",
            authorization, trace)
        // Where no notifier ever runs, nothing was shown either.
        try database.run(
            "DELETE FROM question WHERE number IN (SELECT number FROM question WHERE ended_by IS NOT NULL "
                + "ORDER BY number DESC LIMIT -1 OFFSET ?1)", AuthLimits.questionsKept)
    }

    /// The first question that is over and may still be on the screen, and what ended it.
    func firstOver() throws(StoreError) -> (question: Question, trace: String)? {
        try database.first(
            "SELECT identifier, authorization, ended_by FROM question WHERE ended_by IS NOT NULL "
                + "ORDER BY number LIMIT 1"
        ) { (Self.read($0), $0.text(2)) }
    }

    /// Its notification is withdrawn.
    func remove(_ question: Question) throws(StoreError) {
        try database.run(
            "DELETE FROM question WHERE identifier = ?1 AND ended_by IS NOT NULL", question.identifier)
    }
}
