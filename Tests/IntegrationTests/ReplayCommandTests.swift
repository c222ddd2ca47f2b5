import Contract
import JSON
import ScreenTimeTesting
import Testing
import Units

/// `screentime replay`, without any service.
@Suite struct ReplayCommandTests {
    /// 2024-03-31T00:30:00Z: half an hour before the clocks of Berlin go forward.
    static let t: Instant = 1_711_845_000_000

    static let policy = """
        {"activities":[{"name":"daily","schedule":{"intervalStart":{"hour":0,"minute":0},
          "intervalEnd":{"hour":4,"minute":0},"repeats":true,"warningTime":{"minute":1}},
          "events":[{"name":"game","applications":["game"],"threshold":{"minute":45}}]}]}
        """

    static let events = """
        id,timestamp_ms,type,package,instance_id
        3,\(t + 3_600_000),2,game,7
        1,\(t),1,game,7
        2,\(t + 600_000),12,mail,0
        4,\(t + 7_200_000),18,,0

        """

    @Test func everyCallbackIsALine() async throws {
        try await World.with([]) { world in
            let file = try world.write(Self.events, to: "events.csv")
            let policy = try world.write(Self.policy, to: "policy.json")
            let outcome = try await world.command(
                "replay", file, "--format", "digital-wellbeing", "--policy", policy, "--zone",
                "Europe/Berlin", "--json")
            #expect(outcome.status == 0, "\(outcome.errors)")
            // Midnight in Berlin was an hour and a half before; 04:00 comes an hour and a half after.
            let start = Self.t - 5_400_000
            func line(_ callback: String, _ event: String, _ after: Milliseconds, _ total: String) -> String {
                #"{"callback":"\#(callback)","activity":"daily","event":\#(event),"#
                    + #""at_ms":\#(Self.t + after),"occurrence_start_ms":\#(start),"total_ms":\#(total)}"#
            }
            #expect(
                outcome.lines == [
                    line("intervalDidStart", "null", -5_400_000, "null"),
                    line("eventWillReachThresholdWarning", #""game""#, 2_640_000, "2640000"),
                    line("eventDidReachThreshold", #""game""#, 2_700_000, "2700000"),
                    line("intervalWillEndWarning", "null", 5_340_000, "null"),
                    line("intervalDidEnd", "null", 5_400_000, "null"),
                ])
            let moved = try await world.command(
                "replay", file, "--policy", policy, "--zone", "UTC", "--shift-ms=-1", "--registered-at",
                "2024-03-31T00:40:00Z")
            #expect(moved.status == 0, "\(moved.errors)")
            #expect(
                moved.lines.map { $0.split(separator: " ").prefix(3).joined(separator: " ") } == [
                    "TIME (UTC) CALLBACK", "2024-03-31 00:00:00.000+00:00 intervalDidStart",
                    "2024-03-31 01:24:00.000+00:00 eventWillReachThresholdWarning",
                    "2024-03-31 01:25:00.000+00:00 eventDidReachThreshold",
                ])
        }
    }

    @Test func whatIsWrongIsSaid() async throws {
        try await World.with([]) { world in
            let file = try world.write(Self.events, to: "events.csv")
            let broken = try world.write(Self.events + "5,soon,1,a,0\n", to: "broken.csv")
            let policy = try world.write(Self.policy, to: "policy.json")
            let never = try world.write(
                Self.policy.replacing(#""hour":4"#, with: #""hour":25"#), to: "never.json")
            let wrong: [([String], Int32, String)] = [
                ([file], 64, "--policy is missing"),
                ([file, "--policy", policy, "--zone", "Mars/Olympus"], 64, "Mars/Olympus"),
                ([file, "--policy", policy, "--shift-ms", "soon"], 64, "soon"),
                ([file, "--policy", policy, "--registered-at", "today"], 64, "today"),
                ([file, "--policy", policy, "--format", "csv"], 64, "digital-wellbeing"),
                ([broken, "--policy", policy], 65, "line 6"), ([file, "--policy", never], 65, "hour is 25"),
                ([file, "--policy", file], 65, "not a policy file"),
                ([file + "x", "--policy", policy], 66, "No such file"),
                ([policy, "--policy", policy], 65, "line 1"),
            ]
            for (arguments, status, word) in wrong {
                let name = "replay-\(world.processes.count)"
                let outcome = try await world.run(
                    name, [World.products + "/screentime", "replay"] + arguments)
                #expect(outcome.status == status && outcome.lines.isEmpty, "\(arguments)")
                let errors = world.errors(of: name)
                #expect(errors.contains(word) && !errors.contains("imported"), "\(arguments): \(errors)")
            }
        }
    }
}
