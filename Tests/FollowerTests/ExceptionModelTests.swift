import Contract
import JSON
import Loop
import ScreenTimeTesting
import Testing
import Units

@testable import ServiceKit
@testable import ShieldCore

/// Random exceptions, stores, categories, time, clock steps, reboots, restarts and failing commits: at every
/// step shield-service judges as a slow model does, and its events tell the same.
@Suite(.serialized) @LoopActor struct ExceptionModelTests {
    @Test(arguments: 0..<6) func shieldServiceDoesWhatTheModelDoes(_ number: Int) async throws {
        var random = SystemRandomNumberGenerator()
        let seed = number == 0 ? 1 : random.next()
        print("seed \(seed)")
        let home = try ExceptionTests.Home()
        defer { home.close() }
        let judge = try ClockJudge(try home.directory.configuration(), home.clock)
        defer { judge.close() }
        let walk = ExceptionWalk(home, judge, seed: seed)
        // Before that, the end of a day does not come.
        try await walk.judged()
        for _ in 0..<150 { try await walk.step() }
        try await walk.checkEvents()
    }
}

/// An approval as the model knows it.
private struct ModelException {
    var request: TimeRequest
    /// On the clock that nobody sets; nil: it ended early.
    var end: Instant?

    func opens(_ app: String, _ category: String, at now: Instant) -> Bool {
        guard let end, now < end else { return false }
        switch request.kind {
        case .app: return request.subject == app
        case .category: return [category, "all"].contains(request.subject)
        case .domain, .domainCategory: return false
        }
    }
}

@LoopActor private final class ExceptionWalk {
    private let home: ExceptionTests.Home
    private let judge: ClockJudge
    private var chance: Chance
    private let seed: UInt64
    private var number = 0
    /// The sum of the steps by which the clock was set.
    private var steps: Milliseconds = 0
    private var exceptions: [ModelException] = []
    /// Apps and categories by store.
    private var apps: [String: Set<String>] = [:]
    private var rules: [String: Set<String>] = [:]
    private var categories: [String: String] = [:]

    private static let all = ["chess", "go", "mail", "editor"]
    private static let names = ["games", "social", "other"]

    init(_ home: ExceptionTests.Home, _ judge: ClockJudge, seed: UInt64) {
        self.home = home
        self.judge = judge
        self.seed = seed
        chance = Chance(seed: seed)
    }

    private var label: Comment { "seed \(seed), step \(number)" }
    /// The time that passed.
    private var now: Instant { home.clock.now - steps }
    private func below(_ count: Int) -> Int { Int.random(in: 0..<count, using: &chance) }

    func step() async throws {
        number += 1
        switch below(12) {
        case 0...2: try await approve()
        case 3: try await endEarly()
        case 4: try await writeStore()
        case 5: try await setCategory()
        case 6: try await setClock()
        case 7: try await restart(isReboot: below(2) == 0)
        default: try await pass()
        }
        try await look()
    }

    // MARK: operations

    private func approve() async throws {
        let isCategory = below(3) == 0
        let subject = isCategory ? (Self.names + ["all"])[below(4)] : Self.all[below(4)]
        let minutes: Int64? = below(4) == 0 ? nil : [1, 15, 60][below(3)]
        // The end of a day, by auth-service's trusted time.
        let end = now + (minutes.map { .minutes($0) } ?? .minutes(Int64(1 + below(300))))
        var request = home.request(
            "r\(number)", isCategory ? .category : .app, subject, minutes: minutes, end: end)
        request.decided = now
        exceptions.append(ModelException(request: request, end: end))
        let faults = CommitFaults(home.core.service.database)
        if below(4) == 0 { faults.failsCommit = { faults.failures < 1 } }
        try await home.publish(RequestDecided(request: request))
        // The same answer again begins nothing.
        if below(3) == 0 { try await home.publish(RequestDecided(request: request)) }
    }

    private func endEarly() async throws {
        guard let index = exceptions.indices.last(where: { exceptions[$0].end.map { $0 > now } ?? false })
        else { return }
        let params = ExceptionEnd.Params(id: exceptions[index].request.id)
        _ = try await home.client.call(ExceptionEnd.self, params)
        exceptions[index].end = nil
        // Nor does the same decision begin it again.
        if below(2) == 0 { try await home.publish(RequestDecided(request: exceptions[index].request)) }
    }

    /// Also what an extension would write when a threshold is crossed during an exception.
    private func writeStore() async throws {
        let store = "s\(below(2))"
        apps[store] = Set(Self.all.filter { _ in below(2) == 0 })
        rules[store] = Set(Self.names.filter { _ in below(3) == 0 })
        let names = rules[store, default: []].sorted().map { JSONValue.string($0) }
        try await home.shieldApps(apps[store, default: []].sorted(), in: store)
        try await home.shield(
            "shield.applicationCategories",
            names.isEmpty ? .null : ["policy": "specific", "categories": .array(names)], in: store)
    }

    private func setCategory() async throws {
        let (app, category) = (Self.all[below(4)], Self.names[below(3)])
        categories[app] = category
        try judge.service.transact(trace: nil) { transaction in
            _ = try transaction.emit(
                CatalogChanged(subjects: [CatalogChange(kind: .app, subject: app, category: category)]))
        }
        judge.service.endTurn()
        try await judged()
    }

    private func setClock() async throws {
        let step = Milliseconds.hours(Int64(below(60)) - 30)
        home.clock.now = home.clock.now + step
        steps = steps + step
        judge.held = steps
        home.core.exceptions.clock.clockWasSet()
        home.clock.fire()
        try await look()
        try judge.judge(steps)
        try await judged()
    }

    /// Until what activity-center published is applied.
    func judged() async throws {
        try await untilTurn("the judgement") { [self] in
            home.core.service.followers[.activity]?.reached == judge.service.head
                && home.core.exceptions.clock.isJudged && home.core.exceptions.clock.ahead == steps
                && !home.core.service.hasUncommitted
        }
    }

    private func restart(isReboot: Bool) async throws {
        home.core.service.close()
        if below(2) == 0 {
            let pause = Milliseconds.minutes(Int64(below(30)))
            home.clock.now = home.clock.now + pause
            home.elapsed = home.elapsed + pause
        }
        if isReboot { (home.boot, home.elapsed) = ("boot-\(number)", 5_000) }
        try home.restart()
        try await judged()
    }

    /// To an end, a millisecond before it, or anywhere.
    private func pass() async throws {
        let next = exceptions.compactMap(\.end).filter { $0 > now }.min()
        if let next, below(2) == 0 {
            if next - now > 1 { home.pass(next - now - 1) }
            try await look()
            home.pass(1)
        } else {
            home.pass(.minutes(Int64(below(40))) + Milliseconds(Int64(below(1_000))))
        }
        try await untilTurn("it is committed") { [self] in !home.core.service.hasUncommitted }
    }

    // MARK: comparing

    private func look() async throws {
        let found = try await home.judge(Self.all).map { $0 != "-" }
        let expected = Self.all.map { app in
            let category = categories[app] ?? "other"
            let isNamed = apps.values.contains { $0.contains(app) }
            let isCovered = rules.values.contains { $0.contains(category) }
            return (isNamed || isCovered) && !exceptions.contains { $0.opens(app, category, at: now) }
        }
        try #require(found == expected, label)
        let listed = try await home.client.call(ExceptionList.self, ExceptionList.Params()).exceptions
        let present = exceptions.filter { $0.end.map { $0 > now } ?? false }
        #expect(Set(listed.map(\.id)) == Set(present.map(\.request.id)), label)
    }

    /// Each begins once and ends at most once; those that ended by time were over.
    func checkEvents() async throws {
        let told = try await home.told().filter { !$0.hasPrefix("applied") && !$0.hasPrefix("lifted") }
        let ends = told.filter { $0.hasPrefix("ended") }.map { $0.split(separator: " ")[1] }
        #expect(ends.count == Set(ends).count, label)
        for one in exceptions {
            let id = one.request.id
            #expect(told.count { $0 == "began \(id)" } == 1, label)
            let ending = told.first { $0.hasPrefix("ended \(id) ") }
            guard let end = one.end else {
                #expect(ending == "ended \(id) person", label)
                continue
            }
            #expect(ending == (end > now ? nil : "ended \(id) timeIsOver"), label)
        }
    }
}
