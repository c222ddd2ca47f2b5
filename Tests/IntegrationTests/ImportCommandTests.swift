import Bus
import Contract
import Foundation
import JSON
import Loop
import Rules
import ScreenTimeTesting
import Testing
import Units
@testable import CommandCore

/// `screentime import` and `screentime report` through real processes.
@Suite struct ImportCommandTests {
    static let services = ["auth-service", "activity-center", "report-service"]
    static let header = "id,timestamp_ms,type,package,instance_id\n"
    /// 2023-06-01T00:00:00Z
    static let t: Instant = 1_685_577_600_000

    /// Two apps that overlap, a row of no use, an unlock and a notification.
    static let small =
        header + """
            1,\(t),18,android,0
            2,\(t),1,org.example.a,1
            3,\(t + 60_000),1,"org.example.b, the second",2
            4,\(t + 90_000),2,org.example.a,1
            5,\(t + 100_000),19,org.example.service,0
            6,\(t + 120_000),23,"org.example.b, the second",2
            7,\(t + 120_000),12,org.example.a,0

            """

    @LoopActor static func csv(_ world: World, _ options: String...) async throws -> [String] {
        let outcome = try await world.run(
            "screentime-\(world.processes.count)",
            [
                World.products + "/screentime", "report", "--from", "2023-06-01", "--to", "2023-06-01",
                "--format", "csv",
            ]
                + options)
        #expect(outcome.status == 0)
        return outcome.lines
    }

    @Test func anImportReturnsWhenTheReportShowsIt() async throws {
        try await World.with(Self.services) { world in
            let file = try world.write(Self.small, to: "events.csv")
            let first = try await world.command("import", "digital-wellbeing", file, "--device", "phone")
            #expect(first.status == 0, "\(first.errors)")
            #expect(
                first.lines == [
                    "Imported '\(file)' as device 'phone'.", "  rows            7", "  imported        6",
                    "  already known   0", "  skipped         1  (these say nothing about use)",
                    "    type 19, foreground service started: 1",
                ])
            #expect(first.errors == "6 of 6 changes sent (100 %)\n")
            let rows = [
                "segment_start,app,duration_ms", "2023-06-01,org.example.a,90000",
                "2023-06-01,\"org.example.b, the second\",60000",
            ]
            #expect(try await Self.csv(world) == rows)
            #expect(
                try await Self.csv(world, "--by", "total") == [
                    "segment_start,total,duration_ms", "2023-06-01,all,120000",
                ])
            #expect(
                try await Self.csv(world, "--metric", "pickups")
                    == ["segment_start,app,pickups", "2023-06-01,org.example.a,1"])
            #expect(
                try await Self.csv(world, "--metric", "notifications", "--by", "device")
                    == ["segment_start,device,notifications", "2023-06-01,phone,1"])
            #expect(
                try await Self.csv(world, "--segment", "weekly", "--by", "category")
                    == ["segment_start,category,duration_ms", "2023-05-29,other,150000"])
            #expect(
                try await Self.csv(world, "--segment", "hourly", "--by", "total", "--zone", "Asia/Kathmandu")
                    == ["segment_start,total,duration_ms", "2023-06-01T05:00:00+05:45,all,120000"])

            // Again, and in part, and backwards: nothing changes.
            let usage = try await world.health(.activity)
            let again = try await world.command("import", "digital-wellbeing", file, "--device", "phone")
            #expect(
                again.lines.contains("  imported        0") && again.lines.contains("  already known   6"))
            let lines = Self.small.split(separator: "\n").map(String.init)
            let reversed = try world.write(
                ([lines[0]] + lines.dropFirst(3).reversed()).joined(separator: "\n") + "\n",
                to: "reversed.csv")
            let part = try await world.command("import", "digital-wellbeing", reversed, "--device", "phone")
            #expect(part.lines.contains("  imported        0") && part.lines.contains("  already known   4"))
            #expect(try await Self.csv(world) == rows)
            #expect(try await world.health(.activity).head == usage.head)
        }
    }

    /// A report that has not taken everything in yet must not be what the import waits for.
    @Test func anImportAsksForAReportThatKnowsItsLastEvent() async throws {
        try await World.with(["auth-service", "activity-center"]) { world in
            let file = try world.write(Self.small, to: "events.csv")
            let alone = try await world.command("import", "digital-wellbeing", file, "--device", "phone")
            #expect(alone.status == 69)
            #expect(alone.errors.contains("everything is imported, but the report does not show it yet"))
            let server = try RequestServer(
                .report, in: world.runtime, tracer: Tracer(service: "report-service"))
            defer { server.close() }
            var asked: [[Position]] = []
            server.answer(ReportQuery.self) { _, context, reply in
                asked.append(context.notBefore)
                reply.succeed(ReportQuery.Result())
            }
            let outcome = try await world.command("import", "digital-wellbeing", file, "--device", "phone")
            #expect(outcome.status == 0, "\(outcome.errors)")
            let head = try await world.health(.activity).head
            #expect(head > 0)
            #expect(
                asked.map { $0.map { "\($0.service.rawValue) \($0.sequence)" } } == [
                    ["activity-center \(head)"]
                ])
        }
    }

    /// A report waits for a copy that is being rebuilt, and never shows it as empty.
    @Test func aReportWaitsForACopyThatIsBuiltAnew() async throws {
        try await World.with(Self.services) { world in
            let file = try world.write(Self.small, to: "events.csv")
            _ = try await world.command("import", "digital-wellbeing", file, "--device", "phone")
            let before = try await Self.csv(world)
            #expect(before.count == 3)
            for _ in 0..<5 {
                try await world.process("report-service").destroy()
                try FileManager.default.removeItem(atPath: world.directory + "/state/report-service")
                try await world.start("report-service")
                #expect(try await Self.csv(world) == before)
            }
        }
    }

    /// A report-service that cannot write will not show it soon: the import reports that and ends.
    @Test func anImportDoesNotWaitForAReportThatCannotWrite() async throws {
        try await World.with(["auth-service", "activity-center"]) { world in
            let file = try world.write(Self.small, to: "events.csv")
            let server = try RequestServer(
                .report, in: world.runtime, tracer: Tracer(service: "report-service"))
            defer { server.close() }
            server.answer(HealthCheck.self) { _, _, reply in
                reply.succeed(
                    HealthCheck.Result(
                        service: "report-service", state: .degraded, degradedBy: ["the disk is full"]))
            }
            server.answer(ReportQuery.self) { _, _, reply in
                reply.fail(ServiceError(.deadlineExceeded, "has not taken it in yet", remedy: "Ask again."))
            }
            let outcome = try await world.command("import", "digital-wellbeing", file, "--device", "phone")
            #expect(outcome.status == 75)
            #expect(outcome.errors.contains("does not show it yet: the disk is full"), "\(outcome.errors)")
        }
    }

    /// Neither the report nor the import hangs on a stopped report-service, and it is not called absent.
    @Test func aStoppedReportIsNamed() async throws {
        try await World.with(Self.services) { world in
            let file = try world.write(Self.small, to: "events.csv")
            try world.process("report-service").signal(SIGSTOP)
            let report = try await world.command("report")
            #expect(report.status == 69, "\(report.errors)")
            #expect(report.errors.contains("report-service is there but does not answer"))
            let imported = try await world.command("import", "digital-wellbeing", file, "--device", "phone")
            #expect(imported.status == 69)
            #expect(imported.errors.contains("everything is imported, but the report does not show it yet"))
        }
    }

    @Test func aFileThatIsNotWhatItClaimsChangesNothing() async throws {
        try await World.with(Self.services) { world in
            let long = String(repeating: "x", count: 513)
            let wrong: [(name: String, text: String, words: [String])] = [
                ("empty", "", ["line 1", "0 bytes"]),
                ("column", "id,timestamp_ms,type,package\n", ["line 1", "instance_id"]),
                ("number", Self.small + "8,soon,1,org.example.c,3\n", ["line 9", "timestamp_ms", "soon"]),
                ("cut", Self.small + "8,16855776", ["line 9", "5 fields"]),
                ("token", Self.small + "8,\(Self.t),1,token:AAAA,3\n", ["line 9", "package", "token:AAAA"]),
                ("long", Self.small + "8,\(Self.t),1,\(long),3\n", ["line 9", "package", "512 bytes"]),
            ]
            for (name, text, words) in wrong {
                let file = try world.write(text, to: name + ".csv")
                let outcome = try await world.command(
                    "import", "digital-wellbeing", file, "--device", "phone")
                #expect(outcome.status == 65, "\(name)")
                #expect(outcome.lines.isEmpty)
                for word in [file, "Nothing was imported"] + words {
                    #expect(outcome.errors.contains(word), "\(name): \(outcome.errors)")
                }
            }
            #expect(try await world.health(.activity).head == 0)
            let missing = try await world.command(
                "import", "digital-wellbeing", world.directory + "/none.csv", "--device", "phone")
            #expect(missing.status == 66 && missing.errors.contains("No such file"))
            let folder = try await world.command(
                "import", "digital-wellbeing", world.directory, "--device", "phone")
            #expect(folder.status == 66)
            let file = try world.write(Self.small, to: "good.csv")
            let nameless = try await world.command("import", "digital-wellbeing", file)
            #expect(nameless.status == 64 && nameless.errors.contains("--device"))
            let escape = try await world.command(
                "import", "digital-wellbeing", file, "--device", "a\u{1b}[31m")
            #expect(escape.status == 64 && escape.errors.contains("invisible characters"))
            let refused = try await world.command("import", "digital-wellbeing", file, "--device", "")
            #expect(
                refused.status == 64 && refused.errors.contains("Nothing was imported"), "\(refused.errors)")
        }
    }

    @Test func anImportBelongsToOneMember() async throws {
        try await World.with(Self.services) { world in
            let file = try world.write(Self.small, to: "events.csv")
            let unknown = try await world.command(
                "import", "digital-wellbeing", file, "--device", "phone", "--member", "Ada")
            #expect(unknown.status == 1 && unknown.errors.contains("screentime member add Ada"))
            _ = try await world.command("member", "add", "Ada")
            let known = try await world.command(
                "import", "digital-wellbeing", file, "--device", "phone", "--member", "Ada")
            #expect(known.status == 0, "\(known.errors)")
            #expect(try await Self.csv(world) == ["segment_start,app,duration_ms"])
            #expect(try await Self.csv(world, "--member", "Ada").count == 3)
            let stranger = try await world.command("report", "--member", "Eve")
            #expect(stranger.status == 1 && stranger.errors.contains("screentime member add Eve"))
        }
    }

    @Test func aReportIsReadableAndRefusesWhatItCannotAnswer() async throws {
        try await World.with(Self.services) { world in
            let file = try world.write(Self.small, to: "events.csv")
            _ = try await world.command("import", "digital-wellbeing", file, "--device", "phone")
            let table = try await world.command("report", "--from", "2023-06-01", "--to", "2023-06-02")
            #expect(
                table.lines == [
                    "DAY         APP                        TIME",
                    "2023-06-01  org.example.a              1 min 30 s",
                    "            org.example.b, the second  1 min 00 s",
                    "total                                  2 min 00 s",
                ])
            let json = try await world.command(
                "report", "--from", "2023-06-01", "--to", "2023-06-01", "--by", "total", "--format", "json")
            #expect(json.output == #"[{"segment_start":"2023-06-01","total":"all","duration_ms":120000}]"#)
            let today = try await world.command("report", "--format", "csv")
            #expect(today.status == 0 && today.lines == ["segment_start,app,duration_ms"])
            #expect(today.errors.hasPrefix("Nothing was recorded"))
            let wrong: [([String], Int32, String)] = [
                (["--zone", "Mars/Olympus"], 1, "Mars/Olympus"), (["--from", "yesterday"], 64, "yesterday"),
                (["--from", "2023-06-02", "--to", "2023-06-01"], 64, "after"),
                (["--day-start", "25:00"], 64, "HH:MM"), (["--users", "some"], 64, "children"),
                (["--json", "--format", "csv"], 64, "--json"),
                (["--segment", "monthly"], 64, "weekly"),
                (["--by", "apps"], 64, "category"), (["--metric", "x"], 64, "pickups"),
                (["--format", "x"], 64, "csv"),
                (["--from", "2000-01-01", "--to", "2023-01-01"], 1, "daysMax"),
            ]
            for (options, status, word) in wrong {
                let name = "screentime-\(world.processes.count)"
                let outcome = try await world.run(name, [World.products + "/screentime", "report"] + options)
                #expect(outcome.status == status && outcome.lines.isEmpty, "\(options)")
                #expect(world.errors(of: name).contains(word), "\(options)")
            }
        }
    }

    /// More rows than one answer holds come in pages, cut between hours.
    @Test func aLongReportComesWhole() async throws {
        try await World.with(Self.services) { world in
            let long = String(repeating: "y", count: 400)
            let changes = (0..<400).flatMap { hour in
                (0..<6).flatMap { app in
                    let at = Self.t + .hours(Int64(hour)) + Milliseconds(app * 10)
                    let subject = Subject.app("\(long)\(app)")
                    return [
                        UsageChange(at: at, ordinal: 0, .opened(subject, instance: 1)),
                        UsageChange(at: at + 10, ordinal: 0, .closed(subject, instance: 1)),
                    ]
                }
            }
            for start in stride(from: 0, to: changes.count, by: 1_000) {
                try await world.observe(
                    Array(changes[start..<min(start + 1_000, changes.count)]), device: "phone",
                    model: "android")
            }
            let sequence = try await world.health(.activity).head
            let params = ReportQuery.Params(
                from: "2023-06-01", to: "2023-06-17", zone: "UTC", segment: .hourly)
            let refusal = await #expect(throws: ServiceError.self) {
                try await world.call(ReportQuery.self, params, notBefore: [Position(.activity, sequence)])
            }
            #expect(refusal?.name == .limitExceeded && refusal?.message.contains("answerBytesMax") == true)
            let report = try await world.command(
                "report", "--from", "2023-06-01", "--to", "2023-06-17", "--segment", "hourly", "--format",
                "csv")
            #expect(report.lines.count == 2_401)
            #expect(Set(report.lines).count == 2_401)
            #expect(report.lines.dropFirst() == report.lines.dropFirst().sorted()[...])
            #expect(report.lines.last == "2023-06-17T15:00:00+00:00,\(long)5,10")
        }
    }

    @Test func progressIsALinePerQuarterOrOneThatChanges() {
        var told: [String] = []
        let lines = ImportCommandProgress(total: 8, isTerminal: false) { told.append($0) }
        for _ in 0..<8 { lines.advance(by: 1) }
        lines.end()
        #expect(told == [2, 4, 6, 8].map { "\($0) of 8 changes sent (\($0 * 100 / 8) %)\n" })
        told = []
        let terminal = ImportCommandProgress(total: 2, isTerminal: true) { told.append($0) }
        terminal.advance(by: 2)
        terminal.end()
        #expect(told == ["\r\u{1b}[K2 of 2 changes sent (100 %)", "\n"])
        told = []
        let nothing = ImportCommandProgress(total: 0, isTerminal: true) { told.append($0) }
        nothing.end()
        #expect(told.isEmpty)
    }
}

/// The real phone's month, imported and reported by the command line, against what an independent oracle
/// computed.
@Suite(.enabled(if: ActivityData.hasMonth, "the traces under ../shared/data are not here"))
struct ImportMonthTests {
    static let folder = ActivityData.month.deletingLastPathComponent()

    /// `date,key,milliseconds` of one zone.
    static func expected(_ file: String, _ zone: String, key: (([Substring]) -> Substring)) throws -> [String]
    {
        let text = try String(contentsOf: folder.appending(path: file), encoding: .utf8)
        return text.split(whereSeparator: \.isNewline).dropFirst().map { $0.split(separator: ",") }.filter {
            $0[0] == zone
        }
        .map { "\($0[1]),\(key($0)),\($0.last ?? "")" }
    }

    @Test func theMonthIsRightToTheMillisecond() async throws {
        try await World.with(ImportCommandTests.services) { world in
            let clock = ContinuousClock()
            let start = clock.now
            let outcome = try await world.command(
                "import", "digital-wellbeing", ActivityData.month.path, "--device", "phone")
            print("import of the month: \(clock.now - start)")
            #expect(outcome.status == 0, "\(outcome.errors)")
            for line in ["  rows            11663", "  imported        10775", "  already known   0"] {
                #expect(outcome.lines.contains(line))
            }
            #expect(outcome.lines.contains { $0.hasPrefix("  skipped         888 ") })
            try await compare(world)
            let again = try await world.command(
                "import", "digital-wellbeing", ActivityData.month.path, "--device", "phone", "--model",
                "android")
            #expect(again.lines.contains("  already known   10775"))
            try await compare(world)
        }
    }

    /// In pieces that overlap, the later ones first.
    @Test func theMonthInPiecesIsTheSame() async throws {
        try await World.with(ImportCommandTests.services) { world in
            let rows = try String(contentsOf: ActivityData.month, encoding: .utf8).split(
                whereSeparator: \.isNewline)
            for (number, from) in stride(from: 9_000, through: 0, by: -3_000).enumerated() {
                let piece = [rows[0]] + rows[(from + 1)..<min(from + 3_500, rows.count)]
                let file = try world.write(piece.joined(separator: "\n") + "\n", to: "piece\(number).csv")
                let outcome = try await world.command(
                    "import", "digital-wellbeing", file, "--device", "phone")
                #expect(outcome.status == 0, "\(outcome.errors)")
            }
            try await compare(world)
        }
    }

    @LoopActor private func compare(_ world: World) async throws {
        for zone in ["UTC", "America/New_York"] {
            let apps = try await report(world, zone, by: "app")
            #expect(apps.first == "segment_start,app,duration_ms")
            let expected = try Self.expected("expected.csv", zone) { $0[2] }
            #expect(expected.count > 300)
            #expect(Array(apps.dropFirst()) == expected)
            let device = try Self.expected("expected_device.csv", zone) { _ in "phone" }
            #expect(try await report(world, zone, by: "device").dropFirst() == device[...])
            let total = try Self.expected("expected_device.csv", zone) { _ in "all" }
            #expect(try await report(world, zone, by: "total").dropFirst() == total[...])
        }
    }

    @LoopActor private func report(_ world: World, _ zone: String, by key: String) async throws -> [String] {
        let outcome = try await world.command(
            "report", "--from", "2023-05-29", "--to", "2023-06-28", "--format", "csv", "--zone", zone, "--by",
            key)
        #expect(outcome.status == 0, "\(outcome.errors)")
        return outcome.lines
    }
}
