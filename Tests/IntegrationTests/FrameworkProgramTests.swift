import Contract
import ExtensionLink
import JSON
import Testing

/// Shield-action and report programs written as for iOS, alone with their host.
@Suite struct FrameworkProgramTests {
    private func press(
        _ host: ProgramHost, _ action: String, _ kind: ShieldAct.Kind = .application
    ) throws -> String {
        try host.ask(ShieldAct.self, ShieldAct.Params(kind: kind, token: "token:AAAA", action: action))
            .response
    }

    @Test func theButtonsOfAShieldAreAnswered() throws {
        let host = try ProgramHost("framework-action")
        #expect(try press(host, "primaryButtonPressed") == "close")
        #expect(try press(host, "secondaryButtonPressed") == "defer", "the first answer counts")
        #expect(try press(host, "secondSecondarySubmenuItemPressed") == "openParentalControlsApp")
        #expect(try press(host, "primaryButtonPressed", .webDomain) == "openParentalControlsApp")
        #expect(try press(host, "primaryButtonPressed", .category) == "none", "the base class")
        let silent = #expect(throws: ServiceError.self) {
            try press(host, "firstSecondarySubmenuItemPressed")
        }
        #expect(silent?.message.contains("without an answer") == true)
        let unknown = #expect(throws: ServiceError.self) { try press(host, "thumbPressed") }
        #expect(unknown?.name == .invalidParams)
        #expect(try press(host, "primaryButtonPressed") == "close", "it goes on")
    }

    private static let activity = ReportActivity(
        user: ReportActivityUser(member: "kim", name: "Kim Doe", role: .child),
        device: ReportActivityDevice(name: "laptop", model: "mac"), lastUpdatedMs: 5_000,
        segmentInterval: .daily, dateInterval: Interval(startMs: 0, endMs: 86_400_000),
        activitySegments: [
            ReportActivitySegment(
                dateInterval: Interval(startMs: 0, endMs: 86_400_000), totalActivityMs: 90_000,
                longestActivity: Interval(startMs: 1_000, endMs: 61_000), firstPickupMs: 7_000,
                totalPickupsWithoutApplicationActivity: 3,
                categories: [
                    ReportCategoryActivity(
                        category: "games", name: "Games", token: "token:AQID", totalActivityMs: 90_000,
                        applications: [
                            ReportApplicationActivity(
                                app: "org.x.Chess", name: "Chess <1>", token: "token:AQIE",
                                totalActivityMs: 60_500, numberOfPickups: 2, numberOfNotifications: 4)
                        ],
                        webDomains: [ReportDomainActivity(domain: "chess.org", totalActivityMs: 29_500)])
                ])
        ])

    private func report(_ host: ProgramHost, _ context: String) throws -> ReportMake.Result {
        try host.ask(
            ReportMake.self,
            ReportMake.Params(
                context: context, filter: RawJSON(), data: [RawJSON(encoding: Self.activity)]))
    }

    @Test func aReportSeesEveryFigureAndName() throws {
        let host = try ProgramHost("framework-report")
        let total = try report(host, "Total")
        #expect(total.html.contains("90 seconds") && total.text.contains("90 seconds"))
        let apps = try report(host, "Apps")
        for line in [
            "Kim child laptop mac", "pickups without app 3", "longest 60.0", "first pickup 7.0",
            "category Games", "app Chess <1> org.x.Chess token 60.5 2 4", "site chess.org 29.5",
        ] {
            #expect(apps.text.contains(line), "\(line) in \(apps.text)")
        }
        #expect(apps.html.contains("Chess &lt;1&gt;") && !apps.html.contains("<script"))
    }

    @Test func anUnknownReportIsRefusedWithThoseThereAre() throws {
        let host = try ProgramHost("framework-report")
        let refusal = #expect(throws: ServiceError.self) { try report(host, "Weekly") }
        #expect(refusal?.name == .notFound)
        #expect(refusal?.remedy == "It has 'Total', 'Apps'.")
        #expect(try report(host, "Total").text.contains("90 seconds"))
    }
}
