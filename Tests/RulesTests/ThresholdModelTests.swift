import Rules
import Testing
import Units

/// Random use, events and registrations against a count of every millisecond.
struct ThresholdModelTests {
    static let apps = ["game", "chess", "firefox", "web"]
    static let hosts = ["play.test", "www.play.test", "read.test", "else.test"]

    struct Model {
        let event: EventRule
        let devices: [DeviceUse]
        let catalogue: Catalogue

        /// How many things that the event counts are in use in this millisecond.
        func rate(_ at: Instant) -> Int64 {
            var counted: Set<String> = []
            for device in devices {
                let now = device.uses.filter { $0.value.contains(at) }.map(\.key)
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

        func total(_ from: Instant, _ to: Instant) -> Milliseconds {
            guard from < to else { return 0 }
            return (from.milliseconds..<to.milliseconds).reduce(0) {
                $0 + Milliseconds(rate(Instant(milliseconds: $1)))
            }
        }

        func first(_ goal: Milliseconds, _ range: ClosedRange<Instant>) -> Instant? {
            var total: Milliseconds = 0
            var at = range.lowerBound
            while at <= range.upperBound {
                if total >= goal { return at }
                total += Milliseconds(rate(at))
                at += 1
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
            threshold: .random(in: 1...90, using: &chance),
            includesPastActivity: Bool.random(using: &chance))
    }

    static func devices(_ chance: inout Chance) -> [DeviceUse] {
        (0..<Int.random(in: 1...2, using: &chance)).map { number in
            var device = DeviceUse(device: "d\(number)")
            for subject in apps.map(Subject.app) + hosts.map(Subject.domain) where Bool.random(using: &chance)
            {
                device.uses[subject] = IntervalSet(
                    (0..<Int.random(in: 0...3, using: &chance)).compactMap { _ in
                        let start = Instant.random(in: 0..<110, using: &chance)
                        let length = Milliseconds.random(in: 0...25, using: &chance)
                        return TimeRange(start: start, end: start + length)
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
        let start = Instant.random(in: 0..<40, using: &chance)
        let end = start + Milliseconds.random(in: 1...80, using: &chance)
        let occurrence = try #require(TimeRange(start: start, end: end))
        let registered = Instant.random(in: 0..<end, using: &chance)
        let now = Instant.random(in: registered...130, using: &chance)
        let warns = Bool.random(using: &chance)
        let warning = warns ? Milliseconds.random(in: 0...40, using: &chance) : nil
        var open = closed
        var running: [String: [RunningUse]] = [:]
        for index in open.indices where Int.random(in: 0..<3, using: &chance) == 0 {
            let subject = Bool.random(using: &chance) ? Subject.app("game") : .domain("www.play.test")
            let since = Instant.random(in: 0...now, using: &chance)
            running[open[index].device] = [RunningUse(subject, start: since)]
            guard let rest = TimeRange(start: since, end: 1000) else { continue }
            open[index].uses[subject, default: IntervalSet()].insert(rest)
        }

        let question = ThresholdQuestion(
            event: event, occurrence: occurrence, registered: registered, warning: warning,
            now: now)
        let answer = question.answer(closed, running: running, catalogue)

        let model = Model(event: event, devices: open, catalogue: catalogue)
        let from = event.includesPastActivity ? start : max(start, registered)
        let crossing = model.first(event.threshold, from...end)
        let due = warning.flatMap { model.first(max(0, event.threshold - $0), from...end) }
        #expect(answer.countedFrom == from)
        #expect(answer.total == model.total(from, min(now, end)))
        #expect(answer.crossing == crossing.flatMap { $0 <= now ? $0 : nil })
        #expect(answer.nextCrossing == crossing.flatMap { $0 > now ? $0 : nil })
        #expect(answer.warning == due.flatMap { $0 <= now ? $0 : nil })
        #expect(answer.nextWarning == due.flatMap { $0 > now ? $0 : nil })
    }
}
