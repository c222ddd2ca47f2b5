import Contract
import Loop
import Rules
import Units

/// What a tray icon shows now. Names of others are already safe to show as plain text.
struct TrayFace: Equatable {
    /// As hosts know it: they hide a passive one.
    enum Status: String { case passive = "Passive", active = "Active", attention = "NeedsAttention" }

    var status: Status
    var title: String
    /// What hosts with labels show beside the icon; empty: nothing.
    var label: String
    /// What is left of each limit of today.
    var rows: [String]
    /// Number of requests for more time that wait.
    var requests: Int

    /// Limits in the list; the others are counted.
    static let rowsMax = 8

    /// - Parameters:
    ///   - appName: what people call an app; nil if it is not known.
    ///   - now: of the monotonic clock.
    init(
        _ time: TimeLeft, requests: Int, words: TrayWords, at now: Milliseconds,
        appName: (String) -> String?
    ) {
        func name(_ subject: LimitSubject) -> String { Self.name(of: subject, words, appName) }
        func length(_ left: Milliseconds) -> String { words.time(TimeLeft.minutes(left)) }
        self.requests = requests
        switch time.said(at: now) {
        case .unknown: (status, title, label) = (.passive, words.unknown, "")
        case .unlimited: (status, title, label) = (.active, words.unlimited, "")
        case .running(let use, let left, let isNear):
            status = isNear ? .attention : .active
            title = words.left(length(left), TrayText.plain(use.name) ?? words.unknownApp)
            label = length(left)
        case .waiting(let subject, let left):
            (status, title, label) = (.active, words.left(length(left), name(subject)), length(left))
        case .over(let subject): (status, title, label) = (.active, words.over(name(subject)), words.time(0))
        }
        let limits = time.limits ?? []
        // One line for two or more, since it takes the place of one.
        let shown = limits.count > Self.rowsMax ? limits.prefix(Self.rowsMax - 1) : limits[...]
        rows = shown.map { limit in
            let (left, subject) = (limit.time.left(at: now), name(LimitSubject(limit.definition)))
            return left > 0 ? words.row(length(left), subject) : words.rowOver(subject)
        }
        if shown.count < limits.count { rows.append(words.moreRows(limits.count - shown.count)) }
    }

    private static func name(
        of subject: LimitSubject, _ words: TrayWords, _ appName: (String) -> String?
    ) -> String {
        switch subject {
        case .everything: words.everything
        case .several(let first, let more): words.several(name(of: first, words, appName), more)
        case .category(let id): words.categories[id] ?? TrayText.plain(id) ?? words.categories["other"] ?? id
        case .domain(let domain): TrayText.plain(DomainName.readable(domain)) ?? domain
        case .app(let id): TrayText.plain(appName(id) ?? lastPart(of: id)) ?? words.unknownApp
        }
    }

    /// What people call a program without a desktop entry: the name of its file.
    private static func lastPart(of app: String) -> String {
        guard app.hasPrefix(Subject.programPrefix) else { return app }
        return app.split(separator: "/").last.map(String.init) ?? app
    }
}
