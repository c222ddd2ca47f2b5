import ActivityCore
import Contract
import JSON
import Loop
import MonitorCore
import Replay
import Rules
import Schedules
import ServiceKit
import ShieldCore
import Units

/// Compares a system at rest with what must be true, computed in another way: from the acknowledged
/// observations alone, or by slow code.
@LoopActor final class Oracle {
    let week: HouseholdWeek
    private var violations: [String] = []
    private var openQuestions = 0
    private var done: (@LoopActor ([String]) -> Void)?

    init(_ week: HouseholdWeek) { self.week = week }

    /// Asks the services; `done` is called with what is violated when all have answered.
    func check(_ done: @escaping @LoopActor ([String]) -> Void) {
        self.done = done
        openQuestions += 1
        if !week.sensor.isDone { violate("observations were not acknowledged") }
        if !week.system.isComplete { violate("not every service runs") }
        checkUse()
        checkReports()
        checkCallbacks()
        checkLogs()
        checkHealth()
        checkShields()
        checkPerson()
        ended()
    }

    func violate(_ sentence: String) { violations.append(sentence) }

    private func ask<M: Method>(
        _ method: M.Type, _ params: M.Params, _ body: @escaping @LoopActor (M.Result) -> Void
    ) {
        openQuestions += 1
        week.person.ask(method, params) { [self] result in
            switch result {
            case .success(let answer): body(answer)
            case .failure(let error): violate("\(M.name) failed: \(error.name.rawValue) \(error.message)")
            }
            ended()
        }
    }

    private func ended() {
        openQuestions -= 1
        guard openQuestions == 0 else { return }
        done?(violations)
        done = nil
    }

    // MARK: use

    /// The use that results from the acknowledged observations.
    private lazy var use: [String: [Interval]] = {
        let use = UsageTables.use(of: week.sensor.device, changes, isLive: true)
        var byApp: [String: [Interval]] = [:]
        for (subject, time) in use.uses {
            byApp[subject.id] = time.intervals.map { Interval(start: $0.start, end: $0.end) }
        }
        return byApp.filter { !$0.value.isEmpty }
    }()

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
            compare("usage.read", found)
        }
    }

    private func checkReports() {
        ask(
            ReportQuery.self,
            ReportQuery.Params(from: "2026-03-01", to: "2026-04-01", zone: "UTC", by: .app)
        ) { [self] result in
            var totals: [String: Int64] = [:]
            for row in result.rows { totals[row.key, default: 0] += row.value }
            let expected = use.mapValues { $0.reduce(0) { $0 + ($1.end - $1.start).count } }
            for app in Set(totals.keys).union(expected.keys).sorted() where totals[app] != expected[app] {
                violate(
                    "report.query has \(totals[app] ?? 0) ms of \(app); the observations make "
                        + "\(expected[app] ?? 0)")
            }
        }
    }

    private func compare(_ what: String, _ found: [String: [Interval]]) {
        for app in Set(found.keys).union(use.keys).sorted() {
            let one = (found[app] ?? []).map { "\($0.start)-\($0.end)" }
            let other = (use[app] ?? []).map { "\($0.start)-\($0.end)" }
            guard one != other else { continue }
            let more = one.filter { !other.contains($0) }, less = other.filter { !one.contains($0) }
            violate("\(what) of \(app): unexpected \(more.prefix(3)), missing \(less.prefix(3))")
        }
    }

    // MARK: logs

    func events(of service: Service) -> [AnyEvent] {
        var events: [AnyEvent] = []
        var after: Int64 = 0
        while true {
            // What cannot be read is missed by the checks.
            guard let page = try? service.eventLog.page(after: after, types: [], limit: 1_000),
                let last = page.events.last
            else { return events }
            // As above.
            events += page.events.compactMap { try? AnyEvent.decode($0.body) }
            after = last.sequence
        }
    }

    private func checkLogs() {
        for service in week.system.services {
            var previous: [String: Int64] = [:]
            for (index, event) in events(of: service).enumerated() {
                let sequence = event.head.sequence.value
                if sequence != Int64(index + 1) {
                    return violate("\(service.name.rawValue): event \(index + 1) has the number \(sequence)")
                }
                if event.head.previous.value != previous[event.head.type] ?? 0 {
                    violate("\(service.name.rawValue): event \(sequence) names another predecessor")
                }
                previous[event.head.type] = sequence
            }
        }
    }

    private func checkHealth() {
        for name in ServiceName.startOrder {
            openQuestions += 1
            week.person.health(name) { [self] result in
                switch result {
                case .failure(let error): violate("\(name.rawValue) is not healthy: \(error.message)")
                case .success(let health): check(health)
                }
                ended()
            }
        }
    }

    private func check(_ health: HealthCheck.Result) {
        for sentence in health.degradedBy { violate("\(health.service) says: \(sentence)") }
        for log in health.follows {
            let head = week.system.services.first { $0.name == log.service }?.head ?? -1
            if log.sequence != head || !log.connected {
                violate(
                    "\(health.service) has applied \(log.sequence) of \(head) events of "
                        + "\(log.service.rawValue)")
            }
        }
    }

    // MARK: shields

    /// The shields are what the stores say, and apps are judged by them and by the catalogue.
    private func checkShields() {
        ask(SettingsList.self, SettingsList.Params()) { [self] list in
            let settings = list.stores.filter(\.active).flatMap(\.settings)
            let apps = Set(settings.flatMap { $0.key == "shield.applications" ? Self.texts($0.value) : [] })
            let categories = Set(
                settings.flatMap { setting in
                    setting.key == "shield.applicationCategories"
                        ? Self.texts(setting.value["categories"]) : []
                })
            ask(ShieldList.self, ShieldList.Params()) { [self] shields in
                for (kind, expected) in [(SubjectKind.app, apps), (.category, categories)] {
                    let found = Set(shields.shields.filter { $0.kind == kind }.map(\.subject))
                    guard found != expected else { continue }
                    violate("shielded are \(found.sorted()); the stores say \(expected.sorted())")
                }
            }
            checkJudge(apps, categories)
        }
    }

    private static func texts(_ value: JSONValue?) -> [String] {
        (value?.arrayValue ?? []).compactMap(\.stringValue)
    }

    private func checkJudge(_ apps: Set<String>, _ categories: Set<String>) {
        ask(CatalogList.self, CatalogList.Params(kind: .app)) { [self] list in
            let known = Dictionary(list.items.map { ($0.subject, $0.category) }) { first, _ in first }
            ask(ShieldJudge.self, ShieldJudge.Params(apps: HouseholdWeek.apps)) { [self] result in
                for one in result.judgements {
                    let category = known[one.subject] ?? one.category
                    if one.category != category {
                        violate("\(one.subject) is judged as \(one.category); the catalogue says \(category)")
                    }
                    let isShielded = apps.contains(one.subject) || categories.contains(category)
                    if (one.shield != nil) != isShielded {
                        violate("\(one.subject) of \(category) is judged \(one.shield ?? "not shielded")")
                    }
                }
            }
        }
    }

    // MARK: the person

    /// What the person was told is what the services hold, and their copies, too.
    private func checkPerson() {
        let day = week.day
        ask(MemberList.self, Nothing()) { [self] list in
            let found = list.members.filter { $0.uid == nil }
            let expected = day.members.map { "\($0.key) \($0.value)" }.sorted()
            if found.map({ "\($0.name) \($0.dayStartMinutes)" }).sorted() != expected {
                violate("the members are \(found.map(\.name)); the person made \(expected)")
            }
            for service in week.system.services where service.name != .auth && service.name != .monitor {
                let copy = service.household.everyone.map(\.id).sorted()
                guard copy != list.members.map(\.id).sorted() else { continue }
                violate("\(service.name.rawValue) knows the members \(copy)")
            }
        }
        ask(SettingsRead.self, SettingsRead.Params(store: PersonsDay.store)) { [self] read in
            let setting = read.store.settings.first { $0.key == "shield.applications" }
            let apps = Self.texts(setting?.value).sorted()
            if apps != day.shielded.sorted() {
                violate("the person's store holds \(apps) instead of \(day.shielded)")
            }
        }
        ask(CatalogList.self, CatalogList.Params(kind: .app)) { [self] list in
            for item in list.items {
                let own = item.source == .person ? item.category : nil
                guard own != day.categories[item.subject] else { continue }
                violate("the person's category of \(item.subject) is \(own ?? "none")")
            }
        }
        ask(MonitoringList.self, MonitoringList.Params()) { [self] list in
            let isMonitored = list.activities.contains { $0.activity.name == PersonsDay.activity }
            if isMonitored != day.isMonitored { violate("the activity that comes and goes is wrong") }
        }
        ask(NotificationList.self, NotificationList.Params(limit: 1_000)) { [self] list in
            let shown = list.notifications.filter { $0.state == .delivered }.map(\.identifier)
            for identifier in day.notifications where !shown.contains(identifier) {
                violate("the notification '\(identifier)' was not shown")
            }
        }
    }
}
