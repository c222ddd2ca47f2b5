import Bus
import Contract
import Foundation
import Glibc
import JSON
import Loop
import Rules
import ScreenTimeTesting
import Testing
import Time
import Units

/// `screentime forget` through all services: what remains in their files, and their answers.
@Suite struct ForgetBytesTests {
    static let app = "org.Example.\"Secret\".Player"
    static let name = "Secretive Player"
    static let host = "secret.example.com"
    static let all: [ServiceName] = [.notifier, .monitor, .shield, .auth, .activity, .report]

    /// Four apps and a domain in the last minute, one of them with a limit that was reached.
    @LoopActor static func live(_ world: World) async throws {
        let now = WallTime.now
        func seen(_ ago: Milliseconds, _ kind: ObservationKind, _ app: String? = nil, _ host: String? = nil)
            -> Observation
        {
            Observation(
                at: now - ago, kind: kind, app: app, domain: host,
                appName: app == Self.app ? name : nil)
        }
        try await world.observe(
            [
                seen(50_000, .unlocked), seen(40_000, .focus, Self.app),
                seen(35_000, .notification, Self.app),
                seen(30_000, .focus, "org.test.Webber"), seen(30_000, .domain, "org.test.Webber", host),
                seen(20_000, .focus, "org.test.Writer"), seen(10_000, .focus, Self.app),
                seen(5_000, .focus, "org.test.Writer"),
                seen(1_000, .idle),
            ], device: "laptop")
    }

    /// Registers a limit, waits until it is stored, and removes it.
    @LoopActor static func limit(_ world: World) async throws {
        let deliveries = try world.record(.monitor)
        let event = EventDefinition(
            name: "play", applications: [app], webDomains: [host], threshold: DateComponents(second: 2),
            includesPastActivity: true)
        try await world.monitor([.allDay("daily", [event])])
        func wait(for callback: String) async throws {
            _ = try await deliveries.first(CallbackDelivered.self) { $0.delivery.callback == callback }
        }
        try await wait(for: "eventDidReachThreshold")
        let shields = try await ShieldServiceTests.list(world)
        #expect(shields.map(\.subject).contains(app))
        let outcome = try await world.command("forget", "--app", app, "--dry-run")
        #expect(outcome.output.contains("notifications") && outcome.output.contains("deliveries"))
        _ = try await world.call(MonitoringStop.self, MonitoringStop.Params(names: ["daily"]))
        try await wait(for: "intervalDidEnd")
    }

    @LoopActor private static func report(
        _ world: World, by: ReportGrouping
    ) async throws -> [String: Int64] {
        let head = try await world.health(.activity).head
        var sums: [String: Int64] = [:]
        let today = UTCTime.text(WallTime.now).prefix(10)
        let yesterday = UTCTime.text(WallTime.now - 86_400_000).prefix(10)
        for (from, to) in [("2023-11-01", "2023-12-01"), (yesterday, today)] {
            let params = ReportQuery.Params(from: "\(from)", to: "\(to)", zone: "UTC", by: by)
            let answer = try await world.call(
                ReportQuery.self, params, notBefore: [Position(.activity, head)])
            for row in answer.rows { sums[row.key, default: 0] += row.value }
        }
        return sums
    }

    @Test func noByteOfAnAppIsLeftAndAllElseIsAsItWas() async throws {
        try await World.with { world in
            try await Self.live(world)
            try await Self.limit(world)
            let before = try await Self.report(world, by: .app)
            #expect(before[Self.app] == 15_000)
            #expect(try !world.files(with: [Self.app, Self.name]).isEmpty)
            let outcome = try await world.command("forget", "--app", Self.app, "--yes")
            #expect(outcome.status == 0, "\(outcome)")
            #expect(!outcome.output.contains("What still names it"), "\(outcome.output)")
            #expect(try world.files(with: [Self.app, Self.name]) == [])
            let after = try await Self.report(world, by: .app)
            #expect(after == before.filter { $0.key != Self.app })
            try await Self.expectRebuiltReportIsTheSame(world)
            for service in Self.all {
                let process = try world.process(service.rawValue)
                process.signal(SIGTERM)
                _ = try await process.exit()
            }
            #expect(try world.files(with: [Self.app, Self.name]) == [])
        }
    }

    @LoopActor private static func expectRebuiltReportIsTheSame(_ world: World) async throws {
        var before: [[String: Int64]] = []
        for by in [ReportGrouping.app, .domain, .category, .total] {
            before.append(try await report(world, by: by))
        }
        let process = try world.process("report-service")
        process.signal(SIGKILL)
        _ = try await process.exit()
        try FileManager.default.removeItem(atPath: "\(world.directory)/state/report-service")
        try await world.start("report-service")
        for (number, by) in [ReportGrouping.app, .domain, .category, .total].enumerated() {
            #expect(try await report(world, by: by) == before[number])
        }
    }

    @Test func noByteOfADomainIsLeft() async throws {
        try await World.with { world in
            try await Self.live(world)
            let before = try await Self.report(world, by: .app)
            let outcome = try await world.command("forget", "--domain", "Example.com", "--yes")
            #expect(outcome.status == 0, "\(outcome)")
            #expect(try world.files(with: [Self.host]) == [])
            #expect(try await Self.report(world, by: .domain).isEmpty)
            #expect(try await Self.report(world, by: .app) == before)
            try await Self.expectRebuiltReportIsTheSame(world)
        }
    }

    @Test func ofADayGoesWhatIsInsideAndTheNameOfWhatWasUsedOnThatDayOnly() async throws {
        try await World.with { world in
            let noon: Instant = 1_700_049_600_000  // 2023-11-15T12:00Z
            let hour: Milliseconds = 3_600_000
            func focus(_ hours: Int64, _ app: String?) -> Observation {
                Observation(at: noon + hours * hour, kind: .focus, app: app)
            }
            try await world.observe(
                [
                    focus(-24, "kept"), focus(-20, nil), focus(-13, "over"), focus(-11, "used-that-day-only"),
                    focus(-10, nil),
                    focus(-5, Self.app), focus(1, "kept"), focus(2, Self.app),
                    Observation(at: noon + 11 * hour, kind: .locked), focus(30, "kept"),
                    Observation(at: noon + 31 * hour, kind: .unlocked), focus(33, nil),
                ], device: "laptop", model: "import")
            let outcome = try await world.command("forget", "--day", "2023-11-15", "--yes")
            #expect(outcome.status == 0, "\(outcome)")
            let left = try await Self.report(world, by: .app)
            #expect(left == ["kept": 6 * hour.count, "over": hour.count])
            #expect(try world.files(with: [Self.app, "used-that-day-only"]) == [])
            try await Self.expectRebuiltReportIsTheSame(world)
        }
    }

    @Test func ofEverythingNothingIsLeft() async throws {
        try await World.with { world in
            try await Self.live(world)
            try await Self.limit(world)
            let event = EventDefinition(
                name: "again", applications: [Self.app], threshold: DateComponents(hour: 9))
            try await world.monitor([.allDay("kept-rule", [event])])
            let outcome = try await world.command("forget", "--everything", "--yes")
            #expect(outcome.status == 0, "\(outcome)")
            let words = [
                Self.app, Self.name, Self.host, "org.test.Webber", "org.test.Writer", "kept-rule", "laptop",
            ]
            #expect(try world.files(with: words) == [])
            #expect(try await Self.report(world, by: .app).isEmpty)
            #expect(try await world.call(MonitoringList.self, MonitoringList.Params()).activities.isEmpty)
        }
    }

    @Test func rulesStayAndAreNamed() async throws {
        try await World.with { world in
            try await Self.live(world)
            let event = EventDefinition(
                name: "limit", applications: [Self.app], threshold: DateComponents(hour: 9))
            try await world.monitor([.allDay("weekend", [event])])
            _ = try await ShieldServiceTests.write(
                world, "mine", [("shield.applications", .array([.string(Self.app)]))])
            let outcome = try await world.command("forget", "--app", Self.app, "--yes")
            #expect(outcome.status == 0)
            #expect(outcome.output.contains("screentime monitor stop weekend"))
            #expect(outcome.output.contains("'mine'"))
            #expect(try await Self.report(world, by: .app)[Self.app] == nil)
            // A reader that starts now gets the present shields.
            let head = try await world.health(.shield).head
            let recorder = try world.record(.shield)
            let applied = try await recorder.first(ShieldApplied.self)
            #expect(applied.shield.subject == Self.app && recorder.events.count <= Int(head))
        }
    }

    @Test func eventsThatNameItKeepTheirPlaceWithoutData() async throws {
        try await World.with { world in
            try await Self.live(world)
            let before = try await world.client(.activity).call(EventsRead.self, EventsRead.Params(after: 0))
            try await world.forget(Self.all, .init(kind: .app, subject: Self.app))
            let after = try await world.client(.activity).call(EventsRead.self, EventsRead.Params(after: 0))
            let events = try after.events.map { try AnyEvent.decode($0.bytes) }
            #expect(events.map(\.head.sequence.value) == Array(1...after.head))
            #expect(after.head > before.head)
            for raw in after.events {
                let text = String(decoding: raw.bytes, as: UTF8.self)
                #expect(!text.contains("Secret"), "\(text)")
            }
            #expect(
                after.events.contains { String(decoding: $0.bytes, as: UTF8.self).contains(#""data":null"#) })
        }
    }

    /// Killed between the commit and the rewrite of the files: the successor completes it and answers the
    /// open request.
    @Test(arguments: all)
    func aKilledServiceFinishesWithItsSuccessor(service: ServiceName) async throws {
        try await World.with { world in
            try await Self.live(world)
            try await Self.limit(world)
            try await world.settle()
            var params = PrivacyForget.Params(kind: .app, subject: Self.app, rehearse: true)
            params.words = try await world.client(.activity).call(PrivacyForget.self, params).words
            params.rehearse = nil
            for other in Self.all.prefix(while: { $0 != service }) {
                _ = try await world.client(other).call(PrivacyForget.self, params)
            }
            try await world.settle()
            try world.arm("after-commit", of: service)
            let asked = params
            let answer = Task { @LoopActor in
                try await world.client(service).call(
                    PrivacyForget.self, asked, options: CallOptions(deadline: 60_000))
            }
            let process = try world.process(service.rawValue)
            #expect(try await process.exit() == 128 + SIGKILL)
            try await world.start(service.rawValue)
            _ = try await answer.value
            let own = try world.files(with: [Self.app, Self.name]).filter { $0.hasPrefix(service.rawValue) }
            #expect(own == [])
            let outcome = try await world.command("forget", "--app", Self.app, "--yes")
            #expect(outcome.status == 0, "\(outcome)")
            #expect(try world.files(with: [Self.app]) == [])
        }
    }

    @Test func aServiceThatIsDownIsNamedAndNothingGoes() async throws {
        try await World.with { world in
            try await Self.live(world)
            let before = try await Self.report(world, by: .app)
            let process = try world.process("notifier")
            process.signal(SIGTERM)
            _ = try await process.exit()
            let outcome = try await world.command("forget", "--app", Self.app, "--yes")
            #expect(outcome.status == 69)
            #expect(outcome.errors.contains("notifier") && outcome.errors.contains("Nothing was removed"))
            #expect(try await Self.report(world, by: .app) == before)
        }
    }

    @Test(arguments: [
        (["--app", "a", "--domain", "b"], "only one"), ([], "nothing to forget"),
        (["--day", "2023-02-30"], "--day is"),
        (["--app", "a"], "--yes"),
    ])
    func wrongWordsAreRefused(words: [String], sentence: String) async throws {
        try await World.with { world in
            let name = "screentime-\(world.processes.count)"
            let (status, _) = try await world.run(name, [World.products + "/screentime", "forget"] + words)
            #expect(status == 64)
            #expect(world.errors(of: name).contains(sentence))
        }
    }
}
