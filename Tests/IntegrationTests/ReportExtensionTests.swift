import Contract
import Foundation
import JSON
import Loop
import Rules
import ScreenTimeTesting
import Testing
import Units

/// report-service has real, confined extension programs draw.
@Suite(.timeLimit(.minutes(5))) struct ReportExtensionTests {
    private static let app = "org.example.app"
    private static let services = ["auth-service", "activity-center", "monitor-runner", "report-service"]
    /// 2023-11-14, 22:13:20 UTC.
    private static let at: Instant = 1_700_000_000_000

    @LoopActor private static func use(
        _ world: World, _ name: String, from start: Instant, for time: Milliseconds
    ) async throws {
        let changes = [
            UsageChange(at: start, ordinal: 0, .opened(.app(name), instance: 1)),
            UsageChange(at: start + time, ordinal: 0, .closed(.app(name), instance: 1)),
        ]
        _ = try await world.observe(changes, device: "phone")
    }

    private static func drawing(
        with program: String = "screen-fixture", environment: [String: String] = [:],
        _ body: @LoopActor (World) async throws -> Void
    ) async throws {
        try await World.with(services, environment: environment) { world in
            try await world.approve(app, try world.record(.auth))
            _ = try await ScreenBundle(world, program, .report, id: app + ".report")
            try await use(world, "org.a", from: at, for: 5_000)
            try await body(world)
        }
    }

    private static func params(
        _ context: String = "Total", client: String = app, from: String = "2023-11-14", device: String? = nil
    ) -> ReportRender.Params {
        let devices = device.map { [$0] }
        return ReportRender.Params(
            client: client, context: context,
            filter: ReportQuery.Params(from: from, to: from, zone: "UTC", devices: devices))
    }

    @Test func itGetsNamesTimesAndTokens() async throws {
        try await Self.drawing { world in
            let report = try await world.eventually(ReportRender.self, Self.params()) { !$0.empty }
            #expect(report.program == Self.app + ".report" && report.notes.isEmpty)
            #expect(report.text.hasPrefix("org.a 5000 ") && report.text.hasSuffix(" token"))
            #expect(report.html.contains(report.text))
        }
    }

    @Test func aReportWrittenAsForIOSIsDrawn() async throws {
        try await Self.drawing(with: "framework-report") { world in
            let total = try await world.eventually(ReportRender.self, Self.params()) { !$0.empty }
            #expect(total.text.contains("5 seconds") && total.html.contains("5 seconds"))
            #expect(total.html.hasPrefix("<!"), "a page for itself")
            let apps = try await world.call(ReportRender.self, Self.params("Apps"), deadline: 20_000)
            #expect(apps.text.contains("app org.a org.a token 5.0 "))
            let nothing = try await world.call(
                ReportRender.self, Self.params(from: "2022-01-01"), deadline: 20_000)
            #expect(nothing.html.contains("There is nothing to show.") && nothing.text.contains("0 seconds"))
        }
    }

    /// What was installed a moment ago draws, also where report-service has not heard of it yet.
    @Test func anExtensionThatWasJustInstalledDraws() async throws {
        try await World.with(Self.services) { world in
            try await world.approve(Self.app, try world.record(.auth))
            // It takes nothing in while it holds its writes for a backup, until that is given up.
            _ = try await world.client(.report).call(BackupHold.self, BackupKey(id: "killed"))
            _ = try await ScreenBundle(world, "screen-fixture", .report, id: Self.app + ".report")
            let words = ["--client", Self.app, "--context", "Total", "--from", "2023-11-14", "--zone", "UTC"]
            let drawn = try await world.command(["report", "render"] + words)
            #expect(drawn.status == 0, "\(drawn.errors)")
            #expect(drawn.lines.contains { $0.contains("Nothing was recorded") }, "\(drawn.lines)")
        }
    }

    @Test func nothingToShowIsSaid() async throws {
        try await Self.drawing { world in
            _ = try await world.eventually(ReportRender.self, Self.params()) { !$0.empty }
            let other = try await world.call(ReportRender.self, Self.params(from: "2022-01-01"))
            #expect(other.empty && other.text.contains("Nothing was recorded"))
            #expect(other.html.contains("<body><p role=\"status\""), "seen first")
            let tablet = try await world.call(ReportRender.self, Self.params(device: "tablet"))
            #expect(tablet.empty && tablet.notes.contains { $0.contains("'tablet'") && $0.contains("phone") })
        }
    }

    @Test func whatCannotBeDrawnIsSaid() async throws {
        try await Self.drawing { world in
            _ = try await world.eventually(ReportRender.self, Self.params()) { !$0.empty }
            func message(_ params: ReportRender.Params) async -> String {
                do { return try await world.call(ReportRender.self, params).text } catch {
                    return (error as? ServiceError)?.message ?? "\(error)"
                }
            }
            #expect(await message(Self.params(client: "org.other")).contains("no report extension"))
            #expect(await message(Self.params("Unknown")).contains("no report 'Unknown'"))
            #expect(await message(Self.params("Crash")).contains("was not drawn"))
            #expect(await message(Self.params("Crash")).contains("rests"), "not started again at once")
            #expect(try await world.health(.report).state == .ready)
        }
    }

    @Test func aHostilePageIsWrittenAgainFromWhatPassed() async throws {
        try await Self.drawing { world in
            _ = try await world.eventually(ReportRender.self, Self.params()) { !$0.empty }
            let report = try await world.call(ReportRender.self, Self.params("Hostile"))
            #expect(report.html.contains("<p>seen</p>"))
            for word in ["script", "refresh", "example.org", "onclick", "iframe", "file:", "url("] {
                #expect(!report.html.contains(word), "\(word)")
            }
            #expect(report.html.contains("default-src 'none'"))
            #expect(report.text == "seen \\u{1B}[2J\\u{202E}evil")
            #expect(
                report.notes.contains { $0.contains("element script") && $0.contains("attribute onclick") })
            let page = "\(world.directory)/hostile.html"
            let drawn = try await world.screentime(
                "report", "render", "--client", Self.app, "--context", "Hostile", "--from", "2023-11-14",
                "--output", page)
            #expect(drawn.status == 0)
            let written = world.readText(page)
            #expect(written.contains("<iframe sandbox=\"\"") && written.contains("<p>seen</p>"))
            #expect(written.components(separatedBy: "<iframe").count == 2 && !written.contains("example.org"))
            await #expect(throws: ServiceError.self) {
                try await world.call(ReportRender.self, Self.params("Unfinished"))
            }
        }
    }

    /// It is outside the page, where the page's styles have no effect.
    @Test func thatThereIsNothingToShowCannotBeHidden() async throws {
        try await Self.drawing { world in
            _ = try await world.eventually(ReportRender.self, Self.params()) { !$0.empty }
            let report = try await world.call(
                ReportRender.self, Self.params("Hostile", from: "2023-11-10"))
            #expect(report.empty)
            let notice = try #require(report.html.range(of: "There is nothing to show."))
            let frame = try #require(report.html.range(of: "<iframe sandbox=\"\""))
            let page = try #require(report.html.range(of: "seen"))
            #expect(notice.upperBound < frame.lowerBound && frame.upperBound < page.lowerBound)
        }
    }

    @Test(arguments: ["/usr/bin/bwrap", "/nonexistent/bwrap"])
    func itLeavesNoFiles(bubblewrap: String) async throws {
        try await Self.drawing(environment: ["SCREENTIME_BUBBLEWRAP": bubblewrap]) { world in
            _ = try await world.eventually(ReportRender.self, Self.params()) { !$0.empty }
            let report = try await world.call(ReportRender.self, Self.params("Files"))
            #expect(report.text.contains("HOME refused"))
            let home = "\(world.directory)/state/containers/\(Self.app).report"
            #expect(!FileManager.default.fileExists(atPath: home), "a report has no container at all")
        }
    }

    /// A lock is seen by everyone who may read the file: it would tell names to a program that must not have
    /// them.
    @Test(arguments: ["/usr/bin/bwrap", "/nonexistent/bwrap"])
    func itLocksNothing(bubblewrap: String) async throws {
        try await Self.drawing(environment: ["SCREENTIME_BUBBLEWRAP": bubblewrap]) { world in
            _ = try await world.eventually(ReportRender.self, Self.params()) { !$0.empty }
            let report = try await world.call(ReportRender.self, Self.params("Locks"))
            #expect(report.text.contains("open true") && report.text.contains("exclusive refused"))
            #expect(!report.text.contains("locked"), "\(report.text)")
        }
    }

    @Test func itIsDrawnAgainWhenUseChanges() async throws {
        try await Self.drawing { world in
            let events = try world.record(.report)
            let first = try await world.eventually(ReportRender.self, Self.params()) { !$0.empty }
            try await Self.use(world, "org.b", from: Self.at + 10_000, for: 1_000)
            let told = try await events.first(ReportRendered.self)
            #expect(told.client == Self.app && told.context == "Total" && told.etag != first.etag)
            let second = try await world.call(ReportRender.self, Self.params())
            #expect(second.etag == told.etag && second.text.contains("org.b 1000 "))
        }
    }

    @Test func theCommandPrintsOrWritesIt() async throws {
        try await Self.drawing { world in
            _ = try await world.eventually(ReportRender.self, Self.params()) { !$0.empty }
            let day = "2023-11-14"
            let words = [
                "\(World.products)/screentime", "report", "render", "--client", Self.app, "--context",
                "Total", "--from", day, "--to", day,
            ]
            let printed = try await world.run("screentime", words)
            #expect(printed.status == 0 && printed.lines.first?.hasPrefix("org.a 5000") == true)
            let page = "\(world.directory)/report.html"
            let written = try await world.run("screentime", words + ["--output", page])
            #expect(written.status == 0 && world.readText(page).contains("org.a 5000"))
            #expect(try await world.screentime("report", "render", "--client", "x").status == 64)
        }
    }
}
