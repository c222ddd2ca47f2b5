import AppSupport
import CommandKit
import Contract
import LimitsCore

@main struct LimitsMain {
    static func main() async {
        Limits.identify()
        await program.run(Array(CommandLine.arguments.dropFirst()))
    }

    private static let days = Option("--days", "DAYS", "mon-fri, sat,sun …; default every day.")
    private static let kinds = [
        Option("--app", nil, "TARGET is an app."), Option("--domain", nil, "TARGET is a domain."),
        Option("--category", nil, "TARGET is a category."),
    ]
    private static let words = [
        Option("--warn", "TIME", "Warn so long before, for example 5m."),
        Option("--say", "WORDS", "What to say then, and when the limit is reached."),
    ]

    private static let program = AppProgram(
        "limits", summary: "how long, and when, you may use what",
        commands: [
            .app(
                "set", ["TARGET", "TIME"], options: [days] + words + kinds,
                summary: "Limit an app, a domain or a category to TIME a day, for example 30m."
            ) { try setLimit(target($0), $0.arguments[1], $0) },
            .app(
                "total", ["TIME"], options: [days] + words,
                summary: "Limit everything that counts to TIME a day."
            ) { try setLimit(.total, $0.arguments[0], $0) },
            .app(
                "hours", ["TARGET", "TIMES"], options: [days] + kinds,
                summary: "Allow TARGET, or 'total', only at these times, for example "
                    + "07:00-08:00,16:00-19:00, 'none' or 'any', or 'mon-fri 16:00-19:00; sat,sun any'."
            ) { try setHours($0) },
            .app(
                "ignore", ["TARGET"], options: kinds,
                summary: "Do not count TARGET, neither in the total nor in a category's limit."
            ) { try mark(.ignore, true, $0) },
            .app("unignore", ["TARGET"], options: kinds, summary: "Count TARGET again.") {
                try mark(.ignore, false, $0)
            },
            .app(
                "allow", ["TARGET"], options: kinds,
                summary: "Always allow TARGET: no limit shields it; it still counts."
            ) { try mark(.allow, true, $0) },
            .app("disallow", ["TARGET"], options: kinds, summary: "Stop always allowing TARGET.") {
                try mark(.allow, false, $0)
            },
            .app(
                "renew", summary: "Let every limit's day begin when yours does, after that was changed."
            ) { _ in
                let isEmpty = try Limits.change { $0.renewDays() }.limits.isEmpty
                return try AppAnswer(
                    isEmpty ? "No limits yet." : "Every limit's day begins with yours.", LimitStatus.all())
            },
            .app("list", summary: "List every limit: used and left today, what is shielded, and why.") { _ in
                let all = try LimitStatus.all()
                let lines = all.flatMap(\.lines)
                return try AppAnswer(lines.isEmpty ? "No limits yet." : lines.joined(separator: "\n"), all)
            },
            .app(
                "remove", ["TARGET", "[TARGET]"], options: [days] + kinds,
                summary: "Remove the limit of TARGET or of 'total'; with 'hours TARGET', its hours."
            ) { try remove($0) },
        ])

    // MARK: commands

    /// - Parameter listed: what is found first, by its own names.
    private static func target(
        _ given: Given, at index: Int = 0, listed: Set<LimitTarget> = []
    ) throws -> LimitTarget {
        let named: [(String, LimitTarget.Kind)] = [
            ("--app", .app), ("--domain", .domain), ("--category", .category),
        ]
        let kinds = named.filter { given.has($0.0) }.map(\.1)
        guard kinds.count < 2 else {
            throw CommandError(
                "TARGET is one of --app, --domain, --category", remedy: "Give one.", code: CommandError.usage)
        }
        return try TargetFinder.find(given.arguments[index], as: kinds.first, listed: listed)
    }

    private static func setLimit(
        _ target: LimitTarget, _ time: String, _ given: Given
    ) throws -> AppAnswer {
        let seconds = Int64(try AppWords.seconds(time))
        let warn = try given.value("--warn").map { Int64(try AppWords.seconds($0)) }
        guard seconds <= 86_400 else {
            throw CommandError(
                "a day has no \(time)", remedy: "Give up to 24h a day.", code: CommandError.usage)
        }
        guard warn ?? 0 < seconds else {
            throw CommandError(
                "a warning \(given.value("--warn") ?? "") before \(time) comes before any use",
                remedy: "Warn later.", code: CommandError.usage)
        }
        let days = try Weekdays.parse(given.value("--days") ?? "all")
        let message = try given.value("--say").map(AppWords.sentence)
        let limit = DailyLimit(seconds: seconds, warnSeconds: warn, message: message)
        _ = try Limits.change { $0.set(limit, target, days) }
        return try answer(
            "\(target.words): \(LimitStatus.time(seconds)) a day, \(Weekdays.text(days)).", about: target)
    }

    private static func setHours(_ given: Given) throws -> AppAnswer {
        let target = try target(given)
        let week = try WeekHours(given.arguments[1], days: try given.value("--days").map(Weekdays.parse))
        // All in one change: a day may be open by the hours of the day before.
        _ = try Limits.change { plan throws(ServiceError) in
            for part in week.parts { plan.set(part.windows, target, part.days) }
        }
        let parts = week.parts.map { "\(words(of: $0.windows)), \(Weekdays.text($0.days))" }
        return try answer("\(target.words): \(parts.joined(separator: "; ")).", about: target)
    }

    private static func words(of windows: [TimeWindow]?) -> String {
        guard let windows else { return "open at any time" }
        let times = windows.map { LocalTime.timeOfDay($0.text) }.joined(separator: " and ")
        return windows.isEmpty ? "closed" : "open \(times)"
    }

    private static func mark(
        _ mark: Marks.Mark, _ set: Bool, _ given: Given
    ) throws -> AppAnswer {
        // What is marked may be unknown to the catalogue by now.
        let target = try target(given, listed: set ? [] : Limits.plan().targets)
        guard target != .total else {
            throw CommandError(
                "'total' takes no mark", remedy: "Name an app, a domain or a category.",
                code: CommandError.usage)
        }
        _ = try Limits.change { plan throws(ServiceError) in
            if set { plan.marks[mark].insert(target) } else { plan.marks[mark].remove(target) }
        }
        let words =
            switch (mark, set) {
            case (.allow, true): "is always allowed"
            case (.allow, false): "is no longer always allowed"
            case (.ignore, true): "does not count"
            case (.ignore, false): "counts"
            }
        return try answer("\(target.words) \(words).", about: target)
    }

    private static func remove(_ given: Given) throws -> AppAnswer {
        let isHours = given.arguments.count == 2
        guard !isHours || given.arguments[0] == "hours" else {
            throw CommandError(
                "'\(given.arguments[1])' is too much", remedy: "See --help.", code: CommandError.usage)
        }
        let target = try target(given, at: given.arguments.count - 1, listed: Limits.plan().targets)
        let days = try Weekdays.parse(given.value("--days") ?? "all")
        let what = isHours ? "hours" : "limit"
        _ = try Limits.change { plan throws(ServiceError) in
            let known =
                isHours
                ? Set((plan.hours[target] ?? [:]).keys) : Set((plan.limits[target] ?? [:]).keys)
            guard !known.isDisjoint(with: days) else {
                throw ServiceError(
                    .notFound, "\(target.words) has no \(what) \(Weekdays.text(days))",
                    remedy: "See `limits list`.")
            }
            for day in days {
                if isHours { plan.hours[target]?[day] = nil } else { plan.limits[target]?[day] = nil }
            }
        }
        return try answer("Removed the \(what) of \(target.words), \(Weekdays.text(days)).", about: target)
    }

    private static func answer(_ sentence: String, about target: LimitTarget) throws -> AppAnswer {
        let status = try LimitStatus.all().first { LimitTarget($0) == target }
        return try AppAnswer(sentence, Changed(said: sentence, status: status))
    }
}

/// The `--json` output after a change.
private struct Changed: Encodable {
    var said: String
    /// The target's state now; absent if nothing is set for it.
    var status: LimitStatus?
}
