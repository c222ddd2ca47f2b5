import Foundation
import ScreenTimeTesting
import Testing

/// Every code block in the documents compiles, unchanged or with the repairs in one table.
@Suite(.enabled(if: SeedDocument.areThere, SeedDocument.absence))
struct SeedBlocksTests {
    struct Case: Sendable, CustomTestStringConvertible {
        var seed: String
        var block: SeedBlock
        /// Modules that the page leaves out with the rest of the file's head.
        var imports: [String] = []
        /// Around statements that the page shows without their function.
        var (before, after) = ("", "")
        /// Other blocks of the same file.
        var beside: [SeedBlock] = []
        var support: String?

        var testDescription: String { "\(seed) \(block.name)" }

        init(
            _ seed: String, _ name: String, _ first: String, _ last: String?, _ occurrence: Int = 1,
            imports: [String] = [], support: String? = nil, before: String = "", after: String = "",
            beside: [SeedBlock] = []
        ) {
            self.seed = seed
            block = SeedBlock(name: name, first: first, last: last, occurrence: occurrence)
            (self.imports, self.support, self.beside) = (imports, support, beside)
            (self.before, self.after) = (before, after)
        }
    }

    private static let function = "func shown() async throws {\n"
    private static let saved = "func savedSelection() -> FamilyActivitySelection { .init() }\n"
    private static let screens = ["SwiftUI", "FamilyControls"]
    private static let three = ["DeviceActivity", "FamilyControls", "ManagedSettings"]
    private static let context = SeedBlock(
        name: "context", first: "extension DeviceActivityReport.Context", last: "}")

    static let cases: [Case] = barebones + encouragement + worklog + streaks + charts

    private static let barebones: [Case] = [
        Case("000", "authorization", "// ./ScreenTime_Barebones/Utils/FamilyControlsManager", "```"),
        Case(
            "000", "schedule", "// ./ScreenTime_Barebones/Utils/DeviceActivityManager", "```",
            imports: three),
        Case(
            "000", "monitor", "// ./DeviceActivityMonitor/", "```", imports: three, support: "barebones",
            beside: [SeedBlock(name: "names", first: "// MARK: - Schedule Name List", last: "```")]),
        Case(
            "000", "configuration", "// ./ShieldConfiguration/", "```",
            imports: ["ManagedSettings", "ManagedSettingsUI", "UIKit"], support: "barebones"),
        Case(
            "000", "report", "// ./ScreenTimeReport/ScreenTimeReport", "```", support: "barebones",
            beside: [
                SeedBlock(name: "scene", first: "// ./ScreenTimeReport/TotalActivityReport", last: "```")
            ]),
        Case("000", "scene", "// ./ScreenTimeReport/TotalActivityReport", "```", 2, support: "barebones"),
        Case(
            "000", "view", "// ./ScreenTimeReport/TotalActivityView", "```",
            before: "struct ActivityReport {}\n"),
    ]

    private static let encouragement: [Case] = [
        Case(
            "001", "manager", "class DeviceActivityManager {", "func stopDeviceActivityMonitoring",
            imports: ["DeviceActivity"]),
        Case(
            "001", "start", "func startDeviceActivityMonitoring(appTokens", "} catch {", imports: three,
            support: "encouragement", before: "let deviceActivityCenter = DeviceActivityCenter()\n"),
        Case(
            "001", "monitor", "class DeviceActivityMonitorExtension", nil, imports: ["DeviceActivity"],
            support: "encouragement"),
    ]

    private static let worklog: [Case] = [
        Case("002", "app", "import SwiftUI", "}"),
        Case(
            "002", "authorization", "do {", "}", 2, imports: ["FamilyControls"],
            before: "let center = AuthorizationCenter.shared\n" + function, after: "\n}"),
        Case(
            "002", "stores", "extension ManagedSettingsStore. Name {", "socialStore.shield.webDomain", 2,
            imports: ["ManagedSettings"], support: "worklog", after: "\n}"),
        Case(
            "002", "gaming store", "extension ManagedSettingsStore. Name {", "}",
            imports: ["ManagedSettings"], support: "worklog"),
        Case("002", "evenings", "extension DeviceActivityName {", "}", imports: ["DeviceActivity"]),
        Case(
            "002", "evening button", "struct Worklog: App {", "})", 2,
            imports: ["SwiftUI", "DeviceActivity"],
            beside: [SeedBlock(name: "evenings", first: "extension DeviceActivityName {", last: "}")]),
        Case(
            "002", "top view", "struct Worklog: App {", ".frame (height", 3,
            imports: ["SwiftUI", "DeviceActivity"], support: "worklog", after: "\n}\n}\n}\n}\n}"),
        Case(
            "002", "monitor", "class WorklogMonitor", "}", imports: ["DeviceActivity", "ManagedSettings"],
            support: "worklog",
            before: "extension ManagedSettingsStore.Name { static let social = Self(\"social\") }\n"),
        Case(
            "002", "pie scene", "struct PieChartReport", "}",
            imports: ["SwiftUI", "DeviceActivity", "ManagedSettings"],
            support: "worklog", beside: [SeedBlock(name: "pie view", first: "struct PieChartView", last: "}")]
        ),
        Case(
            "002", "report", "struct WorklogReportExtension", "}",
            imports: ["SwiftUI", "DeviceActivity", "ManagedSettings"], support: "worklog", before: "@main\n",
            beside: [
                SeedBlock(name: "pie view", first: "struct PieChartView", last: "}"),
                SeedBlock(name: "pie scene", first: "struct PieChartReport", last: "}"),
            ]),
    ]

    private static let streaks: [Case] = [
        Case(
            "003", "authorization", "let ac = ", "}", imports: ["FamilyControls"], before: function,
            after: "\n}"),
        Case("003", "model", "class ScreenTimeSelectAppsModel", "}", imports: ["FamilyControls"]),
        Case(
            "003", "picker", "struct ScreenTimeSelectAppsContentView", "}",
            imports: ["SwiftUI", "FamilyControls"],
            beside: [SeedBlock(name: "model", first: "class ScreenTimeSelectAppsModel", last: "}")]),
        Case(
            "003", "controller", "class SomeViewController", "}", imports: ["UIKit"] + screens,
            beside: [
                SeedBlock(name: "model", first: "class ScreenTimeSelectAppsModel", last: "}"),
                SeedBlock(name: "picker", first: "struct ScreenTimeSelectAppsContentView", last: "}"),
            ]),
        Case(
            "003", "saved choice", "class SomeViewController", "}", 2,
            imports: ["UIKit", "Combine"] + screens,
            beside: [SeedBlock(name: "model", first: "class ScreenTimeSelectAppsModel", last: "}")]),
        Case(
            "003", "event", "let selection: FamilyActivitySelection = savedSelection()", ")",
            imports: three, before: saved),
        Case(
            "003", "start", "let center = DeviceActivityCenter()", ")", imports: three, before: function,
            after: "\n}\n" + saved,
            beside: [
                SeedBlock(name: "schedule", first: "let schedule = DeviceActivitySchedule", last: ")"),
                SeedBlock(
                    name: "event", first: "let selection: FamilyActivitySelection = savedSelection()",
                    last: ")"),
            ]),
        Case(
            "003", "schedule", "let schedule = DeviceActivitySchedule", ")", imports: ["DeviceActivity"]),
        Case(
            "003", "warned schedule", "let schedule = DeviceActivitySchedule", ")", 2,
            imports: ["DeviceActivity"]),
        Case("003", "monitor", "class MyMonitorExtension", "}", imports: ["DeviceActivity"]),
        Case(
            "003", "day", "let schedule = DeviceActivityCenter()", "let nextInterval",
            imports: ["DeviceActivity"],
            before: "func shown(activity: DeviceActivityName) {\n", after: "\n_ = nextInterval\n}"),
        Case("003", "warning", "class MyMonitorExtension", "}", 2, imports: ["DeviceActivity"]),
    ]

    private static let charts: [Case] = [
        Case(
            "004", "report", "@main", "```", imports: ["DeviceActivity", "SwiftUI", "Charts"],
            support: "charts",
            beside: [
                context, SeedBlock(name: "pie scene", first: "struct PieChartReport", last: "```"),
                SeedBlock(name: "pie view", first: "struct PieChartView", last: "```"),
            ]),
        Case("004", "screen", "truct ChartView", "```", imports: screens),
        Case(
            "004", "filter", "@State private var filter", ")", imports: ["DeviceActivity", "SwiftUI"],
            support: "charts", before: "struct Shown {\n", after: "\n}", beside: [context]),
    ]

    @Test(arguments: cases) func compiles(_ shown: Case) async throws {
        let document = try SeedDocument(shown.seed)
        let blocks = try ([shown.block] + shown.beside).map { try document.repaired($0, seed: shown.seed) }
        let text =
            shown.imports.map { "import \($0)\n" }.joined() + shown.before + blocks[0] + shown.after + "\n"
            + blocks.dropFirst().joined(separator: "\n")
        let folder = FileManager.default.temporaryDirectory.appending(path: "seed-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        defer {
            do { try FileManager.default.removeItem(at: folder) } catch {
                Issue.record("left \(folder): \(error)")
            }
        }
        var files = [folder.appending(path: "Shown.swift")]
        try text.write(to: files[0], atomically: true, encoding: .utf8)
        if let support = shown.support {
            files.append(folder.appending(path: "Support.swift"))
            try SeedProgram.supportText(support).write(to: files[1], atomically: true, encoding: .utf8)
        }
        let flags = try await SeedProgram.run(World.products + "/screentime", ["extension", "flags"])
        try await SeedProgram.run(
            "/usr/bin/env",
            ["swiftc", "-typecheck", "-parse-as-library", "-suppress-warnings"]
                + flags.split(separator: "\n").map(String.init) + files.map(\.path))
    }
}
