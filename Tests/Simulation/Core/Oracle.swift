import Contract
import Loop
import Rules
import Schedules
import Units

/// Compares a system at rest with what must be true, computed in another way: from the acknowledged
/// observations alone, or by slow code.
@LoopActor final class Oracle {
    let week: HouseholdWeek
    let questions: Questions
    private var violations: [String] = []

    init(_ week: HouseholdWeek) {
        self.week = week
        questions = Questions(week.person)
    }

    /// Asks the services; `done` is called with what is violated when all have answered.
    func check(_ done: @escaping @LoopActor ([String]) -> Void) {
        if !week.sensor.isDone { violate("observations were not acknowledged") }
        if !week.system.isComplete { violate("not every service runs") }
        checkUse()
        checkReports()
        checkCallbacks()
        checkComesAndGoes()
        checkLateness()
        checkHealth()
        checkLogs()
        checkShields()
        checkStores()
        checkExceptions()
        checkMaskedShields()
        checkPerson()
        checkScreen()
        questions.whenAnswered { [self] in done(violations) }
    }

    /// Asks only whether the screen shows what is true.
    func checkOnlyScreen(_ done: @escaping @LoopActor ([String]) -> Void) {
        checkScreen()
        questions.whenAnswered { [self] in done(violations) }
    }

    func violate(_ sentence: String) { violations.append(sentence) }

    func ask<M: Method>(
        _ method: M.Type, _ params: M.Params, _ body: @escaping @LoopActor (M.Result) -> Void
    ) {
        questions.ask(method, params) { [self] result in
            switch result {
            case .success(let answer): body(answer)
            case .failure(let error): violate("\(M.name) failed: \(error.name.rawValue) \(error.message)")
            }
        }
    }

    /// The callbacks that activity-center told, in order.
    private(set) lazy var told = toldCallbacks()

    // MARK: use

    /// The use that results from the acknowledged observations, by app.
    private lazy var use = use(withOpen: true)

    private func use(withOpen: Bool) -> [String: [Interval]] {
        let use = UsageTables.use(of: week.sensor.device, changes, isLive: withOpen)
        var byApp: [String: [Interval]] = [:]
        for (subject, time) in use.uses {
            byApp[subject.id] = time.intervals.map { Interval(start: $0.start, end: $0.end) }
        }
        return byApp.filter { !$0.value.isEmpty }
    }

    private var changes: [UsageChange] { Self.changes(week.sensor.acknowledged) }

    static func changes(_ observations: [Observation]) -> [UsageChange] {
        // Every observation was made here, and is complete.
        UsageChange.ordered(observations.compactMap { try? UsageChange($0) })
    }

    private static let ever = (from: HouseholdWeek.start - .day, to: HouseholdWeek.start + .days(30))

    private func checkUse() {
        ask(UsageRead.self, UsageRead.Params(from: Self.ever.from, to: Self.ever.to)) { [self] result in
            var found: [String: [Interval]] = [:]
            for one in result.usage { found[one.subject, default: []] += one.intervals }
            // It has no use that is open, as after a silence.
            compare("usage.read", found, with: use(withOpen: false))
        }
    }

    // MARK: reports

    private func checkReports() {
        checkReport(by: .app, segment: .hourly, length: .hour) { $0 }
        checkNames()
        ask(CatalogList.self, CatalogList.Params(kind: .app)) { [self] list in
            let categories = Dictionary(list.items.map { ($0.subject, $0.category) }) { first, _ in first }
            checkReport(by: .category, segment: .daily, length: .day) { categories[$0] ?? "other" }
        }
    }

    /// - Parameters:
    ///   - length: of each segment; segments begin at whole multiples of it, for the days are those of UTC.
    ///   - key: the key of an app.
    private func checkReport(
        by grouping: ReportGrouping, segment: ReportSegment, length: Milliseconds, key: (String) -> String
    ) {
        var expected: [String: Int64] = [:]
        for (app, intervals) in use {
            for interval in intervals {
                for (start, milliseconds) in Self.split(interval, by: length) {
                    let name = UTCTime.text(start).prefix(segment == .daily ? 10 : 19)
                    expected["\(name) \(key(app))", default: 0] += milliseconds
                }
            }
        }
        let params = ReportQuery.Params(
            from: "2026-03-01", to: "2026-04-01", zone: "UTC", segment: segment, by: grouping)
        ask(ReportQuery.self, params) { [self] result in
            let found = Dictionary(
                result.rows.map { ("\($0.segmentStart.prefix(19)) \($0.key)", $0.value) }
            ) { $0 + $1 }
            for one in Set(found.keys).union(expected.keys).sorted() where found[one] != expected[one] {
                violate(
                    "report.query has \(found[one] ?? 0) ms of \(one) by \(grouping.rawValue); the "
                        + "observations make \(expected[one] ?? 0)")
            }
        }
    }

    /// The sensor names each app in the same way.
    private func checkNames() {
        let params = ReportQuery.Params(from: "2026-03-01", to: "2026-04-01", zone: "UTC", by: .app)
        ask(ReportQuery.self, params) { [self] result in
            let found = (result.names ?? []).map { "\($0.key): \($0.name)" }
            let expected = use.keys.sorted().map { "\($0): The app \($0)" }
            if found != expected { violate("report.query has the names \(found), not \(expected)") }
        }
    }

    private static func split(_ interval: Interval, by length: Milliseconds) -> [(Instant, Int64)] {
        var parts: [(Instant, Int64)] = []
        var start = interval.start
        while start < interval.end {
            let segment = Instant(milliseconds: start.milliseconds / length.count * length.count)
            let end = min(interval.end, segment + length)
            parts.append((segment, (end - start).count))
            start = end
        }
        return parts
    }

    private func compare(
        _ what: String, _ found: [String: [Interval]], with use: [String: [Interval]]
    ) {
        for app in Set(found.keys).union(use.keys).sorted() {
            let one = (found[app] ?? []).map { "\($0.start)-\($0.end)" }
            let other = (use[app] ?? []).map { "\($0.start)-\($0.end)" }
            guard one != other else { continue }
            let more = one.filter { !other.contains($0) }, less = other.filter { !one.contains($0) }
            violate("\(what) of \(app): unexpected \(more.prefix(3)), missing \(less.prefix(3))")
        }
    }
}
