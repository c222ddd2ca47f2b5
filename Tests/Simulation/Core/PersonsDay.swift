import Contract
import JSON
import Loop
import Units

/// What the person does at the command line during a week, one thing after the other, and what must be true
/// afterwards by the answers alone.
@LoopActor final class PersonsDay {
    /// A member besides the person.
    struct Kid {
        var id: String
        /// Minutes.
        var dayStart: Int64
        /// Whether an activity of theirs is registered, whose interval begins long after the week.
        var hasActivity = false
    }

    /// The members besides the person, by name.
    private(set) var members: [String: Kid] = [:]
    /// Categories that the person set, by app.
    private(set) var categories: [String: String] = [:]
    /// Settings in the stores that the person wrote, by ``Oracle/name(of:_:)``, as ``Oracle/text(_:)`` has
    /// them; without empty ones.
    private(set) var stores: [String: String] = [:]
    /// The registrations of the activity that comes and goes.
    private(set) var extra: [ExtraRegistration] = []
    /// Identifiers of the notifications that were posted.
    private(set) var notifications: [String] = []
    /// Those of them that were withdrawn.
    private(set) var withdrawn: Set<String> = []
    /// Requests for more time.
    let requests: PersonsRequests
    private let person: SimulatedPerson
    private var random: SeededRandom
    private var isBusy = false
    /// Called with what an answer should not have been.
    private let violate: @LoopActor (String) -> Void

    private static let someCategories = ["games", "social", "productivity"]
    static let someStores = ["person", "homework"]
    static let activity = "extra"

    init(_ person: SimulatedPerson, _ random: SeededRandom, violate: @escaping @LoopActor (String) -> Void) {
        self.person = person
        self.random = random
        self.violate = violate
        requests = PersonsRequests(person, violate: violate)
    }

    /// Does one of the things, unless the last one has not been answered.
    func doSomething() {
        guard !isBusy else { return }
        isBusy = true
        switch random.below(16) {
        case 0: addMember()
        case 1: changeMember()
        case 2: removeMember()
        case 3: setCategory()
        case 4: writeSettings()
        case 5: random.oneIn(4) ? deleteStore() : writeSettings()
        case 6: random.oneIn(2) ? startActivity() : stopActivity()
        case 7: startActivityOfMember()
        case 8: lookAtReport()
        case 9: withdraw()
        case 10, 11: askForTime()
        case 12, 13: endRequest()
        default: post()
        }
    }

    private func ask<M: Method>(
        _ method: M.Type, _ params: M.Params, after position: Position? = nil,
        _ done: @escaping @LoopActor (M.Result) -> Void
    ) {
        person.ask(method, params, after: position) { [weak self] result in
            guard let self else { return }
            isBusy = false
            switch result {
            case .success(let answer): done(answer)
            case .failure(let error): violate("\(M.name) of the person failed: \(error.message)")
            }
        }
    }

    // MARK: members

    private func addMember() {
        let free = (1...4).map { "kid \($0)" }.filter { members[$0] == nil }
        guard let name = free.first else { return removeMember() }
        ask(MemberAdd.self, MemberAdd.Params(name: name, role: .child)) { [self] result in
            members[name] = Kid(id: result.member.id, dayStart: result.member.dayStartMinutes)
        }
    }

    private var someMember: String? {
        let names = members.keys.sorted()
        return names.isEmpty ? nil : names[random.below(names.count)]
    }

    private func changeMember() {
        guard let name = someMember else { return addMember() }
        let minutes = Int64(random.below(1_440))
        ask(MemberSet.self, MemberSet.Params(name: name, dayStartMinutes: minutes)) { [self] _ in
            members[name]?.dayStart = minutes
        }
    }

    private func removeMember() {
        guard let name = someMember else { return addMember() }
        ask(MemberRemove.self, MemberRemove.Params(name: name)) { [self] _ in
            let kid = members.removeValue(forKey: name)
            if let kid { requests.remove(of: kid.id) }
            for store in Self.someStores { stores[Oracle.name(of: store, kid?.id)] = nil }
        }
    }

    // MARK: more time

    /// Of the person, or of another member; one more minute, a quarter of an hour, or more than two hours,
    /// in which services die.
    private func askForTime() {
        let member = random.oneIn(2) ? someMember.flatMap { members[$0]?.id } : nil
        let isCategory = random.oneIn(3)
        let names = isCategory ? Self.someCategories : HouseholdWeek.apps
        requests.make(
            member: member, isCategory ? .category : .app, names[random.below(names.count)],
            minutes: random.oneIn(3) ? nil : random.oneIn(2) ? 15 : 140
        ) { [self] in isBusy = false }
    }

    private func endRequest() {
        let decision: Decision? = random.oneIn(4) ? nil : random.oneIn(2) ? .approve : .deny
        requests.end(random.below(1_000), decision) { [self] in isBusy = false }
    }

    // MARK: apps and shields

    /// Sets the category of an app, or goes back to the one of its desktop entry.
    func setCategory() {
        isBusy = true
        let app = HouseholdWeek.apps[random.below(HouseholdWeek.apps.count)]
        let isReset = categories[app] != nil && random.oneIn(3)
        let category = isReset ? nil : Self.someCategories[random.below(3)]
        ask(CatalogSet.self, CatalogSet.Params(about: CatalogTarget(app: app), category: category)) {
            [self] result in
            categories[app] = category
            if let category { readOwnWrite(category, of: app, Position(.activity, result.sequence)) }
        }
    }

    /// Another service judges by the category as soon as it has applied what the answer named.
    private func readOwnWrite(_ category: String, of app: String, _ position: Position) {
        isBusy = true
        ask(ShieldJudge.self, ShieldJudge.Params(apps: [app]), after: position) { [self] result in
            let found = result.judgements.first?.category ?? "nothing"
            if found != category {
                violate("\(app) is judged as \(found) after the person made it \(category)")
            }
        }
    }

    private func writeSettings() {
        // shield-service sorts names.
        let apps = HouseholdWeek.apps.sorted().filter { _ in random.oneIn(3) }
        let names = Self.someCategories.sorted().filter { _ in random.oneIn(4) }
        let policy: JSONValue =
            names.isEmpty
            ? .null : ["policy": "specific", "categories": .array(names.map { .string($0) })]
        let list = JSONValue.array(apps.map { .string($0) })
        let settings = [
            Setting(key: "shield.applications", value: apps.isEmpty ? .null : list),
            Setting(key: "shield.applicationCategories", value: policy),
        ]
        let (member, store) = (someoneOrSelf, Self.someStores[random.below(2)])
        let write = SettingsWrite.Params(member: member, store: store, settings: settings)
        ask(SettingsWrite.self, write) { [self] _ in
            let kept = settings.filter { $0.value != .null }
            stores[Oracle.name(of: store, member)] = kept.isEmpty ? nil : Oracle.text(kept)
        }
    }

    private func deleteStore() {
        let (member, store) = (someoneOrSelf, Self.someStores[random.below(2)])
        ask(SettingsDelete.self, SettingsDelete.Params(member: member, stores: [store])) { [self] _ in
            stores[Oracle.name(of: store, member)] = nil
        }
    }

    /// The id of another member, or nil for the person.
    private var someoneOrSelf: String? {
        random.oneIn(2) ? someMember.flatMap { members[$0]?.id } : nil
    }

    // MARK: activities and notifications

    private func startActivity() {
        let start = Int64(random.below(23 * 60))
        let length = Int64(15 + random.below(40))
        func time(_ minutes: Int64) -> DateComponents {
            DateComponents(hour: minutes / 60, minute: minutes % 60)
        }
        let schedule = Schedule(intervalStart: time(start), intervalEnd: time(start + length), repeats: true)
        let activity = ActivityDefinition(name: Self.activity, schedule: schedule)
        let asked = person.now
        ask(MonitoringStart.self, MonitoringStart.Params(activities: [activity])) { [self] result in
            endExtra(from: asked, isReplaced: true)
            extra += result.activities.map {
                var monitored = $0
                // What the service answers is not what decides.
                monitored.activity = activity
                return ExtraRegistration(monitored: monitored)
            }
        }
    }

    private func startActivityOfMember() {
        guard let name = someMember, let kid = members[name] else { return addMember() }
        ask(
            MonitoringStart.self,
            MonitoringStart.Params(member: kid.id, activities: [Self.activityOfMember])
        ) { [self] _ in members[name]?.hasActivity = true }
    }

    static let activityOfMember: ActivityDefinition = {
        func hour(_ hour: Int64) -> DateComponents {
            DateComponents(year: 2027, month: 1, day: 1, hour: hour, minute: 0)
        }
        let schedule = Schedule(intervalStart: hour(8), intervalEnd: hour(20), repeats: false)
        return ActivityDefinition(name: "another member's", schedule: schedule)
    }()

    private func stopActivity() {
        let asked = person.now
        ask(MonitoringStop.self, MonitoringStop.Params(names: [Self.activity])) { [self] result in
            let expected = extra.last?.current == nil ? [] : [Self.activity]
            if result.stopped != expected {
                violate("monitoring.stop stopped \(result.stopped) instead of \(expected)")
            }
            endExtra(from: asked, isReplaced: false)
        }
    }

    /// It ended at some time since then.
    private func endExtra(from asked: Instant, isReplaced: Bool) {
        guard let last = extra.indices.last, extra[last].ended == nil else { return }
        extra[last].ended = asked...person.now
        extra[last].isReplaced = isReplaced
    }

    /// Its days are kept by the service, and must follow what is observed later.
    private func lookAtReport() {
        let params = ReportQuery.Params(
            from: "2026-03-01", to: "2026-04-01", zone: "UTC", segment: .daily,
            by: random.oneIn(2) ? .category : .app)
        ask(ReportQuery.self, params) { _ in }
    }

    private func withdraw() {
        guard !notifications.isEmpty else { return post() }
        withdraw(notifications[random.below(notifications.count)])
    }

    private func withdraw(_ identifier: String) {
        isBusy = true
        ask(NotificationWithdraw.self, NotificationWithdraw.Params(identifier: identifier)) { [self] _ in
            withdrawn.insert(identifier)
        }
    }

    /// Up to three at once.
    private func post() {
        let identifiers = (1...1 + random.below(3)).map { "note \(notifications.count + $0)" }
        var open = identifiers.count
        for identifier in identifiers {
            ask(NotificationPost.self, NotificationPost.Params(identifier: identifier, title: "a note")) {
                [self] _ in
                notifications.append(identifier)
                open -= 1
                isBusy = open > 0
                // Perhaps before it is shown.
                if open == 0, random.oneIn(2) { withdraw(identifier) }
            }
        }
    }
}

/// A registration of the activity that comes and goes.
struct ExtraRegistration {
    var monitored: MonitoredActivity
    /// When it was replaced or stopped: some time between the request and its answer.
    var ended: ClosedRange<Instant>?
    /// A replaced one tells no end of its interval.
    var isReplaced = false

    /// The definition, if it is still registered.
    var current: ActivityDefinition? { ended == nil ? monitored.activity : nil }

    /// Whether an interval begins or ends in these minutes of a day.
    func hasBoundary(_ minutes: ClosedRange<Int64>) -> Bool {
        let schedule = monitored.activity.schedule
        return [schedule.intervalStart, schedule.intervalEnd].contains {
            minutes.contains(($0.hour ?? 0) * 60 + ($0.minute ?? 0))
        }
    }
}
