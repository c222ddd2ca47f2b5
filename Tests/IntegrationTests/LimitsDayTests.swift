import Contract
import JSON
import Loop
import ScreenTimeTesting
import Testing

/// Days that begin at four, domains, and services that die in between.
@Suite("limits: days and domains") struct LimitsDayTests {
    private static let game = "org.example.Game"

    @LoopActor private static func limits(_ world: World, _ words: String...) async throws {
        let done = try await world.app("limits", words: words)
        #expect(done.status == 0, "\(words): \(done.errors)")
    }

    /// The person visits a site, whatever has the focus.
    @LoopActor private static func look(_ world: World, at host: String, minutes: Int) async throws {
        func tell(_ kind: ObservationKind, _ domain: String? = nil) async throws {
            let observation = Observation(
                at: try world.clock.now, kind: kind, domain: domain, ordinal: kind == .domain ? 1 : nil)
            try await world.observe([observation], device: "laptop")
        }
        try await tell(.active)
        try await tell(.domain, host)
        for _ in 0..<minutes * 2 {
            try await world.clock.advance(.seconds(30))
            try await tell(.alive)
        }
        try await tell(.idle)
        try await world.clock.settle()
    }

    @Test func aDayBeginsWhenThePersonsDoes() async throws {
        try await World.with(LimitsAppTests.services, clock: "2026-03-02T22:00:00Z") { world in
            try await world.teach([Self.game: "games"])
            try await world.setMember("--day-start", "04:00")
            try await Self.limits(world, "set", Self.game, "10m", "--days", "mon")
            try await world.use(Self.game, for: .minutes(11))
            #expect(try await world.shielded() == ["app \(Self.game) limit mon app \(Self.game)"])
            try await world.clock.advance(to: "2026-03-03T03:59:59Z")
            #expect(try await world.shielded().count == 1)
            try await world.clock.advance(to: "2026-03-03T04:00:01Z")
            #expect(try await world.shielded().isEmpty)
        }
    }

    /// The limit of a weekday leaves no shield on a day that has none, since it gets no end of its interval.
    @Test(arguments: ["renew", "remove"])
    func aLimitOfAnotherDayShieldsNothing(command: String) async throws {
        try await World.with(LimitsAppTests.services, clock: "2026-03-04T17:00:00Z") { world in
            try await world.teach([Self.game: "games"])
            try await Self.limits(world, "set", Self.game, "10m", "--days", "wed")
            try await world.use(Self.game, for: .minutes(11))
            #expect(try await world.shielded() == ["app \(Self.game) limit wed app \(Self.game)"])
            // It is Tuesday now.
            try await world.setMember("--day-start", "18:00")
            try await Self.limits(world, "renew")
            if command == "remove" { try await Self.limits(world, "remove", Self.game) }
            try await world.clock.settle()
            #expect(try await world.shielded().isEmpty)
            guard command == "renew" else { return }
            try await world.setMember("--day-start", "00:00")
            try await Self.limits(world, "renew")
            try await world.clock.settle()
            #expect(try await world.shielded().count == 1)
        }
    }

    /// A command that was killed after its first request has registered the activity and lifted nothing.
    @Test(arguments: ["renew", "remove"])
    func aShieldThatAKilledCommandLeftIsLiftedByTheNextOne(killed: String) async throws {
        try await World.with(LimitsAppTests.services, clock: "2026-03-04T17:00:00Z") { world in
            try await world.teach([Self.game: "games"])
            try await Self.limits(world, "set", Self.game, "10m", "--days", "wed")
            try await world.use(Self.game, for: .minutes(11))
            // It is Tuesday now.
            try await world.setMember("--day-start", "18:00")
            let all = try await world.call(MonitoringList.self, MonitoringList.Params())
            var activity = try #require(all.activities.first?.activity)
            activity.schedule.intervalStart.hour = 18
            activity.schedule.intervalEnd.hour = 18
            try await world.monitor([activity])
            if killed == "remove" {
                let stop = MonitoringStop.Params(names: [activity.name])
                _ = try await world.call(MonitoringStop.self, stop)
            }
            try await world.clock.settle()
            #expect(try await world.shielded() == ["app \(Self.game) limit wed app \(Self.game)"])
            try await Self.limits(world, "renew")
            #expect(try await world.shielded().isEmpty)
        }
    }

    @Test func aDomainIsLimitedWithAllBelowItThoughServicesDie() async throws {
        try await World.with(LimitsAppTests.services, clock: "2026-03-02T09:00:00Z") { world in
            try await Self.limits(world, "set", "example.org", "10m")
            try await Self.look(world, at: "www.example.org", minutes: 8)
            for name in ["shield-service", "activity-center"] {
                try await world.process(name).destroy()
                try await world.start(name)
            }
            try await world.clock.advance(.seconds(1))
            try await Self.look(world, at: "example.org", minutes: 3)
            #expect(try await world.shielded() == ["domain example.org limit daily domain example.org"])
            let list = try await world.app("limits", words: ["list", "--json"]).json()[0]
            #expect(list?["shut"] == true && list?["leftSeconds"] == 0, "\(String(describing: list))")
        }
    }

    @Test func theHoursOfEverythingSpareWhatIsAlwaysAllowed() async throws {
        try await World.with(LimitsAppTests.services, clock: "2026-03-02T09:00:00Z") { world in
            try await world.teach([Self.game: "games"])
            try await Self.limits(world, "allow", Self.game)
            try await Self.limits(world, "hours", "total", "10:00-11:00")
            try await world.clock.settle()
            let shields = try await world.call(ShieldList.self, ShieldList.Params()).shields
            #expect(shields.map(\.subject) == ["all", "all"])
            let judge = ShieldJudge.Params(apps: [Self.game, "org.example.Other"])
            let judged = try await world.call(ShieldJudge.self, judge).judgements
            #expect(judged.filter { $0.shield != nil }.map(\.subject) == ["org.example.Other"])
            try await world.clock.advance(to: "2026-03-02T10:00:01Z")
            #expect(try await world.shielded().isEmpty)
            try await world.clock.advance(to: "2026-03-02T11:00:01Z")
            #expect(try await world.shielded().count == 2)
        }
    }
}
