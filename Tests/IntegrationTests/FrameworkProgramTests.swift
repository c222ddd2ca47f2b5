import Contract
import ExtensionLink
import JSON
import Testing

/// Shield-action and report programs written as for iOS, alone with their host.
@Suite struct FrameworkProgramTests {
    private func press(
        _ host: ProgramHost, _ action: String, _ kind: ShieldAct.Kind = .application
    ) async throws -> String {
        try await host.ask(
            ShieldAct.self, ShieldAct.Params(kind: kind, token: "token:AAAA", action: action)
        ).response
    }

    @Test func theButtonsOfAShieldAreAnswered() async throws {
        let host = try ProgramHost("framework-action")
        #expect(try await press(host, "primaryButtonPressed") == "close")
        #expect(try await press(host, "secondaryButtonPressed") == "defer", "the first answer counts")
        #expect(try await press(host, "secondSecondarySubmenuItemPressed") == "openParentalControlsApp")
        #expect(try await press(host, "primaryButtonPressed", .webDomain) == "openParentalControlsApp")
        #expect(try await press(host, "primaryButtonPressed", .category) == "none", "the base class")
        let silent = await #expect(throws: ServiceError.self) {
            try await press(host, "firstSecondarySubmenuItemPressed")
        }
        #expect(silent?.message.contains("did not answer") == true)
        let unknown = await #expect(throws: ServiceError.self) { try await press(host, "thumbPressed") }
        #expect(unknown?.name == .invalidParams)
        #expect(try await press(host, "primaryButtonPressed") == "close", "it goes on")
    }

    private static let activity = ReportActivity(
        user: ReportActivityUser(member: "kim", name: "Kim Doe", role: .child),
        device: ReportActivityDevice(name: "laptop", model: "mac"), lastUpdated: 5_000,
        segmentInterval: .daily, dateInterval: Interval(start: 0, end: 86_400_000),
        activitySegments: [
            ReportActivitySegment(
                dateInterval: Interval(start: 0, end: 86_400_000), totalActivity: 90_000,
                longestActivity: Interval(start: 1_000, end: 61_000), firstPickup: 7_000,
                totalPickupsWithoutApplicationActivity: 3,
                categories: [
                    ReportCategoryActivity(
                        category: "games", name: "Games", token: "token:AQID", totalActivity: 90_000,
                        applications: [
                            ReportApplicationActivity(
                                app: "org.x.Chess", name: "Chess <1>", token: "token:AQIE",
                                totalActivity: 60_500, numberOfPickups: 2, numberOfNotifications: 4)
                        ],
                        webDomains: [ReportDomainActivity(domain: "chess.org", totalActivity: 29_500)])
                ])
        ])

    private func report(_ host: ProgramHost, _ context: String) async throws -> ReportMake.Result {
        try await host.ask(
            ReportMake.self,
            ReportMake.Params(
                context: context, filter: RawJSON(), data: [RawJSON(encoding: Self.activity)]))
    }

    @Test func aReportSeesEveryFigureAndName() async throws {
        let host = try ProgramHost("framework-report")
        let total = try await report(host, "Total")
        #expect(total.html.contains("90 seconds") && total.text.contains("90 seconds"))
        let apps = try await report(host, "Apps")
        for line in [
            "Kim child laptop mac", "pickups without app 3", "longest 60.0", "first pickup 7.0",
            "category Games", "app Chess <1> org.x.Chess token 60.5 2 4", "site chess.org 29.5",
        ] {
            #expect(apps.text.contains(line), "\(line) in \(apps.text)")
        }
        #expect(apps.html.contains("Chess &lt;1&gt;") && !apps.html.contains("<script"))
    }

    /// Data that is larger than a message comes before the request, and belongs to one report.
    @Test func aReportSeesWhatCameInParts() async throws {
        let host = try ProgramHost("framework-report")
        func send(_ name: String, times: Int = 1) async throws {
            let part = ReportData.Params(report: name, data: [RawJSON(encoding: Self.activity)])
            for _ in 0..<times { _ = try await host.ask(ReportData.self, part) }
        }
        func draw(_ context: String, _ name: String, parts: Int64) async throws -> String {
            try await host.ask(
                ReportMake.self,
                ReportMake.Params(
                    context: context, filter: RawJSON(), data: [RawJSON(encoding: Self.activity)],
                    report: name, parts: parts)
            ).text
        }
        try await send("1", times: 2)
        try await send("2")
        #expect(try await draw("Total", "1", parts: 2).contains("270 seconds"))
        let apps = try await draw("Apps", "2", parts: 1)
        #expect(apps.split(separator: "Kim child laptop mac").count - 1 <= 1, "one device: \(apps)")
        #expect(apps.split(separator: "longest 60.0").count - 1 == 2, "two segments: \(apps)")
        let gone = await #expect(throws: ServiceError.self) { try await draw("Total", "2", parts: 1) }
        #expect(gone?.name == .unavailable, "they were used")
        #expect(try await report(host, "Total").text.contains("90 seconds"))
    }

    @Test func anUnknownReportIsRefusedWithThoseThereAre() async throws {
        let host = try ProgramHost("framework-report")
        let refusal = await #expect(throws: ServiceError.self) { try await report(host, "Weekly") }
        #expect(refusal?.name == .notFound)
        #expect(refusal?.remedy == "It has 'Total', 'Apps'.")
        #expect(try await report(host, "Total").text.contains("90 seconds"))
    }
}
