import Contract
import Glibc
import JSON
import Loop
import ScreenTimeTesting
import Testing

/// If activity-center refuses a request, or is not running, an app stores nothing of it, loses nothing, and
/// reports the error; the same command works afterwards.
@Suite("apps that are refused") struct AppRefusalTests {
    private static let docs = "org.example.Docs"
    private static let selections = ["docs": ["--app", docs], "games": ["--domain", "games.test"]]

    /// Says each command, with its app, while activity-center is not there.
    @LoopActor private static func refused(_ world: World, _ commands: String...) async throws {
        try await world.stop("activity-center")
        world.environment["SCREENTIME_DEADLINE_MS"] = "3000"
        for command in commands {
            let said = try await world.app(words: command)
            #expect(said.status != 0 && said.errors.contains("activity-center"), "\(command): \(said)")
        }
        world.environment["SCREENTIME_DEADLINE_MS"] = nil
        try await world.start("activity-center")
    }

    @LoopActor private static func done(_ world: World, _ commands: String...) async throws {
        for command in commands {
            let said = try await world.app(words: command)
            #expect(said.status == 0, "\(command): \(said)")
        }
    }

    /// Names of the registered activities, with their events.
    @LoopActor private static func registered(_ world: World) async throws -> [String: [String]] {
        let all = try await world.call(MonitoringList.self, MonitoringList.Params()).activities
        return Dictionary(uniqueKeysWithValues: all.map { one in
            (one.activity.name, (one.activity.events ?? []).map(\.name))
        })
    }

    /// A missing answer is no refusal: what is registered a moment later has its rules.
    @Test func whatMayBeRegisteredKeepsItsRules() async throws {
        try await World.with(clock: "2026-03-02T08:00:00Z") { world in
            try await world.teach([Self.docs: "productivity"])
            for app in ["downtime", "streaks"] {
                try await world.prepare(app, selections: Self.selections)
            }
            try await Self.done(world, "downtime start --selection docs --from 22:00 --to 06:00")
            world.environment["SCREENTIME_DEADLINE_MS"] = "3000"
            // Commits are held for five seconds at most: each command has a hold of its own.
            for command in [
                "streaks decrease less --selection docs --minutes 3",
                "downtime start --selection docs --from 13:00 --to 14:00",
            ] {
                _ = try await world.client(.activity).call(BackupHold.self, BackupKey(id: "killed"))
                let said = try await world.app(words: command)
                #expect(said.status == 75, "\(command): \(said)")
                _ = try await world.client(.activity).call(BackupCopy.self, BackupCopy.Params(id: "killed"))
            }
            world.environment["SCREENTIME_DEADLINE_MS"] = nil
            try await world.eventually("they are registered") {
                try await Self.registered(world)["org.screentime.streaks"] == ["less"]
            }
            let downtime = try await world.app("downtime", "status").lines.first ?? ""
            #expect(downtime.contains("from 13:00 to 14:00"), "\(downtime)")
            let streaks = try await world.app("streaks", "list").lines.first ?? ""
            #expect(streaks.hasPrefix("less:") && !streaks.contains("Not counted"), "\(streaks)")
        }
    }

    /// Nor is it a registration: a request that never arrived is reported as not registered, until it is
    /// repeated.
    @Test(arguments: [
        ["downtime start", "--from 22:00 --to 06:00", "--from 13:00 --to 14:00"],
        ["encouragement start", "--hours 2 --say so", "--minutes 30 --say so"],
        ["worklog until", "90", "20"],
    ])
    func aPlanThatWasNotRegisteredIsSaid(_ words: [String]) async throws {
        let commands = words.dropFirst().map { "\(words[0]) \($0) --selection docs" }
        try await World.with(clock: "2026-03-02T08:00:00Z") { world in
            let app = try #require(commands[0].split(separator: " ").first.map(String.init))
            try await world.teach([Self.docs: "productivity"])
            try await world.prepare(app, selections: Self.selections)
            if app == "worklog" { try await Self.done(world, "worklog setup --gaming games --social docs") }
            try await Self.done(world, commands[0])
            // It receives the request, and ends before it has stored it.
            let owner = try world.process("activity-center")
            _ = try await world.client(.activity).call(BackupHold.self, BackupKey(id: "killed"))
            world.environment["SCREENTIME_DEADLINE_MS"] = "2000"
            let said = try await world.app(words: commands[1])
            #expect(said.status == 75, "\(said)")
            owner.signal(SIGKILL)
            _ = try await owner.exit()
            try await world.start("activity-center")
            world.environment["SCREENTIME_DEADLINE_MS"] = nil
            func status() async throws -> String { try await world.app(app, "status").lines.first ?? "" }
            let notRegistered = try await status()
            #expect(notRegistered.contains("registered"), "\(notRegistered)")
            #expect(notRegistered.contains("run `\(words[0])` again"))
            try await Self.done(world, commands[1])
            let again = try await status()
            #expect(!again.isEmpty && !again.contains("registered"), "\(again)")
        }
    }

    @Test func theBookOfStreaksIsWhatIsRegistered() async throws {
        try await World.with(clock: "2026-03-02T08:00:00Z") { world in
            try await world.teach([Self.docs: "productivity"])
            try await world.prepare("streaks", selections: Self.selections)
            func tasks() async throws -> [String] {
                (try await world.app("streaks", "list", "--json").json().arrayValue ?? [])
                    .compactMap { $0["task"]?.stringValue }
            }
            let less = "streaks decrease less --selection docs --minutes 3"
            try await Self.done(world, "streaks decrease kept --selection docs --minutes 50")
            try await Self.refused(world, less, "streaks remove kept")
            #expect(try await tasks() == ["kept"])
            try await Self.done(world, less, "streaks remove kept")
            #expect(try await tasks() == ["less"])
            #expect(try await Self.registered(world) == ["org.screentime.streaks": ["less"]])
            try await Self.refused(world, "streaks remove less")
            #expect(try await tasks() == ["less"])
            try await Self.done(world, "streaks remove less")
            #expect(try await Self.registered(world).isEmpty)
        }
    }

    /// With the permission the activity and all selections are gone: nothing of a task is left to register.
    @Test func tasksThatAreNotCountedAreNamedAndCanBeRemoved() async throws {
        try await World.with(clock: "2026-03-02T08:00:00Z") { world in
            try await world.teach([Self.docs: "productivity"])
            try await world.prepare("streaks", selections: Self.selections)
            let add = "streaks increase more --selection docs --minutes 3"
            try await Self.done(world, add, "streaks decrease less --selection docs --minutes 50")
            #expect(try await world.app("streaks", "list").lines.allSatisfy { !$0.contains("Not counted") })
            let client = "org.screentime.streaks"
            let revoked = try await world.command("authorization", "revoke", client)
            #expect(revoked.status == 0, "\(revoked.errors)")
            try await world.approveNow(client)
            let lines = try await world.app("streaks", "list").lines
            #expect(lines.count == 2 && lines.allSatisfy { $0.contains("Not counted") }, "\(lines)")
            // They keep no new one out.
            try await world.choose(["new": ["--app", Self.docs]], for: client)
            try await Self.done(world, "streaks increase third --selection new --minutes 3")
            #expect(try await Self.registered(world) == [client: ["third"]])
            try await Self.done(world, "streaks remove more", "streaks remove less")
            try await Self.done(world, "streaks increase more --selection new --minutes 3")
            #expect(try await Self.registered(world) == [client: ["more", "third"]])
        }
    }

    private static let firstCommands = [
        "charts show pie", "downtime authorize", "encouragement authorize", "streaks authorize",
        "worklog authorize",
    ]

    /// The person at the terminal is told what is being waited for, before the answer.
    @Test(arguments: firstCommands) func anAppThatWaitsForPermissionSaysSo(words: String) async throws {
        try await World.with(clock: "2026-03-02T08:00:00Z") { world in
            let name = String(words.prefix { $0 != " " })
            let waiting = Task { @LoopActor in try await world.app(words: words) }
            let asked = try await world.record(.auth).pending("org.screentime.\(name)")
            let told = try #require(world.processes.last)
            #expect(world.errors(of: told.name).hasPrefix("\(name): Waiting for your permission"))
            try await world.decide(asked.id, .approve)
            let outcome = try await waiting.value
            #expect(outcome.status == 0, "\(outcome.errors)")
        }
    }

    private static let wrongCommands = [
        "charts show cake", "charts show pie --weeks-back -3", "charts show pie --weeks-back 999999999999",
        "charts show pie --weeks-back x", "charts show bar --users nobody", "charts show bar --devices vax",
        "downtime start", "downtime start --selection a --from 22:00",
        "downtime start --selection a --from 99:99 --to 10:00",
        "downtime start --selection a --from 10:00 --to 10:61",
        "downtime start --selection a --from 10:00 --to 10:00",
        "encouragement start --selection a", "encouragement start --selection a --say so",
        "encouragement start --selection a --hours 99 --say so",
        "encouragement start --selection a --minutes x --say so",
        "encouragement start --selection a --hours 24 --minutes 1 --say so",
        "encouragement start --selection a --hours 1 --say \(String(repeating: "x", count: 501))",
        "streaks increase a", "streaks increase a --selection a --minutes 0",
        "streaks decrease a --selection a --minutes 1441",
        "streaks decrease \(String(repeating: "x", count: 101)) --selection a --minutes 9",
        "worklog setup --gaming a", "worklog until 0 --selection a", "worklog evenings maybe",
        // Signs, which no time or number of a person has.
        "charts show pie --weeks-back +1", "charts show pie --weeks-back -0",
        "downtime start --selection a --from +7:+5 --to 09:00",
        "downtime start --selection a --from 07:05 --to -0:8",
        "encouragement start --selection a --hours +1 --say so",
        "encouragement start --selection a --hours 1 --minutes -0 --say so",
        "streaks increase a --selection a --minutes +5", "worklog until +5 --selection a",
        "limits hours games +7:+5-08:00",
        // What a notification or a name cannot hold, though it has few characters.
        "encouragement start --selection a --hours 1 --say \(String(repeating: family, count: 200))",
        "encouragement start --selection a --hours 1 --say \(stacked(3_000))",
        "limits set games 30m --say \(String(repeating: "x", count: 4_097))",
        "streaks increase \(String(repeating: family, count: 100)) --selection a --minutes 9",
        "streaks increase \(longName)a --selection a --minutes 9",
        "streaks increase a\nb --selection a --minutes 9",
        "streaks increase a\u{1B}[2J --selection a --minutes 9",
        "streaks decrease a\u{202E}b --selection a --minutes 9",
        "streaks decrease a --selection a\nb --minutes 9",
        "downtime start --selection a\nb --from 07:05 --to 09:00",
        "encouragement start --selection a\nb --hours 1 --say so",
        "worklog setup --gaming a\nb --social a", "worklog setup --gaming a --social a\nb",
        "worklog until 5 --selection a\nb",
    ]
    /// One character of 25 bytes.
    private static let family = "👨‍👩‍👧‍👦"
    /// 504 bytes, with which the identifier of the task's warning has the most that one may have.
    private static let longName = String(repeating: "👍🏽", count: 63)
    private static func stacked(_ marks: Int) -> String { "e" + String(repeating: "\u{301}", count: marks) }

    /// Values at their limits are accepted, and appear in the notification.
    @Test func theLongestSentenceAndTheLongestNameAreSaid() async throws {
        try await World.with(clock: "2026-03-02T08:00:00Z") { world in
            try await world.teach([Self.docs: "productivity"])
            for app in ["encouragement", "streaks"] {
                try await world.prepare(app, selections: Self.selections)
            }
            let sentence = Self.stacked(2_047) + "!"
            #expect(sentence.utf8.count == 4_096)
            try await Self.done(
                world, "encouragement start --selection docs --minutes 9 --say \(sentence)",
                "streaks increase \(Self.longName) --selection docs --minutes 9")
            try await world.spend(.minutes(10), on: Self.docs)
            let said = try await world.call(NotificationList.self, .init()).notifications
            #expect(said.contains { $0.identifier == "warning.\(Self.longName)" }, "\(said)")
            #expect(said.contains { $0.body == sentence }, "\(said.map(\.body))")
        }
    }

    /// Nobody is asked for what will be refused anyway.
    @Test func wrongUsageIsSaidBeforeThePersonIsAsked() async throws {
        try await World.with(["auth-service", "activity-center"], clock: "2026-03-02T08:00:00Z") { world in
            for words in Self.wrongCommands {
                let outcome = try await world.app(words: words)
                #expect(
                    outcome.status == 64 && !outcome.errors.contains("Waiting"),
                    "\(words): \(outcome.errors)")
            }
        }
    }

    /// What an app ends needs no permission: its stores and activities went with it.
    @Test func stoppingAfterTheRevocationIsDone() async throws {
        try await World.with(clock: "2026-03-02T08:00:00Z") { world in
            try await world.teach([Self.docs: "productivity"])
            let starts = [
                "downtime": "downtime start --selection docs --from 22:00 --to 06:00",
                "worklog": "worklog setup --gaming games --social docs",
                "encouragement": "encouragement start --selection docs --minutes 9 --say so",
            ]
            for (app, start) in starts.sorted(by: { $0.key < $1.key }) {
                try await world.prepare(app, selections: Self.selections)
                try await Self.done(world, start)
                let revoked = try await world.command("authorization", "revoke", "org.screentime.\(app)")
                #expect(revoked.status == 0, "\(revoked.errors)")
                for _ in 1...2 {
                    let said = try await world.app(app, "stop")
                    #expect(said.status == 0 && said.errors.isEmpty, "\(app): \(said)")
                }
            }
            #expect(try await Self.registered(world).isEmpty)
            #expect(try await world.shielded().isEmpty)
        }
    }

    /// With the approval the goal's activity is gone, and nothing would ever end the day.
    @Test func aGoalThatWasReachedOpensNothingAfterTheRevocation() async throws {
        try await World.with(clock: "2026-03-02T08:00:00Z") { world in
            try await world.teach([Self.docs: "productivity"])
            try await world.prepare(
                "worklog", selections: ["social": ["--category", "social"]].merging(Self.selections) { $1 })
            let client = "org.screentime.worklog"
            try await Self.done(
                world, "worklog setup --gaming social --social social", "worklog until 10 --selection docs",
                "worklog evenings on")
            try await world.spend(.minutes(11), on: Self.docs)
            #expect(try await world.shielded().isEmpty)
            try await Self.done(world, "worklog revoke")
            try await world.approveNow(client)
            try await world.choose(["again": ["--category", "social"]], for: client)
            let set = try await world.app(
                words: "worklog setup --gaming again --social again --json")
            let status = try set.json()
            #expect(status["goalMinutes"] == nil && status["evenings"] == false, "\(status)")
            #expect(status["socialShut"] == true && status["gamingShut"] == true, "\(status)")
        }
    }

    @Test func theRulesOfWorklogAreWhatIsRegistered() async throws {
        try await World.with(clock: "2026-03-02T08:00:00Z") { world in
            try await world.teach([Self.docs: "productivity"])
            try await world.prepare(
                "worklog", selections: ["social": ["--category", "social"]].merging(Self.selections) { $1 })
            func status() async throws -> JSONValue {
                try await world.app("worklog", "status", "--json").json()
            }
            let more = "worklog until 20 --selection docs"
            try await Self.done(
                world, "worklog setup --gaming social --social social", "worklog until 10 --selection docs")
            try await world.spend(.minutes(11), on: Self.docs)
            try await Self.refused(
                world, more, "worklog until none", "worklog evenings on", "worklog stop")
            let before = try await status()
            #expect(before["goalMinutes"] == 10 && before["goalReached"] == true, "\(before)")
            #expect(before["evenings"] == false && before["socialShut"] == false, "\(before)")
            #expect(try await world.shielded().isEmpty)

            try await Self.done(world, more, "worklog evenings on")
            try await world.clock.settle()
            #expect(
                try await world.shielded() == [
                    "category social social", "domain_category social gaming+social",
                ])
            try await Self.refused(world, "worklog evenings off")
            let after = try await status()
            #expect(after["goalMinutes"] == 20 && after["evenings"] == true, "\(after)")
            try await Self.done(world, "worklog evenings off", "worklog until none")
            #expect(try await Self.registered(world).isEmpty)
            let none = try await status()
            #expect(none["goalMinutes"] == nil && none["evenings"] == false, "\(none)")
            try await Self.done(world, more, "worklog stop")
            try await world.clock.settle()
            #expect(try await Self.registered(world).isEmpty)
            #expect(try await world.shielded().isEmpty)
        }
    }

    @Test func theOldPromiseStaysWhenANewOneIsRefused() async throws {
        try await World.with(clock: "2026-03-02T08:00:00Z") { world in
            try await world.teach([Self.docs: "productivity"])
            try await world.prepare("encouragement", selections: Self.selections)
            let new = "encouragement start --selection docs --minutes 30 --say new"
            try await Self.done(world, "encouragement start --selection docs --minutes 20 --say old")
            try await Self.refused(world, new, "encouragement stop", "encouragement status")
            let status = try await world.app("encouragement", "status", "--json").json()
            #expect(status["limitSeconds"] == 1_200 && status["sentence"] == "old", "\(status)")
            try await Self.done(world, new, "encouragement stop")
            #expect(try await Self.registered(world).isEmpty)
        }
    }

    @Test func theOldDowntimeStaysWhenANewOneIsRefused() async throws {
        try await World.with(clock: "2026-03-02T12:00:00Z") { world in
            try await world.teach([Self.docs: "productivity"])
            try await world.prepare("downtime", selections: Self.selections)
            let new = "downtime start --selection docs --from 21:00 --to 23:00"
            try await Self.done(world, "downtime start --selection docs --from 22:00 --to 07:00")
            try await Self.refused(world, new, "downtime stop", "downtime status")
            let status = try await world.app("downtime", "status", "--json").json()
            #expect(status["from"] == "22:00" && status["to"] == "07:00", "\(status)")
            #expect(status["running"] == true, "\(status)")
            try await Self.done(world, new, "downtime stop")
            #expect(try await Self.registered(world).isEmpty)
        }
    }
}
