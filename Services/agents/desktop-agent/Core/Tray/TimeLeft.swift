import Contract
import Units

/// What a limit is about.
enum LimitSubject: Equatable {
    case app(String), category(String), domain(String)
    case everything
    /// The first one, and how many there are besides.
    indirect case several(LimitSubject, more: Int)

    init(_ event: EventDefinition) {
        let all =
            (event.applications ?? []).map(LimitSubject.app)
            + (event.categories ?? []).map(LimitSubject.category)
            + (event.webDomains ?? []).map(LimitSubject.domain)
        guard let first = all.first else {
            self = .everything
            return
        }
        self = all.count == 1 ? first : .several(first, more: all.count - 1)
    }
}

/// How much of today's limits is left, and of which of them to speak.
struct TimeLeft {
    /// The app in use.
    struct Use: Equatable {
        /// Its id, as limits name it.
        var app: String
        /// What the person calls it.
        var name: String
        /// Nil if it was not judged yet.
        var category: String?
    }

    /// The limit that an icon speaks of.
    enum Said: Equatable {
        /// No service said yet what is left.
        case unknown
        case unlimited
        /// It ends soonest of those that count what is in use now.
        case running(Use, left: Milliseconds, isNear: Bool)
        /// It is the nearest one, while nothing that counts is in use.
        case waiting(LimitSubject, left: Milliseconds)
        /// All are over.
        case over(LimitSubject)
    }

    /// How long before the end of a limit without a warning the person should notice.
    static let near: Milliseconds = .minutes(5)

    /// One for each subject, by what is left, the one for everything last; nil: not known.
    private(set) var limits: [DayLimit]?
    private var use: Use?

    /// - Parameter member: whose limits they are; those of others are left out.
    mutating func set(_ all: [DayLimit], member: String, at now: Milliseconds) {
        var kept: [DayLimit] = []
        for limit in all.filter({ $0.about.member == member }).sorted(by: Self.isBefore) {
            // Of two for the same, as an interrupted command may leave them, the first one acts.
            let subject = limit.definition.subjects
            if !kept.contains(where: { $0.definition.subjects == subject }) { kept.append(limit) }
        }
        limits = kept
        run(at: now)
    }

    private static func isBefore(_ one: DayLimit, _ other: DayLimit) -> Bool {
        func order(_ limit: DayLimit) -> (Int, Milliseconds, Milliseconds, String) {
            let isTotal = LimitSubject(limit.definition) == .everything
            return (isTotal ? 1 : 0, limit.time.left(at: 0), limit.about.threshold ?? 0, limit.about.activity)
        }
        return order(one) < order(other)
    }

    /// - Parameter use: nil: no app is in use, or nobody is there.
    mutating func use(_ use: Use?, at now: Milliseconds) {
        self.use = use
        run(at: now)
    }

    private mutating func run(at now: Milliseconds) {
        for index in (limits ?? []).indices {
            let runs = use.map { limits?[index].definition.counts($0.app, category: $0.category) ?? false }
            limits?[index].time.run(runs ?? false, at: now)
        }
    }

    /// - Parameter now: of the monotonic clock, as everywhere here.
    func said(at now: Milliseconds) -> Said {
        guard let limits else { return .unknown }
        let open = limits.filter { $0.time.left(at: now) > 0 }
            .sorted { $0.time.left(at: now) < $1.time.left(at: now) }
        if let use, let first = open.first(where: { $0.time.isRunning }) {
            let left = first.time.left(at: now)
            return .running(use, left: left, isNear: left <= first.warningTime ?? Self.near)
        }
        if let first = open.first {
            return .waiting(LimitSubject(first.definition), left: first.time.left(at: now))
        }
        return limits.first.map { .over(LimitSubject($0.definition)) } ?? .unlimited
    }

    /// Until what is said is another number of minutes; nil: not by itself.
    func untilNextMinute(at now: Milliseconds) -> Milliseconds? {
        guard case .running(_, let left, _) = said(at: now) else { return nil }
        return left - (Self.minutes(left) - 1) * .minute
    }

    /// Rounded up, as warnings are, so that 0 is the end.
    static func minutes(_ left: Milliseconds) -> Int64 { (left + .minute - 1) / .minute }
}

extension EventDefinition {
    fileprivate var subjects: [[String]] { [applications ?? [], categories ?? [], webDomains ?? []] }
}
