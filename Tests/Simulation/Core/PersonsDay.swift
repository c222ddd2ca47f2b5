import Contract
import JSON
import Loop
import Units

/// What the person does at the command line during a week, one thing after the other, and what must be true
/// afterwards by the answers alone.
@LoopActor final class PersonsDay {
    /// Names of the members besides the person, with the start of their day.
    private(set) var members: [String: Int64] = [:]
    /// Categories that the person set, by app.
    private(set) var categories: [String: String] = [:]
    /// Settings in the person's own stores, as ``Oracle/text(_:)`` has them; without empty ones.
    private(set) var stores: [String: String] = [:]
    /// The registrations of the activity that comes and goes.
    private(set) var extra: [ExtraRegistration] = []
    /// Identifiers of the notifications that were posted.
    private(set) var notifications: [String] = []
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
    }

    /// Does one of the things, unless the last one has not been answered.
    func doSomething() {
        guard !isBusy else { return }
        isBusy = true
        switch random.below(8) {
        case 0: addMember()
        case 1: changeMember()
        case 2: removeMember()
        case 3: setCategory()
        case 4: writeSettings()
        case 5: random.oneIn(4) ? deleteStore() : writeSettings()
        case 6: random.oneIn(2) ? startActivity() : stopActivity()
        default: post()
        }
    }

    private func ask<M: Method>(
        _ method: M.Type, _ params: M.Params, _ done: @escaping @LoopActor (M.Result) -> Void
    ) {
        person.ask(method, params) { [weak self] result in
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
            members[name] = result.member.dayStartMinutes
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
            members[name] = minutes
        }
    }

    private func removeMember() {
        guard let name = someMember else { return addMember() }
        ask(MemberRemove.self, MemberRemove.Params(name: name)) { [self] _ in members[name] = nil }
    }

    // MARK: apps and shields

    private func setCategory() {
        let app = HouseholdWeek.apps[random.below(HouseholdWeek.apps.count)]
        let isReset = categories[app] != nil && random.oneIn(3)
        let category = isReset ? nil : Self.someCategories[random.below(3)]
        ask(CatalogSet.self, CatalogSet.Params(about: CatalogTarget(app: app), category: category)) {
            [self] _ in categories[app] = category
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
        let store = Self.someStores[random.below(2)]
        ask(SettingsWrite.self, SettingsWrite.Params(store: store, settings: settings)) { [self] _ in
            let kept = settings.filter { $0.value != .null }
            stores[store] = kept.isEmpty ? nil : Oracle.text(kept)
        }
    }

    private func deleteStore() {
        let store = Self.someStores[random.below(2)]
        ask(SettingsDelete.self, SettingsDelete.Params(stores: [store])) { [self] _ in stores[store] = nil }
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
