import Contract
import Foundation
import Loop
import ScreenTimeTesting
import Testing

/// Failures of the host are not failures of the program: the callback is retried until it is delivered, and
/// `status` reports meanwhile which rule does not act.
@Suite struct MonitorTroubleTests {
    /// The dead rules, as `status` names them.
    @LoopActor private static func dead(_ world: World) async throws -> [String] {
        try await world.health(.monitor).notActing ?? []
    }

    private static let midnight = "2026-03-02T00:00:00Z"

    /// Under `<state>`; each is gone before the callback comes, and back long after five attempts.
    @Test(arguments: [
        "containers", "monitor-runner/returned", "temporary/monitor-runner",
        "bundles/org.example.app.monitor",
    ])
    func aPlaceThatIsGoneCostsNoAttempts(place: String) async throws {
        try await World.with(clock: Self.midnight) { world in
            let bundle = try await world.approvedFixture()
            let gone = "\(world.directory)/state/\(place)"
            try await world.monitor(
                [
                    .daily("school", from: (8, 0), to: (13, 0)),
                    .daily("other", from: (8, 30), to: (13, 0)),
                ], client: bundle.client)
            #expect(rename(gone, gone + ".away") == 0)
            try await world.clock.advance(.hours(9))
            let waiting = try await world.deliveries()
            #expect(waiting.map(\.state) == [.waiting, .waiting], "\(waiting)")
            #expect(waiting.first?.failures ?? 0 > 10)
            let said = try await Self.dead(world).first ?? ""
            #expect(said.contains("'school' of org.example.app") && said.contains("intervalDidStart"))
            let behind = try await Self.dead(world).last ?? ""
            #expect(behind.contains("'other' of org.example.app: intervalDidStart waits"), "\(behind)")
            #expect(said.contains(waiting.first?.error ?? "-"), "\(said)")
            let status = try await world.command("status")
            #expect(status.status == 69)
            #expect(status.lines.first == "monitor-runner does not act: \(said)")
            let doctor = try await world.command("doctor")
            #expect(doctor.status == 1 && doctor.output.contains("does not act: \(said)"))
            #expect(rename(gone + ".away", gone) == 0)
            try await world.clock.advance(.minutes(2))
            #expect(try await world.deliveries().map(\.state) == [.delivered, .delivered])
            #expect(bundle.callbacks.count == 2)
            #expect(try await Self.dead(world) == [])
        }
    }

    /// A callback that was given up is reported until its rule acts again, also by the next monitor-runner.
    @Test func whatWasGivenUpIsSaidUntilTheIntervalEnds() async throws {
        try await World.with(clock: Self.midnight) { world in
            let bundle = try await world.approvedFixture()
            try await world.monitor(
                [
                    .daily("school", from: (8, 0), to: (13, 0), warning: DateComponents(minute: 5)),
                    .daily("other", from: (9, 0), to: (10, 0)),
                ], client: bundle.client)
            try bundle.write("", "crash")
            try await world.clock.advance(.minutes(8 * 60 + 1))
            let failed = try await world.deliveries().filter { $0.callback == "intervalDidStart" }
            #expect(failed.map(\.state) == [.failed] && failed.first?.attempt == 5)
            unlink(bundle.files + "/crash")
            let said = try await Self.dead(world)
            #expect(said.contains { $0.contains("'school' of org.example.app: intervalDidStart") }, "\(said)")
            #expect(said.allSatisfy { $0.contains("given up") })
            #expect(try await world.command("status").status == 69)
            try await world.process("monitor-runner").destroy()
            try await world.start("monitor-runner")
            #expect(try await Self.dead(world) == said)
            // Another activity and the warning before the end are no sign that the interval acts.
            try await world.clock.advance(.minutes(4 * 60 + 57))
            #expect(try await world.deliveries().last?.callback == "intervalWillEndWarning")
            #expect(try await Self.dead(world).contains { $0.contains("intervalDidStart") })
            try await world.clock.advance(.hours(1))
            #expect(try await world.deliveries().last?.callback == "intervalDidEnd")
            #expect(try await Self.dead(world) == [])
            #expect(try await world.health(.monitor).state == .ready)
        }
    }

    @Test func whatWasGivenUpIsNotSaidOfARemovedExtensionAndNotAfterForgetting() async throws {
        for ends in ["removal", "revocation", "forgetting"] {
            try await World.with(clock: Self.midnight) { world in
                let bundle = try await world.approvedFixture()
                try await world.monitor(
                    [.daily("school", from: (8, 0), to: (13, 0))], client: bundle.client)
                try bundle.write("", "crash")
                try await world.clock.advance(.hours(9))
                #expect(try await Self.dead(world).count == 1)
                switch ends {
                case "removal":
                    _ = try await world.call(ExtensionRemove.self, ExtensionRemove.Params(id: bundle.id))
                case "revocation":
                    _ = try await world.call(
                        AuthorizationRevoke.self, AuthorizationRevoke.Params(client: bundle.client))
                    try await world.followed(.auth, by: .monitor)
                default:
                    let outcome = try await world.command("forget", "--everything", "--yes")
                    #expect(outcome.status == 0, "\(outcome)")
                }
                #expect(try await Self.dead(world) == [], "\(ends)")
            }
        }
    }

    /// A waiting callback is dropped with the authorization, and what is registered after a new one is
    /// delivered.
    @Test func whatWaitsGoesWithTheAuthorization() async throws {
        try await World.with(clock: Self.midnight) { world in
            let bundle = try await world.approvedFixture()
            let gone = "\(world.directory)/state/containers"
            try await world.monitor([.daily("school", from: (8, 0), to: (13, 0))], client: bundle.client)
            #expect(rename(gone, gone + ".away") == 0)
            try await world.clock.advance(.hours(9))
            #expect(try await world.deliveries().map(\.state) == [.waiting])
            // Applied late: meanwhile the app is approved again, and its activity has started again.
            try await world.stop("monitor-runner")
            _ = try await world.call(
                AuthorizationRevoke.self, AuthorizationRevoke.Params(client: bundle.client))
            try await world.clock.advance(.minutes(1))
            try await world.approve(bundle.client, try world.record(.auth))
            try await world.monitor([.daily("school", from: (8, 0), to: (13, 0))], client: bundle.client)
            #expect(rename(gone + ".away", gone) == 0)
            try await world.start("monitor-runner")
            try await world.eventually("the new one is delivered") {
                let all = try await world.deliveries()
                return all.count == 2 && all.last?.state == .delivered
            }
            try await world.followed(.auth, by: .monitor)
            let states = try await world.deliveries().map(\.state)
            // It may come before the revocation is heard of.
            #expect(states.first == .failed || states.first == .delivered)
            #expect(try await Self.dead(world) == [])
        }
    }

    /// A threshold reached before a revocation and applied later is not retried forever.
    @Test func whatIsHeardAfterTheRevocationGoesToo() async throws {
        try await World.with(clock: Self.midnight) { world in
            let bundle = try await world.approvedFixture()
            try await world.monitor([.daily("school", from: (8, 0), to: (13, 0))], client: bundle.client)
            try bundle.write("", "crash")
            try await world.stop("monitor-runner")
            try await world.clock.advance(.hours(9))
            _ = try await world.call(
                AuthorizationRevoke.self, AuthorizationRevoke.Params(client: bundle.client))
            try await world.start("monitor-runner")
            try await world.eventually("it is given up") {
                let last = try await world.deliveries().last
                return last?.state == .failed && last?.error?.contains("revoked") == true
            }
            try await world.clock.advance(.hours(1))
            #expect(try await world.deliveries().count == 1)
            #expect(try await Self.dead(world) == [])
        }
    }

    /// An extension whose copy is gone is named from the start on, before anything calls it.
    @Test(arguments: ["installation", "removal"])
    func aCopyThatIsGoneAtTheStartIsSaidUntil(_ end: String) async throws {
        try await World.with(["monitor-runner", "auth-service"]) { world in
            let bundle = try await FixtureBundle(world)
            try await world.stop("monitor-runner")
            try FileManager.default.removeItem(atPath: "\(world.directory)/state/bundles/\(bundle.id)")
            try await world.start("monitor-runner")
            let said = try await Self.dead(world)
            try #require(said.count == 1)
            #expect(said[0].contains("'\(bundle.id)' of \(bundle.client) has no program"), "\(said)")
            #expect(said[0].contains("screentime extension install \(bundle.path) --client"), "\(said)")
            if end == "removal" {
                _ = try await world.call(ExtensionRemove.self, ExtensionRemove.Params(id: bundle.id))
            } else {
                try await bundle.install()
            }
            #expect(try await Self.dead(world) == [])
            try await world.stop("monitor-runner")
            try await world.start("monitor-runner")
            #expect(try await Self.dead(world) == [])
        }
    }

    /// Nothing of what extensions need is too small to be looked at.
    @Test func deepDoctorNamesWhatExtensionsMiss() async throws {
        try await World.with { world in
            let state = world.directory + "/state"
            let limits = "org.screentime.limits.monitor"
            let whole = try await world.command("doctor", "--deep")
            #expect(whole.output.contains("installed extensions: "), "\(whole.output)")
            #expect(!whole.output.contains("error    installed"), "\(whole.output)")
            for place in [
                "bundles/\(limits)", "bundles/\(limits)/built-in/limits-monitor", "containers", "groups",
                "monitor-runner/returned", "shield-service/returned", "temporary/monitor-runner",
            ] {
                let path = "\(state)/\(place)"
                #expect(rename(path, path + ".away") == 0, "\(place)")
                let outcome = try await world.command("doctor", "--deep")
                let errors = outcome.lines.filter { $0.hasPrefix("error") && $0.contains(path) }
                #expect(outcome.status == 1 && !errors.isEmpty, "\(place): \(outcome.output)")
                #expect(rename(path + ".away", path) == 0, "\(place)")
            }
        }
    }
}
