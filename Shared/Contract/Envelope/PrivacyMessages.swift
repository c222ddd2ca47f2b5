package import JSON
package import Units

/// A place that still contains what was deleted, and how a person can delete it there.
@Record
package struct LeftPlace: Record, Equatable {
    /// What contains it, in a sentence.
    package var place: String = ""
    /// How to delete it there.
    package var remedy: String = ""
}

/// Deletes recorded use and everything derived from it without a trace; every service implements it for its
/// own files.
@Method("privacy.forget", of: .auth, .write, for: .person)
package enum PrivacyForget: Method {
    /// What to delete: a subject, a range of time, both, or everything of a member.
    @Record("privacy.forget.params")
    package struct Params: Record, MemberScoped {
        /// Member id; default the person of the uid.
        package var member: String?
        /// Kind of `subject`: app, or domain, which covers its subdomains.
        package var kind: SubjectKind?
        /// An app id or a domain whose use is deleted.
        package var subject: String?
        /// Start of the range to delete, UTC milliseconds, inclusive.
        package var from: Instant?
        /// End of the range to delete, UTC milliseconds, exclusive.
        package var to: Instant?
        /// True: delete all use, all history and all rules of the member.
        package var everything: Bool?
        /// Other names of the subject, from activity-center's answer: texts that contain one are deleted too.
        package var words: [String]?
        /// For report-service, from activity-center's answer: use that began later stays.
        package var until: Instant?
        /// True: delete nothing; the answer lists what would be deleted.
        package var rehearse: Bool?
    }

    /// What was deleted, and what is left.
    @Record("privacy.forget.result")
    package struct Result: Record {
        /// What was deleted, with counts.
        package var removed: [Counter] = []
        /// Rules of the person that still name the subject; they are not use and stay.
        package var left: [LeftPlace] = []
        /// From activity-center: names that are stored nowhere any more; pass them to the other services.
        package var words: [String] = []
        /// Time of the deletion by the service's clock, UTC milliseconds.
        package var until: Instant = 0
        /// Head of the log after this write; pass it as not_before.
        package var sequence: Int64 = 0
    }
}

/// Recorded use of a member was deleted: remove the range from copies, or rebuild them.
///
/// Without a range, something was deleted that must not be named here: rebuild the copy from events.snapshot,
/// or from the log, where the event has no data.
@Event("usage.forgotten", of: .activity)
package struct UsageForgotten: EventData {
    /// Member id.
    package var member: String = ""
    /// Start of the deleted range, UTC milliseconds, inclusive.
    package var from: Instant?
    /// End of the deleted range, UTC milliseconds, exclusive.
    package var to: Instant?
}
