package import JSON

/// A place that still names what was forgotten, and how a person makes it go.
package struct LeftPlace: Record, Equatable {
    package var place = ""
    package var remedy = ""

    package init() {}
    package init(
        place: String = "", remedy: String = ""
    ) {
        self.place = place
        self.remedy = remedy
    }
    package mutating func fields<V: FieldVisitor>(_ visitor: inout V) throws(JSONError) {
        try visitor.field("place", &place, "What names it, in a sentence.")
        try visitor.field("remedy", &remedy, "What to do to remove that too.")
    }
}

/// Removes recorded use and all that tells of it, to the last byte; every service answers it for its own
/// files.
package enum PrivacyForget: Method {
    package static let name = "privacy.forget"
    package static let owner = ServiceName.auth
    package static let effect = Effect.write
    package static let access = Access.person
    package static let summary =
        "Removes recorded use and all that tells of it, to the last byte; every service answers it for its own files."

    package struct Params: Record, MemberScoped {
        package static var title: String { "privacy.forget.params" }
        package var member: String?
        package var kind: SubjectKind?
        package var subject: String?
        package var fromMs: Int64?
        package var toMs: Int64?
        package var everything: Bool?
        package var words: [String]?
        package var untilMs: Int64?
        package var rehearse: Bool?

        package init() {}
        package init(
            member: String? = nil, kind: SubjectKind? = nil, subject: String? = nil, fromMs: Int64? = nil,
            toMs: Int64? = nil, everything: Bool? = nil, words: [String]? = nil, untilMs: Int64? = nil,
            rehearse: Bool? = nil
        ) {
            self.member = member
            self.kind = kind
            self.subject = subject
            self.fromMs = fromMs
            self.toMs = toMs
            self.everything = everything
            self.words = words
            self.untilMs = untilMs
            self.rehearse = rehearse
        }
        package mutating func fields<V: FieldVisitor>(_ visitor: inout V) throws(JSONError) {
            try visitor.field("member", &member, "Member id; default the person of the uid.")
            try visitor.field(
                "kind", &kind, "With subject: app, or domain, which covers its subdomains.")
            try visitor.field("subject", &subject, "An app id or a domain: all its use goes.")
            try visitor.field("from_ms", &fromMs, "UTC milliseconds, inclusive: all use from here on goes.")
            try visitor.field("to_ms", &toMs, "UTC milliseconds, exclusive: up to here.")
            try visitor.field(
                "everything", &everything, "All use, all history and all rules of the member go.")
            try visitor.field(
                "words", &words,
                "Other names of it, from activity-center's answer: texts with one of them go too.")
            try visitor.field(
                "until_ms", &untilMs,
                "For report-service, from activity-center's answer: use that began later is new, and stays.")
            try visitor.field("rehearse", &rehearse, "True: nothing goes; the answer tells what would.")
        }
    }

    package struct Result: Record {
        package static var title: String { "privacy.forget.result" }
        package var removed: [Counter] = []
        package var left: [LeftPlace] = []
        package var words: [String] = []
        package var untilMs: Int64 = 0
        package var sequence: Int64 = 0

        package init() {}
        package init(
            removed: [Counter] = [], left: [LeftPlace] = [], words: [String] = [], untilMs: Int64 = 0,
            sequence: Int64 = 0
        ) {
            self.removed = removed
            self.left = left
            self.words = words
            self.untilMs = untilMs
            self.sequence = sequence
        }
        package mutating func fields<V: FieldVisitor>(_ visitor: inout V) throws(JSONError) {
            try visitor.field("removed", &removed, "What went, and how many of each.")
            try visitor.field("left", &left, "What still names it: rules of the person, which are not use.")
            try visitor.field(
                "words", &words,
                "From activity-center: names that nothing is left of; hand them to the other services.")
            try visitor.field("until_ms", &untilMs, "The service's clock at that moment.")
            try visitor.field("sequence", &sequence, "Head of the log after it; pass it as not_before.")
        }
    }
}

/// Recorded use of a member was deleted. With a stretch: cut it out of every copy. Without: something went
/// that must not be named any more; a copy is built anew from events.snapshot, or from the log, where it
/// has no
/// data.
package struct UsageForgotten: EventData {
    package static let type = "usage.forgotten"
    package static let owner = ServiceName.activity
    package static let summary =
        "Recorded use of a member was deleted: cut the stretch out of copies, or build them anew."
    package var member = ""
    package var fromMs: Int64?
    package var toMs: Int64?

    package init() {}
    package init(
        member: String = "", fromMs: Int64? = nil, toMs: Int64? = nil
    ) {
        self.member = member
        self.fromMs = fromMs
        self.toMs = toMs
    }
    package mutating func fields<V: FieldVisitor>(_ visitor: inout V) throws(JSONError) {
        try visitor.field("member", &member, "Member id.")
        try visitor.field("from_ms", &fromMs, "UTC milliseconds, inclusive: all use from here on went.")
        try visitor.field("to_ms", &toMs, "UTC milliseconds, exclusive: up to here.")
    }
}
