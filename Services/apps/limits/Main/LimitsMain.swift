import AppSupport
import Contract
import LimitsCore

@main struct LimitsMain {
    static func main() async {
        Limits.identify()
        await program.run(Array(CommandLine.arguments.dropFirst()))
    }

    private static let days = AppOption("--days", "DAYS", "mon-fri, sat,sun …; default every day.")
    private static let kinds = [
        AppOption("--app", nil, "TARGET is an app."), AppOption("--domain", nil, "TARGET is a domain."),
        AppOption("--category", nil, "TARGET is a category."),
    ]
    private static let words = [
        AppOption("--warn", "TIME", "Warn so long before, for example 5m."),
        AppOption("--say", "WORDS", "What to say then, and when the limit is reached."),
    ]

    private static let program = AppProgram(
        "limits", summary: "how long, and when, you may use what",
        commands: [
            AppCommand(
                "set", ["TARGET", "TIME"], options: [days] + words + kinds,
                summary: "Limit an app, a domain or a category to so much a day, for example 30m."
            ) { try setLimit(target($0), $0.arguments[1], $0) },
            AppCommand(
                "total", ["TIME"], options: [days] + words,
                summary: "Limit everything that counts to so much a day."
            ) { try setLimit(.total, $0.arguments[0], $0) },
            AppCommand(
                "hours", ["TARGET", "TIMES"], options: [days] + kinds,
                summary: "Open TARGET, or 'total', only then, for example 07:00-08:00,16:00-19:00."
            ) { given in
                let target = try target(given)
                let windows = try TimeWindow.parse(given.arguments[1])
                let days = try Weekdays.parse(given.options["--days"] ?? "all")
                _ = try Limits.change { $0.set(windows, target, days) }
                let times = windows.map(\.text).joined(separator: " and ")
                return try answer(
                    "\(target.words): open \(times), \(Weekdays.text(days)).", about: target)
            },
            AppCommand(
                "ignore", ["TARGET"], options: kinds,
                summary: "It does not count, neither in the total nor in a category's limit."
            ) { try mark(.ignore, true, $0) },
            AppCommand("unignore", ["TARGET"], options: kinds, summary: "It counts again.") {
                try mark(.ignore, false, $0)
            },
            AppCommand(
                "allow", ["TARGET"], options: kinds,
                summary: "Always allowed: nothing shuts it; it still counts."
            ) { try mark(.allow, true, $0) },
            AppCommand("disallow", ["TARGET"], options: kinds, summary: "No longer always allowed.") {
                try mark(.allow, false, $0)
            },
            AppCommand("list", summary: "Every limit: used and left today, and what is shut, and why.") { _ in
                let all = try LimitStatus.all()
                let lines = all.flatMap(\.lines)
                return try AppAnswer(lines.isEmpty ? "No limits yet." : lines.joined(separator: "\n"), all)
            },
            AppCommand(
                "remove", ["TARGET", "[TARGET]"], options: [days] + kinds,
                summary: "Remove the limit of TARGET or 'total'; 'hours TARGET': its hours."
            ) { try remove($0) },
        ])

    // MARK: commands

    private static func target(_ given: AppInvocation, at index: Int = 0) throws -> LimitTarget {
        let named: [(String, LimitTarget.Kind)] = [
            ("--app", .app), ("--domain", .domain), ("--category", .category),
        ]
        let kinds = named.filter { given.options[$0.0] != nil }.map(\.1)
        guard kinds.count < 2 else {
            throw AppError(
                "TARGET is one of --app, --domain, --category", remedy: "Say one.", code: AppError.usage)
        }
        return try TargetFinder.find(given.arguments[index], as: kinds.first)
    }

    private static func setLimit(
        _ target: LimitTarget, _ time: String, _ given: AppInvocation
    ) throws -> AppAnswer {
        let seconds = Int64(try AppWords.seconds(time))
        let warn = try given.options["--warn"].map { Int64(try AppWords.seconds($0)) }
        guard seconds <= 86_400 else {
            throw AppError(
                "a day has no \(time)", remedy: "Give up to 24h a day.", code: AppError.usage)
        }
        guard warn ?? 0 < seconds else {
            throw AppError(
                "a warning \(given.options["--warn"] ?? "") before \(time) comes before any use",
                remedy: "Warn later.", code: AppError.usage)
        }
        let days = try Weekdays.parse(given.options["--days"] ?? "all")
        let message = try given.options["--say"].map(AppWords.sentence)
        let limit = DailyLimit(seconds: seconds, warnSeconds: warn, message: message)
        _ = try Limits.change { $0.set(limit, target, days) }
        return try answer(
            "\(target.words): \(LimitStatus.time(seconds)) a day, \(Weekdays.text(days)).", about: target)
    }

    private static func mark(
        _ mark: Marks.Mark, _ set: Bool, _ given: AppInvocation
    ) throws -> AppAnswer {
        let target = try target(given)
        guard target != .total else {
            throw AppError(
                "'total' takes no mark", remedy: "Name an app, a domain or a category.", code: AppError.usage)
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

    private static func remove(_ given: AppInvocation) throws -> AppAnswer {
        let isHours = given.arguments.count == 2
        guard !isHours || given.arguments[0] == "hours" else {
            throw AppError(
                "'\(given.arguments[1])' is too much", remedy: "See --help.", code: AppError.usage)
        }
        let target = try target(given, at: given.arguments.count - 1)
        let days = try Weekdays.parse(given.options["--days"] ?? "all")
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
        return try answer("The \(what) of \(target.words) went, \(Weekdays.text(days)).", about: target)
    }

    private static func answer(_ sentence: String, about target: LimitTarget) throws -> AppAnswer {
        let status = try LimitStatus.all().first { LimitTarget($0) == target }
        return try AppAnswer(sentence, Changed(said: sentence, status: status))
    }
}

/// What `--json` prints after a change.
private struct Changed: Encodable {
    var said: String
    /// How the target stands now; absent: nothing is set for it.
    var status: LimitStatus?
}
