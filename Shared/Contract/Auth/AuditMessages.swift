package import JSON
package import Units

/// Something that was asked for, decided or changed: a request for more time, an authorization or a member.
@Record
package struct AuditEntry: Record {
    /// Position in auth-service's log.
    package var sequence: Int64 = 0
    /// When it was stored, UTC milliseconds of the machine's clock.
    package var at: Instant = 0
    /// Trace id of what caused it; see trace.read.
    @Field(.publicText) package var trace: String = ""
    /// The request for more time, as it was made or as it ended; its `decider` says who decided it.
    package var request: TimeRequest?
    /// The authorization after an app asked, or after the person decided. Not recorded: whether the person or
    /// the app itself gave an approval back (then it is `notDetermined`).
    package var authorization: Authorization?
    /// The member after the person, or time (a delay that waited), changed it.
    package var changed: Member?
    /// True: the member was removed.
    package var removed: Bool?

    /// Id of the member concerned.
    package var member: String { request?.member ?? authorization?.member ?? changed?.id ?? "" }
}

/// Reads who asked for and decided what, when and why, the oldest first. What was forgotten, is older than
/// the days kept, or was trimmed from the log, is not in it. exception.history has what followed from
/// approved requests.
@Method("audit.read", of: .auth, .read, for: .person)
package enum AuditRead: Method {
    /// Where to start, and about whom.
    @Record("audit.read.params")
    package struct Params: Record {
        /// Member id, also of a removed one; default all.
        package var member: String?
        /// Sequence after which to read; 0 for the beginning.
        package var after: Int64 = 0
    }

    /// A page.
    @Record("audit.read.result")
    package struct Result: Record {
        /// In order of their sequence.
        package var entries: [AuditEntry] = []
        /// First sequence that is still stored; what was before it is trimmed.
        package var first: Int64 = 0
        /// Last sequence.
        package var head: Int64 = 0
        /// All entries up to this sequence are in this or an earlier page; if it is less than `head`,
        /// continue after it.
        package var through: Int64 = 0
    }
}
