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
    /// Apps in the person's own store.
    private(set) var shielded: [String] = []
    /// Categories in the person's own store.
    private(set) var shieldedCategories: [String] = []
    /// Whether the activity that comes and goes is registered.
    private(set) var isMonitored = false
    /// Identifiers of the notifications that were posted.
    private(set) var notifications: [String] = []
    private let person: SimulatedPerson
    private var random: SeededRandom
    private var isBusy = false
    /// Called with what an answer should not have been.
    private let violate: @LoopActor (String) -> Void

    private static let someCategories = ["games", "social", "productivity"]
    static let store = "person"
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
        switch random.below(7) {
        case 0: addMember()
        case 1: changeMember()
        case 2: removeMember()
        case 3: setCategory()
        case 4: writeSettings()
        case 5: random.oneIn(2) ? startActivity() : stopActivity()
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
        let apps = HouseholdWeek.apps.filter { _ in random.oneIn(3) }
        let names = Self.someCategories.filter { _ in random.oneIn(4) }
        let policy: JSONValue =
            names.isEmpty
            ? .null : ["policy": "specific", "categories": .array(names.map { .string($0) })]
        let settings = [
            Setting(key: "shield.applications", value: .array(apps.map { .string($0) })),
            Setting(key: "shield.applicationCategories", value: policy),
        ]
        ask(SettingsWrite.self, SettingsWrite.Params(store: Self.store, settings: settings)) { [self] _ in
            (shielded, shieldedCategories) = (apps, names)
        }
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
        ask(MonitoringStart.self, MonitoringStart.Params(activities: [activity])) { [self] _ in
            isMonitored = true
        }
    }

    private func stopActivity() {
        ask(MonitoringStop.self, MonitoringStop.Params(names: [Self.activity])) { [self] result in
            let expected = isMonitored ? [Self.activity] : []
            if result.stopped != expected {
                violate("monitoring.stop stopped \(result.stopped) instead of \(expected)")
            }
            isMonitored = false
        }
    }

    private func post() {
        let identifier = "note \(notifications.count + 1)"
        ask(NotificationPost.self, NotificationPost.Params(identifier: identifier, title: "a note")) {
            [self] _ in notifications.append(identifier)
        }
    }
}
