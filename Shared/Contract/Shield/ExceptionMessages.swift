package import JSON
package import Units

/// More time with something shielded: no store shields it until the end. It follows from a request.
@Record
package struct ShieldException: Record {
    /// Id of the request.
    @Field(.publicText) package var id: String = ""
    /// Member id.
    @Field(.publicText) package var member: String = ""
    /// App, domain, category (of apps) or domain_category.
    package var kind: SubjectKind = .app
    /// App id, domain or category.
    @Field(markedBy: "subjectMark") package var subject: String = ""
    /// When it began, UTC milliseconds.
    package var began: Instant = 0
    /// When it ends by itself, UTC milliseconds.
    package var end: Instant = 0
    /// Who decided the request.
    package var decider: RequestDecider = .guardian
    /// Why it was asked for, in the asker's words.
    @Field(.personal) package var reason: String?

    private var subjectMark: FieldMark { .subject(kind.mark) }
}

/// Lists the exceptions that are in effect, the earliest end first.
@Method("exception.list", of: .shield, .read, for: .person)
package enum ExceptionList: Method {
    /// Filter by member.
    @Record("exception.list.params")
    package struct Params: Record {
        /// Member id; default all.
        package var member: String?
    }

    /// The exceptions.
    @Record("exception.list.result")
    package struct Result: Record {
        /// The earliest end first.
        package var exceptions: [ShieldException] = []
        /// Head of the log that this list reflects.
        package var sequence: Int64 = 0
    }
}

/// Ends an exception now. The shields of this instant apply in the same transaction.
@Method("exception.end", of: .shield, .write, for: .person)
package enum ExceptionEnd: Method {
    /// The exception.
    @Record("exception.end.params")
    package struct Params: Record {
        /// Id of its request.
        package var id: String = ""
    }
    /// Only the head of the log after this write.
    package typealias Result = Written
}

/// An exception began: what only it spares is not shielded until its end.
@Event("exception.began", of: .shield)
package struct ExceptionBegan: EventData {
    /// The exception.
    package var exception: ShieldException = ShieldException()
}

/// Why an exception ended.
package enum ExceptionEnding: String, NameEnum {
    /// Its time is over.
    case timeIsOver
    /// A person ended it.
    case person
    /// Its member was removed.
    case memberRemoved
}

/// An exception ended; the shields of this instant apply again.
@Event("exception.ended", of: .shield)
package struct ExceptionEnded: EventData {
    /// As it was; its `end` is when it ended.
    package var exception: ShieldException = ShieldException()
    /// Why it ended.
    package var ending: ExceptionEnding = .timeIsOver
}
