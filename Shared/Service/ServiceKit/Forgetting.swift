package import Contract
package import JSON
package import Loop
package import Units

/// What shall be forgotten: `privacy.forget` and retention make it, each service removes it from its own.
package struct Forgetting: Sendable {
    package enum Extent: Sendable, Equatable {
        /// All use of one app, or of one domain with its subdomains.
        case subject(SubjectKind, String)
        /// All use in [from, to).
        case stretch(from: Instant, to: Instant)
        /// All use, history and rules.
        case everything
    }

    /// nil: of every member.
    package let member: String?
    package let extent: Extent
    /// Names of which no text may be left.
    package let words: Words
    /// The same, and how an app is called by who knows only its id: the id's last part. For prose alone.
    package let spoken: Words
    /// Use that began at this instant or later is new.
    package let until: Instant

    package init(member: String?, extent: Extent, words: [String] = [], until: Instant = .max) {
        self.member = member
        self.extent = extent
        self.until = until
        spoken = Words(Self.lastParts(extent, words))
        if case .subject(let kind, let name) = extent {
            let readable = kind == .domain ? [DomainName.readable(name)] : []
            self.words = Words(words + [name] + readable, domain: kind == .domain ? name : nil)
        } else {
            self.words = Words(words)
        }
    }

    private static func lastParts(_ extent: Extent, _ words: [String]) -> [String] {
        var names = words
        if case .subject(_, let name) = extent { names.append(name) }
        return names + names.compactMap { name in
            name.split { $0 == "." || $0 == "/" }.last.map(String.init).flatMap { $0.count > 2 ? $0 : nil }
        }
    }

    /// - Throws: `invalidParams` unless exactly one of subject, stretch and everything is asked for.
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
                .invalidParams, "nothing, or more than one thing, is to be forgotten",
                remedy: "Send kind (app or domain) and subject, or from_ms and a later to_ms, or everything.")
        }
        self.init(
            member: params.member ?? Household.defaultMember, extent: extent, words: params.words ?? [],
            until: params.until ?? .max)
    }

    package func concerns(member other: String) -> Bool { member == nil || member == other }

    /// Whether this is the subject that shall be forgotten.
    package func isMeant(_ kind: SubjectKind, _ name: String) -> Bool {
        guard case .subject(kind, let subject) = extent else { return false }
        return kind == .domain ? DomainName.covers(subject, name) : name == subject
    }

    /// Whether an instant lies in the stretch that shall be forgotten.
    package func contains(_ at: Instant) -> Bool {
        guard case .stretch(let from, let to) = extent else { return false }
        return (from..<to).contains(at)
    }

    /// Whether any text in a record is, or speaks of, what shall be forgotten.
    package func isNamed(in record: some Record) -> Bool {
        isNamed(in: record, words)
    }

    package func isNamed(in record: some Record, _ words: Words) -> Bool {
        // What a record writes is one value of JSON.
        guard !words.isEmpty, let value = try? JSONValue.decode(record.encoded()) else { return false }
        return words.occur(in: value)
    }
}

/// What a service removed, and what it left.
@LoopActor package final class ForgetReport {
    private var counts: [String: Int64] = [:]
    package private(set) var left: [LeftPlace] = []
    /// Names of which nothing is left here.
    package var gone: Set<String> = []
    /// When nothing was in use any more that shall be forgotten.
    package let now: Instant

    init(now: Instant) { self.now = now }

    /// - Parameter what: the plural of what went.
    package func removed(_ what: String, _ count: some BinaryInteger) {
        if count > 0 { counts[what, default: 0] += Int64(count) }
    }

    package func leaves(_ place: String, remedy: String) {
        left.append(LeftPlace(place: place, remedy: remedy))
    }

    var removed: [Counter] {
        counts.sorted { $0.key < $1.key }.map { Counter(name: $0.key, count: $0.value) }
    }
}

/// What a service does about its own state when something shall be forgotten.
@LoopActor package struct ForgetPlan {
    /// Whether an event of the log must lose its data. Asked for each event that has any, in order.
    package var erases: @LoopActor (StoredEventData, Forgetting) throws -> Bool
    /// Removes it from the service's own tables; runs after the log was gone through, in the same write.
    package var remove: @LoopActor (Forgetting, ForgetReport, Transaction) throws -> Void
    /// Files of text beside the service's own log whose lines may name it.
    package var textFiles: @LoopActor () -> [String]

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

/// An event of the own log, as a plan judges it.
package struct StoredEventData {
    package let sequence: Int64
    package let type: String
    package let time: Instant
    private let data: RawJSON

    init(sequence: Int64, type: String, time: Instant, data: RawJSON) {
        self.sequence = sequence
        self.type = type
        self.time = time
        self.data = data
    }

    /// Its data if it is of this type.
    package func decoded<E: EventData>(_ event: E.Type) throws(JSONError) -> E? {
        type == E.type ? try E.decode(data.bytes) : nil
    }

    /// Whether any text in it is, or speaks of, what shall be forgotten.
    package func isNamed(_ forgetting: Forgetting) -> Bool { isNamed(forgetting.words) }

    package func isNamed(_ words: Words) -> Bool {
        // RawJSON is one value of JSON: reading it cannot fail.
        guard !words.isEmpty, let value = try? JSONValue.decode(data.bytes) else { return false }
        return words.occur(in: value)
    }
}
