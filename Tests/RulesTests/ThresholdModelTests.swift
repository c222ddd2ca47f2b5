import Rules
import Testing

/// Random use, events and registrations against a count of every millisecond.
struct ThresholdModelTests {
    static let apps = ["game", "chess", "firefox", "web"]
    static let hosts = ["play.test", "www.play.test", "read.test", "else.test"]

    struct Model {
        let event: EventRule
        let devices: [DeviceUse]
        let catalogue: Catalogue

        /// How many things that the event counts are in use in this millisecond.
        func rate(_ at_ms: Int64) -> Int64 {
            var counted: Set<String> = []
            for device in devices {
                let now = device.uses.filter { $0.value.contains(at_ms) }.map(\.key)
                let hosts = now.filter { $0.kind == .domain }
                if event.includesAllActivity && now.contains(where: { counts($0, beside: hosts) }) {
                    counted.insert("all")
                }
                var browserCounts = false
                for app in now where app.kind == .app {
                    let isBrowsing = catalogue.isBrowser(app) && !hosts.isEmpty
                    let byCategory =
                        event.categories.contains(catalogue.category(of: app)) && !isBrowsing
                        && !isExcepted(app)
                    guard event.applications.contains(app.id) || byCategory else { continue }
                    counted.insert("app " + app.id)
                    if isBrowsing { browserCounts = true }
                }
                for host in hosts where !browserCounts {
                    let targets = event.webDomains.filter { host.id == $0 || host.id.hasSuffix("." + $0) }
                    if let widest = targets.min(by: { $0.count < $1.count }) {
                        counted.insert("domain " + widest)
                    } else if event.categories.contains(catalogue.category(of: host)), !isExcepted(host) {
                        counted.insert("domain " + host.id)
                    }
                }
            }
            return Int64(counted.count)
        }

        func isExcepted(_ subject: Subject) -> Bool {
            let isNamed =
                subject.kind == .app
                ? event.except.applications.contains(subject.id)
                : event.except.webDomains.contains { subject.id == $0 || subject.id.hasSuffix("." + $0) }
            return isNamed || event.except.categories.contains(catalogue.category(of: subject))
        }

        /// As a part of everything.
        func counts(_ subject: Subject, beside hosts: [Subject]) -> Bool {
            if isExcepted(subject) { return false }
            return !catalogue.isBrowser(subject) || !hosts.contains(where: isExcepted)
        }

        func total_ms(_ from_ms: Int64, _ to_ms: Int64) -> Int64 {
            from_ms < to_ms ? (from_ms..<to_ms).reduce(0) { $0 + rate($1) } : 0
        }

        func first_ms(_ goal_ms: Int64, _ range: ClosedRange<Int64>) -> Int64? {
            var total_ms: Int64 = 0
            for at_ms in range {
                if total_ms >= goal_ms { return at_ms }
                total_ms += rate(at_ms)
            }
            return nil
        }
    }

    static func catalogue(_ chance: inout Chance) -> Catalogue {
        var catalogue = Catalogue(
            appCategories: ["game": "games", "chess": "games", "firefox": "web", "web": "web"],
            domainCategories: ["play.test": "games", "read.test": "reading", "www.play.test": "web"])
        if Bool.random(using: &chance) { catalogue.browsers = ["firefox", "web"] }
        return catalogue
    }

    static func event(_ chance: inout Chance) -> EventRule {
        func some(_ names: [String], _ chance: inout Chance) -> Set<String> {
            Set(names.filter { _ in Int.random(in: 0..<3, using: &chance) == 0 })
        }
        let namesNothing = Int.random(in: 0..<4, using: &chance) == 0
        return EventRule(
            applications: namesNothing ? [] : some(apps, &chance),
            categories: namesNothing ? [] : some(["games", "web", "reading", "other"], &chance),
            webDomains: namesNothing ? [] : some(hosts, &chance),
            except: Bool.random(using: &chance)
                ? Exceptions()
                : Exceptions(
                    applications: some(apps, &chance), categories: some(["games", "other"], &chance),
                    webDomains: some(hosts, &chance)),
            threshold_ms: .random(in: 1...90, using: &chance),
            includesPastActivity: Bool.random(using: &chance))
    }

    static func devices(_ chance: inout Chance) -> [DeviceUse] {
        (0..<Int.random(in: 1...2, using: &chance)).map { number in
            var device = DeviceUse(device: "d\(number)")
            for subject in apps.map(Subject.app) + hosts.map(Subject.domain) where Bool.random(using: &chance)
            {
                device.uses[subject] = IntervalSet(
                    (0..<Int.random(in: 0...3, using: &chance)).compactMap { _ in
                        let start_ms = Int64.random(in: 0..<110, using: &chance)
                        return TimeRange(
                            start_ms: start_ms, end_ms: start_ms + .random(in: 0...25, using: &chance))
                    })
            }
            return device
        }
    }

    @Test(arguments: (0..<3000).map { UInt64($0) })
    func agreesWithACountOfEveryMillisecond(seed: UInt64) throws {
        var chance = Chance(seed: seed)
        let catalogue = Self.catalogue(&chance)
        let event = Self.event(&chance)
        let closed = Self.devices(&chance)
        let start_ms = Int64.random(in: 0..<40, using: &chance)
        let end_ms = start_ms + .random(in: 1...80, using: &chance)
        let occurrence = try #require(TimeRange(start_ms: start_ms, end_ms: end_ms))
        let registered_ms = Int64.random(in: 0..<end_ms, using: &chance)
        let now_ms = Int64.random(in: registered_ms...130, using: &chance)
        let warning_ms: Int64? = Bool.random(using: &chance) ? .random(in: 0...40, using: &chance) : nil
        var open = closed
        var running: [String: [RunningUse]] = [:]
        for index in open.indices where Int.random(in: 0..<3, using: &chance) == 0 {
            let subject = Bool.random(using: &chance) ? Subject.app("game") : .domain("www.play.test")
            let since_ms = Int64.random(in: 0...now_ms, using: &chance)
            running[open[index].device] = [RunningUse(subject, start_ms: since_ms)]
            guard let goesOn = TimeRange(start_ms: since_ms, end_ms: 1000) else { continue }
            open[index].uses[subject, default: IntervalSet()].insert(goesOn)
        }

        let question = ThresholdQuestion(
            event: event, occurrence: occurrence, registered_ms: registered_ms, warning_ms: warning_ms,
            now_ms: now_ms)
        let answer = question.answer(closed, running: running, catalogue)

        let model = Model(event: event, devices: open, catalogue: catalogue)
        let from_ms = event.includesPastActivity ? start_ms : max(start_ms, registered_ms)
        let crossing_ms = model.first_ms(event.threshold_ms, from_ms...end_ms)
        let due_ms = warning_ms.flatMap { model.first_ms(max(0, event.threshold_ms - $0), from_ms...end_ms) }
        #expect(answer.countedFrom_ms == from_ms)
        #expect(answer.total_ms == model.total_ms(from_ms, min(now_ms, end_ms)))
        #expect(answer.crossing_ms == crossing_ms.flatMap { $0 <= now_ms ? $0 : nil })
        #expect(answer.nextCrossing_ms == crossing_ms.flatMap { $0 > now_ms ? $0 : nil })
        #expect(answer.warning_ms == due_ms.flatMap { $0 <= now_ms ? $0 : nil })
        #expect(answer.nextWarning_ms == due_ms.flatMap { $0 > now_ms ? $0 : nil })
    }
}
