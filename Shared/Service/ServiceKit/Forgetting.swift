package import Contract
package import JSON
package import Loop
package import Units

/// What to delete: requested by `privacy.forget` or by retention; each service deletes it from its own data.
package struct Forgetting: Sendable {
    /// The extent of one deletion.
    package enum Extent: Sendable, Equatable {
        /// All use of one app, or of one domain with its subdomains.
        case subject(SubjectKind, String)
        /// All use in [from, to).
        case stretch(from: Instant, to: Instant)
        /// All use, history and rules.
        case everything
    }

    /// Nil for every member.
    package let member: String?
    /// What is deleted of these members.
    package let extent: Extent
    /// Names that no remaining text may contain.
    package let words: Redaction
    /// The same names, and the last part of an app's id, by which a person may call it. Only for prose.
    package let spokenRedaction: Redaction
    /// Use that began at or after this instant is kept.
    package let until: Instant

    /// A deletion; by default without redacted names and of all use until now.
    package init(member: String?, extent: Extent, words: [String] = [], until: Instant = .max) {
        self.member = member
        self.extent = extent
        self.until = until
        switch extent {
        case .subject(.domain, let name):
            let forms = [name, DomainName.readable(name), DomainName.lettered(name)]
            self.words = Redaction(words + forms, domain: name)
            spokenRedaction = self.words
        case .subject(_, let name):
            self.words = Redaction(words + [name])
            spokenRedaction = Redaction(Self.withLastParts(words + [name]))
        case .stretch, .everything:
            self.words = Redaction(words)
            spokenRedaction = Redaction(Self.withLastParts(words))
        }
    }

    private static func withLastParts(_ names: [String]) -> [String] {
        names + names.compactMap { name in
            name.split { $0 == "." || $0 == "/" }.last.map(String.init).flatMap { $0.count > 2 ? $0 : nil }
        }
    }

    /// - Throws: `invalidParams` unless the request names exactly one of subject, time range and everything.
    @LoopActor package init(_ params: PrivacyForget.Params) throws(ServiceError) {
        var extents: [Extent] = []
        if let kind = params.kind, let subject = params.subject, kind != .category, !subject.isEmpty {
            extents.append(.subject(kind, kind == .domain ? DomainName.spelling(of: subject) : subject))
        }
        if let from = params.from, let to = params.to, from < to {
            extents.append(.stretch(from: from, to: to))
        }
        if params.everything == true { extents.append(.everything) }
        let given = [params.subject != nil, params.from != nil, params.everything == true].filter { $0 }
        guard let extent = extents.first, extents.count == 1, given.count == 1 else {
            throw ServiceError(
                .invalidParams, "the request must name exactly one thing to forget",
                remedy: "Send kind (app or domain) and subject, or from_ms and a later to_ms, or everything.")
        }
        self.init(
            member: params.member ?? Household.defaultMember, extent: extent, words: params.words ?? [],
            until: params.until ?? .max)
    }

    /// Whether the data of a member is concerned.
    package func concerns(member other: String) -> Bool { member == nil || member == other }

    /// Whether this is the subject to delete.
    package func isIncluded(_ kind: SubjectKind, _ name: String) -> Bool {
        guard case .subject(kind, let subject) = extent else { return false }
        return kind == .domain ? DomainName.covers(subject, name) : name == subject
    }

    /// Whether an instant lies in the time range to delete.
    package func contains(_ at: Instant) -> Bool {
        guard case .stretch(let from, let to) = extent else { return false }
        return (from..<to).contains(at)
    }

    /// Whether a person's words name what is forgotten, as people call it.
    package func isSpoken(in words: String?) -> Bool { words.map(spokenRedaction.occur) ?? false }

    /// Whether any text in a record contains a name to delete.
    package func isNamed(in record: some Record) -> Bool {
        isNamed(in: record, words)
    }

    /// The same for other names.
    package func isNamed(in record: some Record, _ words: Redaction) -> Bool {
        // A record is encoded as one JSON value.
        guard !words.isEmpty, let value = try? JSONValue.decode(record.encoded()) else { return false }
        return words.occur(in: value)
    }
}

/// What a service deleted, and what it could not delete.
@LoopActor package final class ForgetReport {
    private var counts: [String: Int64] = [:]
    /// Places that still contain the names, each with a remedy.
    package private(set) var left: [LeftPlace] = []
    /// Names that no longer occur in this service.
    package var gone: Set<String> = []
    /// When use of what is being deleted ended, if it was in use.
    package let now: Instant

    init(now: Instant) { self.now = now }

    /// - Parameter what: plural noun for what was deleted.
    package func removed(_ what: String, _ count: some BinaryInteger) {
        if count > 0 { counts[what, default: 0] += Int64(count) }
    }

    /// Records a place that still contains the names.
    package func leaves(_ place: String, remedy: String) {
        left.append(LeftPlace(place: place, remedy: remedy))
    }

    var removed: [Counter] {
        counts.sorted { $0.key < $1.key }.map { Counter(name: $0.key, count: $0.value) }
    }
}

/// How a service deletes from its own state.
@LoopActor package struct ForgetPlan {
    /// Whether an event of the log must lose its data. Called in order for each event with data.
    package var erases: @LoopActor (StoredEventData, Forgetting) throws -> Bool
    /// Deletes from the service's tables. Runs after the log was processed, in the same write.
    package var remove: @LoopActor (Forgetting, ForgetReport, Transaction) throws -> Void
    /// Text files beside the service's log whose lines may contain the names.
    package var textFiles: @LoopActor () -> [String]

    /// A plan; see the properties.
    package init(
        erases: @escaping @LoopActor (StoredEventData, Forgetting) throws -> Bool,
        remove: @escaping @LoopActor (Forgetting, ForgetReport, Transaction) throws -> Void,
        textFiles: @escaping @LoopActor () -> [String] = { [] }
    ) {
        self.erases = erases
        self.remove = remove
        self.textFiles = textFiles
    }
}

/// An event of the service's log, as passed to a plan.
package struct StoredEventData {
    /// Position in the log.
    package let sequence: Int64
    /// Event type.
    package let type: String
    /// When it happened.
    package let time: Instant
    private let data: RawJSON

    init(sequence: Int64, type: String, time: Instant, data: RawJSON) {
        self.sequence = sequence
        self.type = type
        self.time = time
        self.data = data
    }

    /// Its data, if it is of type `event`; else nil.
    package func decoded<E: EventData>(_ event: E.Type) throws(JSONError) -> E? {
        type == E.type ? try E.decode(data.bytes) : nil
    }

    /// Whether any text in it contains a name to delete.
    package func isNamed(_ forgetting: Forgetting) -> Bool { isNamed(forgetting.words) }

    /// The same for other names.
    package func isNamed(_ words: Redaction) -> Bool {
        // RawJSON is one JSON value: decoding it cannot fail.
        guard !words.isEmpty, let value = try? JSONValue.decode(data.bytes) else { return false }
        return words.occur(in: value)
    }
}
