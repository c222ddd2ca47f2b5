import Contract
import Foundation
import Glibc
import JSON
import Loop
import ScreenTimeTesting
import Testing
import Units

@Suite("worklog") struct AppWorklogTests {
    private static let client = "org.screentime.worklog"

    private static func setUp(_ body: @LoopActor (World) async throws -> Void) async throws {
        try await World.with(clock: "2026-03-02T08:00:00Z") { world in
            try await world.teach(["org.example.Docs": "productivity"])
            try await world.prepare(
                "worklog",
                selections: [
                    "games": ["--category", "games"], "social": ["--category", "social"],
                    "work": ["--app", "org.example.Docs"],
                ])
            let set = try await world.app("worklog", "setup", "--gaming", "games", "--social", "social")
            try #require(set.status == 0, "\(set.errors)")
            try await body(world)
        }
    }

    private static let allShut = [
        "category social social", "domain_category games gaming", "domain_category social social",
    ]

    @Test func theEveningLiftsTheSocialStoreAlone() async throws {
        try await Self.setUp { world in
            #expect(try await world.shielded() == Self.allShut)
            let on = try await world.app("worklog", "evenings", "on")
            #expect(on.status == 0, "\(on.errors)")
            for day in 2...8 {
                try await world.clock.advance(to: "2026-03-0\(day)T18:00:00Z")
                #expect(try await world.shielded() == ["domain_category games gaming"], "day \(day)")
                if day == 2 { #expect(try await world.said(by: Self.client).isEmpty) }
                try await world.clock.advance(to: "2026-03-0\(day)T20:30:00Z")
                #expect(try await world.shielded() == Self.allShut, "day \(day)")
                #expect(
                    try await world.said(by: Self.client) == ["Worklog: Social media close in 5 minutes."])
            }
        }
    }

    @Test func theEveningSaysHowLongItIsOpenYet() async throws {
        try await Self.setUp { world in
            for (time, left) in [("19:57:10", "3 minutes"), ("19:59:20", "1 minute")] {
                try await world.clock.advance(to: "2026-03-02T\(time)Z")
                for state in ["off", "on"] {
                    let set = try await world.app("worklog", "evenings", state)
                    #expect(set.status == 0, "\(set.errors)")
                }
                _ = try await world.clock.advance(.seconds(1))
                #expect(
                    try await world.said(by: Self.client) == ["Worklog: Social media close in \(left)."])
            }
        }
    }

    /// The properties of a store cannot throw: the command looks whether they were taken.
    @Test func whatTheStoresDoNotTakeIsNoSuccess() async throws {
        try await Self.setUp { world in
            let stopped = try await world.app("worklog", "stop")
            #expect(stopped.status == 0, "\(stopped)")
            try await world.stop("shield-service")
            world.environment["SCREENTIME_DEADLINE_MS"] = "1000"
            let set = try await world.app("worklog", "setup", "--gaming", "games", "--social", "social")
            #expect(set.status == 69 && set.errors.contains("shield-service"), "\(set)")
            let status = try await world.app("worklog", "status")
            #expect(status.status == 69 && status.errors.contains("shield-service"), "\(status)")
            world.environment["SCREENTIME_DEADLINE_MS"] = nil
            try await world.start("shield-service")
            // Nothing was stored.
            let evenings = try await world.app("worklog", "evenings", "on")
            #expect(evenings.status != 0 && evenings.errors.contains("worklog setup"), "\(evenings)")
            let again = try await world.app("worklog", "setup", "--gaming", "games", "--social", "social")
            #expect(again.status == 0, "\(again)")
            #expect(try await world.shielded() == Self.allShut)
            try await world.stop("shield-service")
            let left = try await world.app("worklog", "stop")
            #expect(left.status == 69, "\(left)")
            try await world.start("shield-service")
            let gone = try await world.app("worklog", "stop")
            #expect(gone.status == 0, "\(gone)")
            #expect(try await world.shielded().isEmpty)
        }
    }

    @Test func everythingStaysShutUntilTheGoalOfTheDay() async throws {
        try await Self.setUp { world in
            let goal = try await world.app("worklog", "until", "10", "--selection", "work", "--json")
            #expect(try goal.json()["goalReached"] == false, "\(goal.errors)")
            try await world.spend(.minutes(9), on: "org.example.Docs")
            #expect(try await world.shielded() == Self.allShut)
            try await world.spend(.minutes(2), on: "org.example.Docs")
            #expect(try await world.shielded().isEmpty)
            #expect(
                try await world.said(by: Self.client) == [
                    "Worklog: Today's goal is reached. Worklog lifts all its shields."
                ])
            // Said again it is the goal that was reached already.
            let again = try await world.app("worklog", "until", "10", "--selection", "work", "--json")
            #expect(try again.json()["goalReached"] == true, "\(again.errors)")
            try await world.clock.settle()
            #expect(try await world.shielded().isEmpty)
            try await world.clock.advance(to: "2026-03-03T08:00:00Z")
            #expect(try await world.shielded() == Self.allShut)
        }
    }

    @Test func bothSwitchesAndTheRevocationActOnTheStores() async throws {
        try await Self.setUp { world in
            _ = try await world.command("authorization", "restrictions", Self.client, "off")
            try await world.followed(.auth, by: .shield)
            #expect(try await world.shielded().isEmpty)
            _ = try await world.command("authorization", "restrictions", Self.client, "on")
            try await world.followed(.auth, by: .shield)
            #expect(try await world.shielded() == Self.allShut)
            let revoked = try await world.app("worklog", "revoke")
            #expect(revoked.status == 0, "\(revoked.errors)")
            try await world.followed(.auth, by: .shield)
            #expect(try await world.shielded().isEmpty)
            let again = try await world.app("worklog", "evenings", "on")
            #expect(again.status != 0, "nothing without permission")
        }
    }

    /// If the approval is revoked during an open evening, no end is delivered: the next approval starts with
    /// it closed.
    @Test func aPermissionThatGoesInTheEveningLeavesNoDoorOpen() async throws {
        try await Self.setUp { world in
            #expect(try await world.app("worklog", "evenings", "on").status == 0)
            try await world.clock.advance(to: "2026-03-02T18:00:00Z")
            #expect(try await world.shielded() == ["domain_category games gaming"])
            #expect(try await world.app("worklog", "revoke").status == 0)
            try await world.clock.advance(to: "2026-03-03T10:00:00Z")
            try await world.approve(Self.client, try world.record(.auth))
            for words in ["setup --gaming games --social social", "evenings on"] {
                let said = try await world.app(words: "worklog \(words)")
                #expect(said.status == 0, "\(words): \(said)")
                #expect(try await world.shielded() == Self.allShut, "\(words)")
            }
            let again = try await world.app(words: "worklog setup --gaming games --social social")
            #expect(again.status == 0, "\(again)")
            #expect(try await world.shielded() == Self.allShut)
            try await world.clock.advance(to: "2026-03-03T18:00:00Z")
            #expect(try await world.shielded() == ["domain_category games gaming"])
        }
    }

    /// A command has read the state and is about to shield by it when the goal is reached: in the end the
    /// shields match the state. A stopped shield-service holds both before their first write.
    @Test func doorsThatMoveAtOnceAgreeInTheEnd() async throws {
        try await Self.setUp { world in
            try await world.choose(["films": ["--category", "entertainment"]], for: Self.client)
            try await world.clock.advance(to: "2026-03-02T12:00:00Z")
            #expect(try await world.app(words: "worklog until 20 --selection work").status == 0)
            #expect(try await world.shielded() == Self.allShut)
            let shield = try world.process("shield-service")
            let before = try Self.preferences(of: world)
            world.environment["SCREENTIME_DEADLINE_MS"] = "60000"
            shield.signal(SIGSTOP)
            async let setUp = world.app(words: "worklog setup --gaming films --social social")
            try await world.eventually("the rules are saved") { try Self.preferences(of: world) != before }
            let saved = try Self.preferences(of: world)
            let start = try VirtualClock.instant("2026-03-02T11:00:00Z")
            _ = try await world.observe(Self.work(at: start), device: "other")
            try await world.eventually("the goal is noted") { try Self.preferences(of: world) != saved }
            shield.signal(SIGCONT)
            let said = try await setUp
            #expect(said.status == 0, "\(said)")
            try await world.clock.settle()
            #expect(try await world.shielded() == [])
            #expect(try await world.app("worklog", "status").lines.first?.hasSuffix("reached today.") == true)
        }
    }

    @LoopActor private static func preferences(of world: World) throws -> Data {
        let group = "\(world.directory)/state/groups/group.org.screentime.worklog"
        return try Data(
            contentsOf: URL(
                fileURLWithPath: "\(group)/Library/Preferences/group.org.screentime.worklog.plist"))
    }

    /// Half an hour of what counts, in one piece.
    private static func work(at start: Instant) -> [Observation] {
        var focus = Observation(at: start, kind: .focus)
        (focus.app, focus.ordinal) = ("org.example.Docs", 1)
        return [Observation(at: start, kind: .active), focus]
            + (1...60).map { Observation(at: start + $0 * 30_000, kind: .alive) }
    }

    /// A selection needs no category to shut something. Of games, sites are shielded: of apps alone nothing
    /// would be, which is refused.
    @Test func whatShutsAppsAndSitesIsShut() async throws {
        try await World.with(clock: "2026-03-02T08:00:00Z") { world in
            try await world.teach(["org.example.Chat": "social"])
            try await world.prepare(
                "worklog",
                selections: ["sites": ["--domain", "play.test"], "apps": ["--app", "org.example.Chat"]])
            let set = try await world.app(
                "worklog", "setup", "--gaming", "sites", "--social", "apps", "--json")
            let status = try set.json()
            #expect(status["gamingShut"] == true && status["socialShut"] == true, "\(status) \(set.errors)")
            // A form that changes them begins with what acts.
            #expect(status["gamingSelection"] == "sites" && status["socialSelection"] == "apps", "\(status)")
            let again = try await world.app("worklog", "setup", "--gaming", "apps", "--social", "sites")
            #expect(again.status == 64 && again.errors.contains("'apps' has only apps"), "\(again)")
            let kept = try await world.app("worklog", "status", "--json").json()
            #expect(kept["gamingSelection"] == "sites" && kept["gamingShut"] == true, "\(kept)")
            #expect(kept["selectionsAreCurrent"] == true)
            // What was taken stays, and it is said that it is not what the selection has now.
            let edited = try await world.command(
                "selection", "edit", "sites", "--client", Self.client, "--add-domain", "more.test")
            #expect(edited.status == 0, "\(edited)")
            let told = try await world.app("worklog", "status")
            #expect(told.lines.first?.contains("A selection was changed since") == true, "\(told)")
            #expect(try await !world.shielded().contains { $0.contains("more.test") })
        }
    }

    @Test func thePieHasEachCategory() async throws {
        try await Self.setUp { world in
            try await world.spend(.minutes(30), on: "org.example.Docs")
            let report = try await world.command(
                "report", "render", "--client", Self.client, "--context", "Pie Chart")
            let text = report.lines.joined(separator: "\n")
            #expect(report.status == 0 && text.contains("30 min"), "\(text) \(report.errors)")
        }
    }
}
