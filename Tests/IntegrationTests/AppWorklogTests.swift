import Bus
import Contract
import Foundation
import JSON
import TestSupport
import Testing

@Suite("worklog") struct AppWorklogTests {
    private static let client = "org.screentime.worklog"

    private static func setUp(_ body: @BusActor (World) async throws -> Void) async throws {
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
                try await world.clock.advance(to: "2026-03-0\(day)T20:30:00Z")
                #expect(try await world.shielded() == Self.allShut, "day \(day)")
            }
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
                    "Worklog: Today's goal is reached. Everything is open."
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
            #expect(try await world.shielded().isEmpty)
            _ = try await world.command("authorization", "restrictions", Self.client, "on")
            #expect(try await world.shielded() == Self.allShut)
            let revoked = try await world.app("worklog", "revoke")
            #expect(revoked.status == 0, "\(revoked.errors)")
            #expect(try await world.shielded().isEmpty)
            let again = try await world.app("worklog", "evenings", "on")
            #expect(again.status != 0, "nothing without permission")
        }
    }

    /// Of an evening that was open when the permission went no end is told: the next permission begins shut.
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

    /// The command and the callbacks that it wakes move the doors at once: what stands is what is shut.
    @Test func doorsThatMoveAtOnceAgreeInTheEnd() async throws {
        try await Self.setUp { world in
            try await world.spend(.minutes(20), on: "org.example.Docs")
            try await world.clock.advance(to: "2026-03-02T18:00:00Z")
            for round in 0..<12 {
                let words = [
                    ["evenings off", "evenings on"], ["until none", "until 5 --selection work"],
                ][round % 2]
                for word in words {
                    let said = try await world.app(words: "worklog \(word)")
                    #expect(said.status == 0, "\(word): \(said)")
                }
                let open = round == 0 ? ["domain_category games gaming"] : []
                try await world.eventually("round \(round): \(try await world.shielded())") {
                    try await world.shielded() == open
                }
            }
        }
    }

    /// A selection needs no category to shut something.
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
            let again = try await world.app("worklog", "setup", "--gaming", "apps", "--social", "sites")
            #expect(again.lines == ["Games on the web are open. Social media are shut."])
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
