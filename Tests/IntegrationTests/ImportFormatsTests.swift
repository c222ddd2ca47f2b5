import Contract
import CSQLite
import Glibc
import JSON
import Loop
import ScreenTimeTesting
import Testing
import Units

/// Every kind of file through the command line into a report, and out of one system into another.
@Suite struct ImportFormatsTests {
    static let services = ["auth-service", "activity-center", "report-service"]
    /// 2024-05-01T10:00:00Z
    static let t: Instant = 1_714_557_600_000

    @LoopActor static func report(_ world: World, _ arguments: String...) async throws -> [String] {
        let name = "report-\(world.processes.count)"
        let base = [
            World.products + "/screentime", "report", "--from", "2024-05-01", "--to", "2024-05-02", "--zone",
            "UTC", "--format", "csv",
        ]
        let (status, lines) = try await world.run(name, base + arguments)
        #expect(status == 0, "\(world.errors(of: name))")
        return Array(lines.dropFirst())
    }

    @Test func visitsBecomeDomainsOfTheirPanelists() async throws {
        try await World.with(Self.services) { world in
            let file = try world.write(
                """
                panelist,timestamp_ms,host,device
                ada,\(Self.t),www.example.co.uk,mobile
                ada,\(Self.t + 5_000),,mobile
                bob,\(Self.t),example.org,desktop
                ada,\(Self.t + 6_000),shop.example.co.uk,desktop
                ada,\(Self.t + 400_000),192.168.0.1,mobile
                bob,\(Self.t + 1_000),example.org,desktop
                ada,\(Self.t + 400_500),end.org,mobile
                """, to: "visits.csv")
            let outcome = try await world.command("import", file)
            #expect(outcome.status == 0, "\(outcome.errors)")
            #expect(outcome.lines.first == "Imported '\(file)' as devices 'ada', 'bob'.")
            let day = "2024-05-01"
            #expect(
                try await Self.report(world, "--by", "domain", "--device", "ada")
                    == ["\(day),,1000", "\(day),192.168.0.1,500", "\(day),example.co.uk,305000"])
            #expect(
                try await Self.report(world, "--by", "domain", "--device", "bob") == [
                    "\(day),example.org,1000"
                ])
            let again = try await world.command("import", "web-visits", file, "--panelist", "ada")
            #expect(again.lines.contains("  already known   5"), "\(again.output)")
            let renamed = try await world.command(
                "import", file, "--panelist", "bob", "--device", "laptop", "--format", "web-visits")
            #expect(renamed.status == 0 && renamed.lines.contains("  imported        2"))
            #expect(
                try await Self.report(world, "--by", "device")
                    == ["\(day),ada,306500", "\(day),bob,1000", "\(day),laptop,1000"])
            let nobody = try await world.command("import", file, "--panelist", "eve")
            #expect(nobody.status == 65 && nobody.errors.contains("'ada', 'bob'"))
            let two = try await world.command("import", file, "--device", "x")
            #expect(two.status == 64 && two.errors.contains("2"))
        }
    }

    @Test func anExportOfActivityWatchBecomesUse() async throws {
        try await World.with(Self.services) { world in
            let file = try world.write(
                """
                {"buckets": {
                "aw-watcher-window_box": {"id": "aw-watcher-window_box", "type": "currentwindow",
                  "client": "aw-watcher-window", "hostname": "box", "events": [
                  {"timestamp": "2024-05-01T10:00:00.250000+00:00", "duration": 30.5,
                   "data": {"app": "code", "title": "a"}}]},
                "aw-watcher-afk_box": {"id": "aw-watcher-afk_box", "type": "afkstatus",
                  "client": "aw-watcher-afk", "hostname": "box", "events": [
                  {"timestamp": "2024-05-01T12:00:10+02:00", "duration": 60,
                   "data": {"status": "not-afk"}}]}}}
                """, to: "buckets.json")
            let outcome = try await world.command("import", file)
            #expect(outcome.status == 0, "\(outcome.errors)")
            #expect(try await Self.report(world) == ["2024-05-01,code,20750"])
            #expect(try await Self.report(world, "--by", "device") == ["2024-05-01,box,20750"])
            let again = try await world.command("import", "activitywatch", file)
            #expect(again.lines.contains("  imported        0"))
        }
    }

    @Test func knowledgeIsReadFromItsLogTooAndNeverChanged() async throws {
        try await World.with(Self.services) { world in
            let path = world.directory + "/knowledgeC.db"
            var handle: OpaquePointer?
            #expect(sqlite3_open(path, &handle) == SQLITE_OK)
            defer { sqlite3_close(handle) }
            let start = Double(Self.t.milliseconds) / 1000 - 978_307_200
            let script = """
                PRAGMA journal_mode = WAL; PRAGMA wal_autocheckpoint = 0;
                CREATE TABLE ZOBJECT (Z_PK INTEGER PRIMARY KEY, ZSTREAMNAME VARCHAR, ZVALUESTRING VARCHAR,
                    ZSTARTDATE TIMESTAMP, ZENDDATE TIMESTAMP);
                INSERT INTO ZOBJECT VALUES (1, '/app/usage', 'com.apple.Safari', \(start), \(start + 12.5)),
                    (2, '/app/usage', 'com.apple.Safari', \(start + 10), \(start + 20)),
                    (3, '/display/isBacklit', NULL, \(start), NULL);
                """
            #expect(sqlite3_exec(handle, script, nil, nil, nil) == SQLITE_OK)
            let before = world.readText(path + "-wal").utf8.count
            let outcome = try await world.command("import", "knowledgec", path, "--device", "mac")
            #expect(outcome.status == 0, "\(outcome.errors)")
            #expect(try await Self.report(world) == ["2024-05-01,com.apple.Safari,20000"])
            #expect(world.readText(path + "-wal").utf8.count == before)
            let known = try await world.command("import", path, "--device", "mac")
            #expect(known.lines.contains("  imported        0"), "\(known.errors)")
            let nameless = try await world.command("import", path)
            #expect(nameless.status == 64 && nameless.errors.contains("--device"))
            let half = world.directory + "/half.db"
            #expect(sqlite3_exec(handle, "VACUUM INTO '\(half)'", nil, nil, nil) == SQLITE_OK)
            #expect(truncate(half, 5_000) == 0)
            let cut = try await world.command("import", "knowledgec", half, "--device", "mac")
            #expect(cut.status == 65 && cut.errors.contains("whole"), "\(cut.errors)")
            let text = try world.write("no database", to: "text.db")
            let wrong = try await world.command("import", "knowledgec", text, "--device", "mac")
            #expect(wrong.status == 65 && wrong.errors.contains("Nothing was imported"))
        }
    }

    private static let phone = """
        id,timestamp_ms,type,package,instance_id
        1,\(t),18,,0
        2,\(t),1,mail,5
        3,\(t + 60_000),12,chat,0
        4,\(t + 60_000),12,chat,0
        5,\(t + 90_000),2,mail,5
        6,\(t + 86_400_000),18,,0
        7,\(t + 86_400_500),1,chat,6
        8,\(t + 86_460_000),26,,0

        """

    private static let desk = [
        #"{"at_ms":\#(t),"kind":"focus","app":"firefox","app_name":"Firefox","device":"desk"}"#,
        #"{"at_ms":\#(t + 1_000),"kind":"domain","domain":"a.example.org","app":"firefox","device":"desk"}"#,
        #"{"at_ms":\#(t + 31_000),"kind":"focus","app":"code","device":"desk"}"#,
        #"{"at_ms":\#(t + 45_000),"kind":"idle","device":"desk"}"#,
        #"{"at_ms":\#(t + 99_000),"kind":"unlocked","device":"desk"}"#,
        #"{"at_ms":\#(t + 100_000),"kind":"active","device":"desk"}"#,
        #"{"at_ms":\#(t + 130_000),"kind":"reset","device":"desk"}"#,
    ].joined(separator: "\n")

    @LoopActor private static func reports(_ world: World) async throws -> [[String]] {
        var reports: [[String]] = []
        for key in ["app", "domain", "device", "total"] {
            for metric in ["duration", "pickups", "notifications"] {
                reports.append(
                    try await report(world, "--by", key, "--metric", metric, "--segment", "hourly"))
            }
        }
        return reports
    }

    @Test func whatIsExportedComesBackTheSame() async throws {
        var exports: [String: String] = [:]
        var expected: [[String]] = []
        try await World.with(Self.services) { world in
            let phone = try world.write(Self.phone, to: "phone.csv")
            let desk = try world.write(Self.desk, to: "desk.jsonl")
            _ = try await world.command("import", phone, "--device", "phone")
            let imported = try await world.command("import", desk)
            #expect(imported.status == 0, "\(imported.errors)")
            expected = try await Self.reports(world)
            #expect(expected.prefix(3).map(\.count) == [4, 3, 1])
            for (name, options) in [
                ("all", []), ("first", ["--to", "2024-05-01T10:00:40Z"]),
                ("second", ["--from", "2024-05-01T10:00:40Z", "--to", "2024-05-01"]),
                ("third", ["--from", "2024-05-02", "-o", world.directory + "/third.jsonl"]),
            ] {
                let run = "export-\(name)"
                let (status, lines) = try await world.run(
                    run, [World.products + "/screentime", "export"] + options)
                #expect(status == 0, "\(world.errors(of: run))")
                exports[name] = lines.joined(separator: "\n")
            }
            exports["third"] = world.readText(world.directory + "/third.jsonl")
            let table = try await world.command("export", "--format", "csv", "--device", "desk")
            #expect(
                table.lines.count == 5
                    && table.lines.contains(
                        "desk,domain,a.example.org,\(Self.t + 1_000),\(Self.t + 31_000),30000,2024-05-01T10:00:01.000Z"
                    ))
        }
        try await World.with(Self.services) { world in
            let file = try world.write(exports["all", default: ""], to: "all.jsonl")
            let outcome = try await world.command("import", file)
            #expect(outcome.status == 0, "\(outcome.errors)")
            #expect(try await Self.reports(world) == expected)
        }
        try await World.with(Self.services) { world in
            for name in ["third", "first", "second"] {
                let file = try world.write(exports[name, default: ""], to: "\(name).jsonl")
                let outcome = try await world.command("import", "observations", file)
                #expect(outcome.status == 0, "\(name): \(outcome.errors)")
            }
            let found = try await Self.reports(world)
            // Whose pickup it was is known where the app came in the same piece.
            #expect(found == expected)
        }
    }

    @Test func anExportForActivityWatchKeepsTheTotals() async throws {
        var buckets = ""
        var expected: [[String]] = []
        try await World.with(Self.services) { world in
            let desk = try world.write(Self.desk, to: "desk.jsonl")
            _ = try await world.command("import", desk)
            expected = [try await Self.report(world), try await Self.report(world, "--by", "domain")]
            buckets = try await world.command("export", "--format", "activitywatch").output
        }
        try await World.with(Self.services) { world in
            let file = try world.write(buckets, to: "buckets.json")
            _ = try await world.command("import", file)
            #expect(try await [Self.report(world), Self.report(world, "--by", "domain")] == expected)
        }
    }
}
