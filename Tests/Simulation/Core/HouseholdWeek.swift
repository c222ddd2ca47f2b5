import Contract
package import Loop
package import Units

/// A week of a household on a ``SimulatedSystem``: apps are used, limits are reached, and everything that can
/// go wrong does. One seed decides all. At the end the faults stop, the system comes to rest, and the oracle
/// looks at it.
@LoopActor package final class HouseholdWeek {
    /// What one run found.
    package struct Outcome: Sendable {
        package var seed: UInt64 = 0
        /// Of everything that was done; equal for two runs of one seed.
        package var digest: UInt64 = 0
        package var steps = 0
        package var observations = 0
        package var callbacks = 0
        /// The longest time from an event until it was told, delivered or shown.
        package var latest: Milliseconds = 0
        /// Numbers of faults and other things, by kind.
        package var counts: [String: Int] = [:]
        /// What must not happen and did, a sentence each.
        package var violations: [String] = []
        /// The last lines of the logs, if anything was violated.
        package var lines: [String] = []
    }

    let system: SimulatedSystem
    let sensor: SimulatedSensor
    let person: SimulatedPerson
    let day: PersonsDay
    let witness: EventWitness
    let screen: SimulatedScreen
    /// As registered, by name.
    var registered: [String: MonitoredActivity] = [:]
    /// The longest time from an event until it was told, delivered or shown.
    var latest: Milliseconds = 0
    private var newApps = 0
    private let seed: UInt64
    private var random: SeededRandom
    private let length: Milliseconds

    /// An app with what the sensor reports about it.
    struct App {
        var id: String
        /// The categories of its desktop entry, as far as they are known.
        var desktopCategories: [String]?
    }

    static let apps = ["chess", "editor", "browser", "mail", "music"]
    /// 2026-03-02 00:00:00 UTC, a Monday.
    static let start: Instant = 1_772_409_600_000

    package init(
        seed: UInt64, length: Milliseconds = .days(7), faults: SimulatedSystem.Faults, directory: String
    ) throws {
        self.seed = seed
        self.length = length
        random = SeededRandom(seed: seed ^ 0x6f72_6163_6c65)
        // In every third week a service is away for hours, and logs have no longer what it missed.
        let hasShortLogs = seed % 3 == 0
        system = try SimulatedSystem(
            seed: seed, start: Self.start, directory: directory, hasShortLogs: hasShortLogs)
        system.faults = faults
        if hasShortLogs, faults.killOneIn > 0 { system.faults.longAbsenceOneIn = 3 }
        sensor = try SimulatedSensor(system)
        person = SimulatedPerson(system)
        witness = EventWitness(system)
        screen = SimulatedScreen(person, witness)
        day = PersonsDay(person, random.fork()) { [system] in system.violate($0) }
    }

    /// - Parameter trace: called with each message and turn, a line each.
    package func run(trace: (@LoopActor (String) -> Void)? = nil) -> Outcome {
        system.simulator.onNote = trace
        system.startAll()
        for activity in Self.activities() { register(activity) }
        planUse()
        planPerson()
        watch()
        let end = Self.start + length
        system.run(until: end)
        system.faults = .none
        // Also the service that is away for hours.
        system.startAll()
        system.network.faults.lossOneIn = 0
        // Long enough for every pause between attempts.
        var outcome = rest(until: end + .hours(2), then: .minutes(30))
        outcome.violations = system.violations + outcome.violations
        outcome.steps = system.simulator.steps
        outcome.observations = sensor.acknowledged.count
        outcome.counts = system.allCounts
        outcome.latest = latest
        outcome.callbacks = outcome.counts["callbacks returned"] ?? 0
        system.close()
        outcome.violations += system.unreleased
        if !outcome.violations.isEmpty { outcome.lines = system.lines.lines }
        return outcome
    }

    /// When everything has come to rest, the oracle looks at it, and again after a restart.
    private func rest(until due: Instant, then length: Milliseconds) -> Outcome {
        // Nothing that a schedule does may change the answers. What takes less than an hour is over by then.
        let minute = (due - Self.start).count / 60_000 % 1_440
        if day.extra.last?.hasBoundary(minute...minute + length.count / 60_000) == true {
            return rest(until: due + .minutes(90), then: length)
        }
        system.run(until: due + .seconds(30))
        var outcome = Outcome(seed: seed)
        outcome.violations = changeCategories(from: due + .seconds(30))
        let looked = due + .minutes(10)
        // What the oracle is told contains the number of this process.
        outcome.digest = system.simulator.digest.value
        witness.collect()
        var answers: [String: String] = [:], again: [String: String] = [:]
        Answers(self).collect { answers = $0 }
        // Until it has ended, which a question without an answer prevents.
        var found = ["the oracle did not end: a question was not answered"]
        Oracle(self).check { found = $0 }
        system.run(until: looked + .minutes(5))
        outcome.violations += found
        system.restartAll()
        system.run(until: due + length - .minutes(5))
        Answers(self).collect { again = $0 }
        system.run(until: due + length)
        outcome.violations += Answers.differences(answers, again)
        return outcome
    }

    /// At rest nothing but the change of a category tells the screen that apps are shielded otherwise.
    /// - Returns: what is violated.
    private func changeCategories(from start: Instant) -> [String] {
        var violations: [String] = []
        for round in 0..<Int64(8) {
            let start = start + .minutes(round)
            day.setCategory()
            system.run(until: start + .seconds(20))
            witness.collect()
            screen.look()
            system.run(until: start + .seconds(40))
            Oracle(self).checkOnlyScreen { violations += $0 }
            system.run(until: start + .seconds(60))
        }
        return violations
    }

    /// Reads all logs once a minute; none trims what was written in that time. The screen looks every half
    /// hour.
    private func watch(_ minute: Int = 0) {
        witness.collect()
        if minute % 30 == 0 { screen.look() }
        system.simulator.after(60_000_000_000) { [weak self] in self?.watch(minute + 1) }
    }

    // MARK: what happens

    static func activities() -> [ActivityDefinition] {
        func time(_ minutes: Int64) -> DateComponents {
            DateComponents(hour: minutes / 60, minute: minutes % 60)
        }
        func event(_ name: String, _ apps: [String], _ minutes: Int64) -> EventDefinition {
            EventDefinition(name: name, applications: apps, threshold: DateComponents(minute: minutes))
        }
        let day = Schedule(intervalStart: time(0), intervalEnd: time(24 * 60 - 1), repeats: true)
        var evening = Schedule(intervalStart: time(17 * 60), intervalEnd: time(21 * 60), repeats: true)
        evening.warningTime = DateComponents(minute: 5)
        return [
            ActivityDefinition(
                name: "games", schedule: day,
                events: [event("ten", ["chess"], 10), event("twenty", ["chess", "music"], 20)]),
            ActivityDefinition(name: "evening", schedule: evening, events: [event("all", [], 15)]),
        ]
    }

    private func register(_ activity: ActivityDefinition) {
        person.ask(MonitoringStart.self, MonitoringStart.Params(activities: [activity])) { [weak self] in
            switch $0 {
            case .success(let result):
                for var one in result.activities {
                    // What the service answers is not what decides.
                    one.activity = activity
                    self?.registered[activity.name] = one
                }
            case .failure(let error): self?.system.violate("registering failed: \(error.message)")
            }
        }
    }

    /// Some twenty things on each day.
    private func planPerson() {
        var at = Self.start + .minutes(2)
        while at < Self.start + length - .hours(1) {
            system.simulator.at(at) { [weak self] in self?.day.doSomething() }
            at = at + Milliseconds(random.time(60_000...8_000_000))
        }
    }

    /// Some thirty stretches of use on each day, of some seven observations, less than a minute apart. After
    /// some the sensor falls silent without a word. Every few hours there is an app that was never used.
    private func planUse() {
        let simulator = system.simulator
        var at = Self.start + .minutes(10)
        let end = Self.start + length - .hours(1)
        simulator.at(at) { [weak self] in self?.sensor.observe(.alive) }
        while at < end {
            let count = 3 + random.below(8)
            let endsInSilence = random.oneIn(6)
            for index in 0..<count {
                let isLast = index == count - 1 && !endsInSilence
                let app = isLast ? nil : someApp()
                let kind: ObservationKind = !isLast && random.oneIn(4) ? .alive : .focus
                simulator.at(at) { [weak self] in self?.sensor.observe(kind, kind == .focus ? app : nil) }
                at = at + Milliseconds(random.time(1_000...55_000))
            }
            at = at + Milliseconds(random.time(60_000...4_800_000))
        }
    }

    /// The number-th app that is met during the week.
    nonisolated static func newApp(_ number: Int) -> String { "app.number\(number)" }

    private func someApp() -> App {
        guard random.oneIn(30) else { return App(id: Self.apps[random.below(Self.apps.count)]) }
        newApps += 1
        let categories = [["Game"], ["Network", "Chat"], ["Office"], []]
        return App(id: Self.newApp(newApps), desktopCategories: categories[random.below(4)])
    }
}

extension SimulatedSystem {
    /// Runs everything that is due until then.
    package func run(until end: Instant) {
        let end = (end - simulator.start).count * 1_000_000
        // A service that never starts again would be started all week.
        while violations.count < 20, let due = simulator.nextDue, due <= end, step() {}
    }
}
