import Contract
import Foundation
import Loop
import ScreenTimeTesting
import Testing
import Time
import Units

/// An owner's state directory is replaced by an older copy, as by a restored backup: no person is asked,
/// nothing that others own is lost, and their copies of the owner's data match it.
@Suite struct RestoreTests {
    private static let events = [5, 10, 20].map { minutes in
        EventDefinition(
            name: "m\(minutes)", applications: ["game"], threshold: DateComponents(minute: Int64(minutes)),
            includesPastActivity: true)
    }

    private static func told(_ world: World) async throws -> [String] {
        try await world.deliveries().filter { $0.callback == "eventDidReachThreshold" }
            .map { "\($0.about.event ?? "") \($0.state.rawValue)" }
    }

    /// - Parameter overtakes: the restored owner makes more events than it had before its followers see it.
    @Test(arguments: [false, true]) func activityCenterOfAnOlderCopy(overtakes: Bool) async throws {
        try await World.with(clock: "2026-03-02T08:00:00Z") { world in
            let bundle = try await world.approvedFixture()
            let activity = ActivityDefinition.daily("daily", from: (0, 0), to: (0, 0), events: Self.events)
            try await world.monitor([activity], client: bundle.client)
            try await world.use("game", for: .minutes(6))
            try await world.stop("activity-center")
            try world.keepCopy(of: "activity-center")
            try await world.start("activity-center")
            try await world.clock.advance(.minutes(1))
            try await world.use("game", for: .minutes(6))
            #expect(try await Self.told(world) == ["m5 delivered", "m10 delivered"])

            let lost = try await world.health(.activity).head
            let followers = ["monitor-runner", "report-service"]
            if overtakes { for follower in followers { try await world.stop(follower) } }
            try await world.stop("activity-center")
            try world.restoreCopy(of: "activity-center")
            try await world.start("activity-center")
            #expect(try await world.health(.activity).head < lost)
            if overtakes {
                // As much is observed as was lost, and more, while nobody follows.
                var at = try world.clock.now - 60_000
                for number in 0..<60 {
                    for kind in [ObservationKind.opened, .closed] {
                        at += 100
                        try await world.observe(
                            [Observation(at: at, kind: kind, app: "other\(number)", instance: 1)],
                            device: "phone", model: "android")
                    }
                }
                #expect(try await world.health(.activity).head > lost)
                for follower in followers { try await world.start(follower) }
            }
            try await world.clock.settle()
            // 6 minutes are left; 16 in all, then 21.
            try await world.use("game", for: .minutes(10))
            #expect(try await Self.told(world) == ["m5 delivered", "m10 delivered"], "m10 is told once")
            try await world.clock.advance(.minutes(1))
            try await world.use("game", for: .minutes(5))
            #expect(
                try await Self.told(world) == ["m5 delivered", "m10 delivered", "m20 delivered"])
            let installed = try await world.call(ExtensionList.self, Nothing()).extensions
            #expect(installed.contains { $0.id == bundle.id })
            let report = try await world.call(
                ReportQuery.self,
                .init(from: "2026-03-02", to: "2026-03-03", zone: "UTC", by: .app),
                notBefore: [Position(.activity, try await world.health(.activity).head)])
            let game = try #require(report.rows.first { $0.key == "game" })
            #expect(game.value == 1_260_000, "21 minutes")
            let status = try await world.command("status")
            #expect(status.status == 0, "\(status.output)")
            #expect(try await world.health(.monitor).counters.contains { $0.name == "forked" })
        }
    }

    /// A restored auth-service, and one that began with nothing: what an app wrote is not cleared by
    /// revocations of the past; an app that is not known restricts nothing until it is approved again.
    @Test(arguments: ["restored", "restored before the approval", "new"])
    func authServiceOfAnotherLife(life: String) async throws {
        let app = "org.example.app"
        try await World.with(["auth-service", "shield-service"]) { world in
            let keep = {
                try await world.stop("auth-service")
                try world.keepCopy(of: "auth-service")
                try await world.start("auth-service")
            }
            if life != "restored" { try await keep() }
            try await world.approveNow(app)
            _ = try await world.call(AuthorizationRevoke.self, AuthorizationRevoke.Params(client: app))
            try await world.approveNow(app)
            if life == "restored" { try await keep() }
            try await world.followed(.auth, by: .shield)
            _ = try await ShieldServiceTests.write(
                world, "default", [("shield.applications", ["game"])], client: app)
            // After the copy, too.
            _ = try await world.call(MemberAdd.self, MemberAdd.Params(name: "Kim", role: .child))

            try await world.stop("auth-service")
            if life == "new" {
                try FileManager.default.removeItem(atPath: world.directory + "/state/auth-service")
            } else {
                try world.restoreCopy(of: "auth-service")
            }
            try await world.start("auth-service")
            try await world.followed(.auth, by: .shield)
            let stores = try await world.call(SettingsList.self, SettingsList.Params()).stores
            #expect(stores.map(\.store) == ["default"], "nothing is cleared")
            let isShielded = try await !world.call(ShieldList.self, ShieldList.Params()).shields.isEmpty
            #expect(isShielded == (life == "restored"))
            if life != "restored" {
                try await world.approveNow(app)
                try await world.followed(.auth, by: .shield)
                let shields = try await world.call(ShieldList.self, ShieldList.Params()).shields
                #expect(shields.map(\.subject) == ["game"])
            }
        }
    }

    /// monitor-runner of an older copy: the hosts of shields and reports have the extensions that it has.
    @Test func monitorRunnerOfAnOlderCopy() async throws {
        try await World.with(["auth-service", "monitor-runner", "shield-service"]) { world in
            try await world.stop("monitor-runner")
            try world.keepCopy(of: "monitor-runner")
            try await world.start("monitor-runner")
            _ = try await FixtureBundle(world)
            try await world.stop("monitor-runner")
            try world.restoreCopy(of: "monitor-runner")
            try await world.start("monitor-runner")
            try await world.followed(.monitor, by: .shield)
            #expect(try await world.health(.shield).notActing == nil)
            let again = try await FixtureBundle(world, id: "org.example.again.monitor")
            let installed = try await world.call(ExtensionList.self, Nothing()).extensions
            #expect(installed.contains { $0.id == again.id })
            try await world.followed(.monitor, by: .shield)
        }
    }

    /// report-service from an older copy, from before something was deleted: the name was sent then, and is
    /// not sent again.
    @Test(arguments: ["app", "everything"])
    func reportServiceOfAnOlderCopyShowsNothingForgotten(what: String) async throws {
        try await World.with(
            ["auth-service", "activity-center", "report-service"], clock: "2026-03-02T12:00:00Z"
        ) { world in
            let now = try world.clock.now
            var changes: [Observation] = []
            for (number, app) in ["org.zzsecret.Game", "org.example.plain"].enumerated() {
                let at = now - 3_600_000 + Milliseconds(number * 600_000)
                changes.append(Observation(at: at, kind: .opened, app: app, instance: 1))
                changes.append(Observation(at: at + 60_000, kind: .closed, app: app, instance: 1))
            }
            try await world.observe(changes, device: "phone", model: "android")
            @LoopActor func reported() async throws -> [String] {
                let head = try await world.health(.activity).head
                return try await world.call(
                    ReportQuery.self, .init(from: "2026-03-02", to: "2026-03-03", zone: "UTC", by: .app),
                    notBefore: [Position(.activity, head)]
                ).rows.map(\.key).sorted()
            }
            #expect(try await reported() == ["org.example.plain", "org.zzsecret.Game"])
            try await world.stop("report-service")
            try world.keepCopy(of: "report-service")
            try await world.start("report-service")
            try await world.forget(
                [.activity, .report],
                what == "app"
                    ? PrivacyForget.Params(kind: .app, subject: "org.zzsecret.Game")
                    : PrivacyForget.Params(everything: true))
            let left = what == "app" ? ["org.example.plain"] : []
            #expect(try await reported() == left)

            try await world.stop("report-service")
            try world.restoreCopy(of: "report-service")
            try await world.start("report-service")
            var shown: Set<String> = []
            try await world.eventually("it shows what is left") {
                let rows = try await reported()
                shown.formUnion(rows)
                return rows == left || !shown.isSubset(of: left)
            }
            #expect(shown == Set(left), "also meanwhile")
            try await world.stop("report-service")
            try await world.start("report-service")
            #expect(try await reported() == left)
            #expect(try world.files(with: ["zzsecret"]).filter { $0.contains("report-service/") } == [])
        }
    }

    /// What only its owner deleted stays in the reports until the name is sent again, or they are rebuilt
    /// without it; meanwhile this is reported.
    @Test(arguments: ["org.zzsecret.Game", "org.nobody.Used"])
    func aForgettingThatBrokeOffIsFinishedByTheNext(next: String) async throws {
        try await World.with(
            ["auth-service", "activity-center", "report-service"], clock: "2026-03-02T12:00:00Z"
        ) { world in
            let at = try world.clock.now - 3_600_000
            try await world.observe(
                [
                    Observation(at: at, kind: .opened, app: "org.zzsecret.Game", instance: 1),
                    Observation(at: at + 60_000, kind: .closed, app: "org.zzsecret.Game", instance: 1),
                ], device: "phone", model: "android")
            try await world.followed(.activity, by: .report)
            try await world.forget(
                [.activity], PrivacyForget.Params(kind: .app, subject: "org.zzsecret.Game"))
            try await world.eventually("it says so") {
                try await world.health(.report).notActing?.contains { $0.contains("still show") } == true
            }
            try await world.forget([.activity, .report], PrivacyForget.Params(kind: .app, subject: next))
            try await world.eventually("nothing is left of it") {
                let rows = try await world.call(
                    ReportQuery.self, .init(from: "2026-03-02", to: "2026-03-03", zone: "UTC", by: .app)
                ).rows
                let isActing = try await world.health(.report).notActing == nil
                return rows.isEmpty && isActing
            }
        }
    }

    /// Rows are numbered again after a restore, and journals are not part of a store: entries of another
    /// history of monitor-runner do not affect a callback of this one.
    @Test func aCallbackThatDidNotReturnIsNotTakenForOneOfAnotherLife() async throws {
        try await World.with([]) { world in
            try await world.startMonitoring()
            let bundle = try await FixtureBundle(world)
            try await world.stop("monitor-runner")
            try world.keepCopy(of: "monitor-runner")
            try await world.start("monitor-runner")
            let first = try world.record(.monitor)
            try await world.publish(["intervalDidStart:"])
            _ = try await first.first(CallbackDelivered.self)
            try await world.stop("monitor-runner")

            let journals = world.directory + "/state/monitor-runner/returned"
            let copy = world.directory + "/copy-of-monitor-runner/returned"
            try FileManager.default.removeItem(atPath: copy)
            try FileManager.default.copyItem(atPath: journals, toPath: copy)
            try world.restoreCopy(of: "monitor-runner")
            bundle.closeGate()
            try await world.start("monitor-runner")
            let pid = try await MonitorRunnerTests.waitForProcess(world, bundle, lines: 2)
            #expect(try await world.deliveries().map(\.id) == [1], "the row of the other life")
            try await world.process("monitor-runner").destroy()
            try await MonitorRunnerTests.expectGone(pid)
            unlink(bundle.files + "/gate")
            try await world.start("monitor-runner")
            let recorder = try world.record(.monitor)
            let delivered = try await recorder.first(CallbackDelivered.self)
            #expect(delivered.delivery.id == 1 && delivered.delivery.attempt == 2)
        }
    }
}

extension World {
    func stop(_ name: String) async throws {
        let running = try process(name)
        running.signal(SIGTERM)
        _ = try await running.exit()
    }

    /// As ``approve(_:_:as:member:)``, also for an app that was approved before.
    func approveNow(_ client: String) async throws {
        let asking = ask(client)
        let end = MonotonicClock.now + 30_000
        while true {
            if let asked = try await authorizations(client).first(where: \.pending) {
                try await decide(asked.id, .approve)
                _ = try await asking.value
                return
            }
            guard MonotonicClock.now < end else { throw Overdue("\(client) asks") }
        }
    }

    /// A copy of a stopped service's state directory.
    func keepCopy(of service: String) throws {
        try FileManager.default.copyItem(
            atPath: "\(directory)/state/\(service)", toPath: "\(directory)/copy-of-\(service)")
    }

    func restoreCopy(of service: String) throws {
        try FileManager.default.removeItem(atPath: "\(directory)/state/\(service)")
        try FileManager.default.copyItem(
            atPath: "\(directory)/copy-of-\(service)", toPath: "\(directory)/state/\(service)")
    }

    /// Waits until a follower has applied everything of the owner.
    func followed(_ owner: ServiceName, by follower: ServiceName) async throws {
        let end = MonotonicClock.now + 30_000
        while true {
            let of = try await health(owner)
            let log = try await health(follower).follows.first { $0.service == owner }
            if let log, log.epoch == of.logEpoch, log.sequence == of.head, log.connected { return }
            guard MonotonicClock.now < end else {
                throw Overdue("\(follower.rawValue) follows \(owner.rawValue): \(String(describing: log))")
            }
        }
    }
}
