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
        /// The earliest end first; up to 500.
        package var exceptions: [ShieldException] = []
        /// How many there are beyond those.
        package var leftOut: Int64?
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

/// An exception that began or ended.
@Record
package struct ExceptionEntry: Record {
    /// Position in shield-service's log.
    package var sequence: Int64 = 0
    /// When it was stored, UTC milliseconds of the machine's clock.
    package var at: Instant = 0
    /// Trace id of what caused it; see trace.read.
    @Field(.publicText) package var trace: String = ""
    /// The exception; if it ended, `end` is when.
    package var exception: ShieldException = ShieldException()
    /// Why it ended; absent: it began.
    package var ending: ExceptionEnding?
}

/// Reads which exceptions began and ended, the oldest first. What was forgotten, is older than the days kept,
/// or was trimmed from the log, is not in it. audit.read has the requests that they follow from.
@Method("exception.history", of: .shield, .read, for: .person)
package enum ExceptionHistory: Method {
    /// Where to start, and about whom.
    @Record("exception.history.params")
    package struct Params: Record {
        /// Member id, also of a removed one; default all.
        package var member: String?
        /// Sequence after which to read; 0 for the beginning.
        package var after: Int64 = 0
    }

    /// A page.
    @Record("exception.history.result")
    package struct Result: Record {
        /// In order of their sequence.
        package var entries: [ExceptionEntry] = []
        /// First sequence that is still stored; what was before it is trimmed.
        package var first: Int64 = 0
        /// Last sequence.
        package var head: Int64 = 0
        /// All entries up to this sequence are in this or an earlier page; if it is less than `head`,
        /// continue after it.
        package var through: Int64 = 0
    }
}
