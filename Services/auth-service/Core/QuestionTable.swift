import Store

/// A question to the person, as a notification. One row from the question until its notification is known to
/// be off the screen, so that neither a restart nor an absent notifier leaves an obsolete question there.
struct Question: Equatable {
    /// What a question is about; each has a table of its own.
    enum Topic: String {
        /// An app asks for access.
        case authorization
        /// A member asks for more time.
        case request

        var table: String { self == .authorization ? "question" : "request_question" }
        /// Command that answers it.
        var command: String { self == .authorization ? "authorization" : "requests" }
    }

    var topic: Topic
    /// Identifier of the notification. Each question has its own, so that a button answers the question on
    /// which it was, whatever happened to the clock since.
    var identifier: String
    /// Id of the authorization or of the request.
    var about: String
}

/// Rows of the table of questions about one topic.
struct QuestionTable {
    let database: Database
    let topic: Question.Topic

    private var columns: String { "SELECT identifier, \(topic.rawValue) FROM \(topic.table) " }

    private func read(_ row: Statement) -> Question {
        Question(topic: topic, identifier: row.text(0), about: row.text(1))
    }

    /// A new question. An authorization may be asked about again, so its questions have ids of their own.
    func ask(_ about: String) throws(StoreError) -> Question {
        let suffix = topic == .authorization ? ".\(AuthService.shortID())" : ""
        let new = Question(
            topic: topic, identifier: "\(topic.rawValue).\(about)\(suffix)", about: about)
        try database.run(
            "INSERT INTO \(topic.table) (identifier, \(topic.rawValue)) VALUES (?1, ?2)", new.identifier,
            about)
        return new
    }

    /// The question that waits for an answer, by what it is about or by its notification.
    func open(_ about: String) throws(StoreError) -> Question? {
        try database.first(
            columns + "WHERE \(topic.rawValue) = ?1 AND ended_by IS NULL", about, row: read)
    }

    func open(identifier: String) throws(StoreError) -> Question? {
        try database.first(columns + "WHERE identifier = ?1 AND ended_by IS NULL", identifier, row: read)
    }

    /// Whether there is a question about it, open or over.
    func isKnown(_ about: String) throws(StoreError) -> Bool {
        try database.first(columns + "WHERE \(topic.rawValue) = ?1", about, row: read) != nil
    }

    /// The open question about it is over; its notification is not withdrawn yet.
    /// - Parameter trace: traceparent of what ended it.
    func end(_ about: String, trace: String) throws(StoreError) {
        try database.run(
            "UPDATE \(topic.table) SET ended_by = ?2 WHERE \(topic.rawValue) = ?1 AND ended_by IS NULL",
            about, trace)
        // Where no notifier ever runs, nothing was shown either.
        try database.run(
            """
            DELETE FROM \(topic.table) WHERE number IN (
                SELECT number FROM \(topic.table) WHERE ended_by IS NOT NULL
                ORDER BY number DESC LIMIT -1 OFFSET ?1
            )
            """, AuthLimits.questionsKept)
    }

    /// Keeps the button that was pressed on an open question about a request; nil: none waits any more.
    func keep(_ button: String?, of question: Question) throws(StoreError) {
        try database.run(
            "UPDATE request_question SET pressed = ?2 WHERE identifier = ?1", question.identifier, button)
    }

    /// The open questions about requests with a button that was kept.
    func kept() throws(StoreError) -> [(question: Question, button: String)] {
        try database.query(
            "SELECT identifier, request, pressed FROM request_question "
                + "WHERE pressed IS NOT NULL AND ended_by IS NULL ORDER BY number"
        ) { (read($0), $0.text(2)) }
    }

    /// The first question that is over and may still be on the screen, and what ended it.
    func firstOver() throws(StoreError) -> (question: Question, trace: String)? {
        try database.first(
            "SELECT identifier, \(topic.rawValue), ended_by FROM \(topic.table) WHERE ended_by IS NOT NULL "
                + "ORDER BY number LIMIT 1"
        ) { (read($0), $0.text(2)) }
    }

    /// Its notification is withdrawn.
    func remove(_ question: Question) throws(StoreError) {
        try database.run(
            "DELETE FROM \(topic.table) WHERE identifier = ?1 AND ended_by IS NOT NULL", question.identifier)
    }
}
