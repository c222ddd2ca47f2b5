package import JSON
package import Units

/// A place that still names what was forgotten, and how a person makes it go.
@Record
package struct LeftPlace: Record, Equatable {
    /// What names it, in a sentence.
    package var place: String = ""
    /// What to do to remove that too.
    package var remedy: String = ""
}

/// Removes recorded use and all that tells of it, to the last byte; every service answers it for its own
/// files.
@Method("privacy.forget", of: .auth, .write, for: .person)
package enum PrivacyForget: Method {
    @Record("privacy.forget.params")
    package struct Params: Record, MemberScoped {
        /// Member id; default the person of the uid.
        package var member: String?
        /// With subject: app, or domain, which covers its subdomains.
        package var kind: SubjectKind?
        /// An app id or a domain: all its use goes.
        package var subject: String?
        /// UTC milliseconds, inclusive: all use from here on goes.
        package var from: Instant?
        /// UTC milliseconds, exclusive: up to here.
        package var to: Instant?
        /// All use, all history and all rules of the member go.
        package var everything: Bool?
        /// Other names of it, from activity-center's answer: texts with one of them go too.
        package var words: [String]?
        /// For report-service, from activity-center's answer: use that began later is new, and stays.
        package var until: Instant?
        /// True: nothing goes; the answer tells what would.
        package var rehearse: Bool?
    }

    @Record("privacy.forget.result")
    package struct Result: Record {
        /// What went, and how many of each.
        package var removed: [Counter] = []
        /// What still names it: rules of the person, which are not use.
        package var left: [LeftPlace] = []
        /// From activity-center: names that nothing is left of; hand them to the other services.
        package var words: [String] = []
        /// The service's clock at that moment.
        package var until: Instant = 0
        /// Head of the log after it; pass it as not_before.
        package var sequence: Int64 = 0
    }
}

/// Recorded use of a member was deleted: cut the stretch out of copies, or build them anew.
///
/// Without a stretch something went that must not be named any more; a copy is built again from
/// events.snapshot, or from the log, where it has no data.
@Event("usage.forgotten", of: .activity)
package struct UsageForgotten: EventData {
    /// Member id.
    package var member: String = ""
    /// UTC milliseconds, inclusive: all use from here on went.
    package var from: Instant?
    /// UTC milliseconds, exclusive: up to here.
    package var to: Instant?
}
