import Contract
import Monitoring
import Rules
import Schedules
import Testing
import Units

/// Random registrations and random use, delivered in parts and late, compared with a slow model that examines
/// everything again at every step.
struct RulesModelTests {
    static let apps = ["game", "chess", "firefox"]
    static let hosts = ["play.test", "www.play.test", "read.test"]
    static let devices = ["laptop", "phone"]

    /// 10,000 histories in all: see `step` for what happens in one.
    @Test(arguments: (0..<100).map { UInt64($0) }) func agreesWithTheSlowAnswer(hundred: UInt64) throws {
        for seed in hundred * 100..<hundred * 100 + 100 {
            var history = try RandomHistory(seed: seed)
            for _ in 0..<12 {
                let (told, expected) = try history.step()
                guard told != expected else { continue }
                Issue.record("seed \(seed) at \(history.now): told \(told), expected \(expected)")
                return
            }
        }
    }
}

/// Rules and the slow answer side by side.
struct RandomHistory {
    private var chance: Chance
    private(set) var now: Instant = 20_000_000
    private var rules: MonitorRules
    private var slow = SlowRules()
    private let zone: Zone
    private var registrations: Int64 = 0
    /// Input for rules that start again.
    private let truth = Truth()

    private final class Truth {
        var use = MemberUse()
    }

    init(seed: UInt64) throws {
        chance = Chance(seed: seed)
        zone = try Zone("UTC")
        slow.catalogue = Catalogue(
            appCategories: ["game": "games", "chess": "games", "firefox": "web"],
            domainCategories: ["play.test": "games"])
        if Bool.random(using: &chance) { slow.catalogue.browsers = ["firefox"] }
        rules = MonitorRules(slow.catalogue)
    }

    private mutating func number(_ range: ClosedRange<Int64>) -> Int64 { .random(in: range, using: &chance) }
    private mutating func time(_ range: ClosedRange<Int64>) -> Milliseconds { Milliseconds(number(range)) }
    private mutating func oneIn(_ count: Int64) -> Bool { number(1...count) == 1 }
    private mutating func one<T>(of list: [T]) -> T { list[Int(number(0...Int64(list.count - 1)))] }

    /// Advances time and performs one random step.
    /// - Returns: the published callbacks, and the expected ones.
    mutating func step() throws -> ([String], [String]) {
        now += time(0...(oneIn(6) ? 1_500_000 : 60_000))
        switch number(0...9) {
        case 0, 1: try register()
        case 2: if oneIn(2) { remove() }
        case 3: learn()
        case 4: try restart()
        default: try use()
        }
        return (try rules.due(until: now).filter(\.isDelivered).map(text), try slow.due(now))
    }

    private func text(_ due: DueCallback) -> String {
        SlowRules.text(
            due.at, due.callback, due.name.name, due.event?.name, due.total, due.occurrence.start)
    }

    // MARK: what happens

    private mutating func register() throws {
        let name = one(of: ["a", "b", "c"])
        let minutes: [Int64] = [0, 5, 20, 30, 45]
        let events = (0..<number(0...4)).map { index in
            let namesNothing = oneIn(4)
            return EventDefinition(
                name: "e\(index)", applications: namesNothing ? [] : some(RulesModelTests.apps),
                categories: namesNothing ? [] : some(["games", "web", "other"]),
                webDomains: namesNothing ? [] : some(RulesModelTests.hosts),
                except: oneIn(2)
                    ? nil
                    : EventExceptions(
                        applications: some(RulesModelTests.apps), categories: some(["games", "other"]),
                        webDomains: some(RulesModelTests.hosts)),
                threshold: DateComponents(second: number(1...900)), includesPastActivity: oneIn(2))
        }
        let warning = oneIn(2) ? DateComponents(second: number(0...600)) : nil
        let definition = ActivityDefinition(
            name: name,
            schedule: Schedule(
                intervalStart: DateComponents(minute: one(of: minutes)),
                intervalEnd: DateComponents(minute: one(of: minutes)), repeats: !oneIn(4),
                warningTime: warning),
            events: events)
        registrations += 1
        try rules.register(
            definition, as: ActivityName(client: "", member: "me", name: name), registration: registrations,
            registered: now, zone: zone)
        try slow.register(definition, now, zone)
    }

    private mutating func some(_ names: [String]) -> [String] { names.filter { _ in oneIn(3) } }

    private mutating func remove() {
        let name = one(of: ["a", "b", "c"])
        _ = rules.remove(ActivityName(client: "", member: "me", name: name), now: now)
        slow.activities[name] = nil
    }

    private mutating func learn() {
        let app = one(of: RulesModelTests.apps)
        slow.catalogue.appCategories[app] = one(of: ["games", "web", "other"])
        rules.apply(slow.catalogue, changed: [.app(app)])
    }

    /// The rules forget everything but what their owner keeps.
    private mutating func restart() throws {
        let truth = truth
        let fresh = MonitorRules(slow.catalogue) { _, from in
            guard let window = TimeRange(start: from, end: .max) else { return MemberUse() }
            var part = truth.use
            part.devices = part.devices.map { $0.clipped(to: window) }
            return part
        }
        for name in rules.names.shuffled(using: &chance) {
            guard let view = rules.view(of: name), let state = rules.state(of: name) else { continue }
            try fresh.restore(
                view.definition, as: name, registration: view.registration, registered: view.registered,
                zone: zone, state)
        }
        rules = fresh
    }

    /// One device's truth changes: something is opened or closed now or a moment ago, or late data come.
    private mutating func use() throws {
        let device = one(of: RulesModelTests.devices)
        let subjects =
            RulesModelTests.apps.map { Subject.app($0) } + RulesModelTests.hosts.map { .domain($0) }
        var change = UseChange(member: "me", device: device)
        var running = slow.running[device] ?? [:]
        let at = now - time(0...(oneIn(3) ? 40_000 : 50))
        for _ in 0..<number(1...2) {
            let subject = one(of: subjects)
            if let start = running.removeValue(forKey: subject) {
                if let interval = TimeRange(start: start, end: at) {
                    change.added.append(Use(subject, interval))
                }
            } else {
                running[subject] = at
            }
        }
        if oneIn(5) {
            let start = now - time(1...9_000_000)
            let subject = one(of: subjects)
            let interval = TimeRange(start: start, end: min(now, start + time(1...900_000)))
            if let interval, running[subject] == nil { change.added.append(Use(subject, interval)) }
        }
        change.added = slow.onlyNew(change.added, on: device)
        if oneIn(6), let gone = slow.rows[device]?.randomElement(using: &chance) { change.removed = [gone] }
        change.running = running.map { RunningUse($0.key, start: $0.value) }
        if oneIn(8), let ended = change.running.popLast(),
            let interval = TimeRange(start: ended.start, end: now - 5)
        {
            change.provisional = [Use(ended.subject, interval)]
        }
        slow.apply(change)
        truth.use = slow.memberUse
        try rules.apply(change)
    }
}
