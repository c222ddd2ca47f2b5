/// Every change made to code of the documents before it is compiled. What is not here is compiled as it is.
enum SeedRepairs {
    private static let brace = "the page lost the closing brace of the method before"
    private static let ends = "the page lost the closing braces of the last method and the class"

    static let all: [SeedRepair] = barebones + encouragement + worklog + worklogScreens + charts + streaks

    private static let barebones = [
        SeedRepair(
            seed: "000", block: "view", before: "...\n\n        /// Report View",
            after: "EmptyView()\n        /// Report View", why: "the page leaves the view out: ..."),
        SeedRepair(
            seed: "000", block: "view", before: "\n        ...\n", after: "\n",
            why: "the page leaves the view out: ..."),
    ]

    private static let encouragement = [
        SeedRepair(
            seed: "001", block: "manager", before: "reqScreenTimePermission() { ... }",
            after: "reqScreenTimePermission() {}", why: "the page shows the body further down: ..."),
        SeedRepair(
            seed: "001", block: "manager", before: "startDeviceActivityMonitoring( ... ) { ... }",
            after: "startDeviceActivityMonitoring() {}", why: "the page shows it whole further down: ..."),
        SeedRepair(
            seed: "001", block: "manager", before: "stopDeviceActivityMonitoring() { ... }",
            after: "stopDeviceActivityMonitoring() {}}",
            why: "the page leaves the body out: ... and lost the brace of the class"),
        SeedRepair(
            seed: "001", block: "monitor", before: "// 활동 인터벌이 종료될 때 호출", after: "}", why: brace),
        SeedRepair(
            seed: "001", block: "monitor", before: "// 이벤트가 임계값에 도달했을 때 호출", after: "}", why: brace),
        SeedRepair(
            seed: "001", block: "monitor", before: "// 인터벌이 시작되기 전에 경고가 발생할 때 호출됩니다.", after: "}",
            why: brace),
        SeedRepair(
            seed: "001", block: "monitor", before: "// 인터벌이 종료되기 전에 경고가 발생할 때 호출됩니다.", after: "}",
            why: brace),
        SeedRepair(
            seed: "001", block: "monitor", before: "// 이벤트가 임계값에 도달하기 전에 경고가 발생할 때 호출됩니다.",
            after: "}", why: brace),
        SeedRepair(
            seed: "001", block: "monitor",
            before: "// Handle the warning before the event reaches its threshold.",
            after: "}}", why: ends),
        SeedRepair(
            seed: "001", block: "start", before: "repeats: true\n", after: "repeats: true)\n",
            why: "the page lost a closing parenthesis"),
        SeedRepair(
            seed: "001", block: "start", before: "threshold: threshold\n", after: "threshold: threshold)]\n",
            why: "the page lost a closing parenthesis and a bracket"),
        SeedRepair(
            seed: "001", block: "start", before: "} catch {", after: "} catch {}}",
            why: "the page lost what follows the catch"),
    ]

    private static let gap = "the slide's typesetting was read as a space after the dot"

    private static let worklog = [
        SeedRepair(
            seed: "002", block: "app", before: "VStack {..}", after: "VStack {}",
            why: "the slide leaves it out: .."),
        SeedRepair(
            seed: "002", block: "stores", before: "ManagedSettingsStore. Name",
            after: "ManagedSettingsStore.Name",
            why: gap),
        SeedRepair(
            seed: "002", block: "monitor", before: "database. socialCategoryToken",
            after: "database.socialCategoryToken", why: gap),
        SeedRepair(
            seed: "002", block: "stores", before: "Managed$ettingsStore", after: "ManagedSettingsStore",
            why: "S was read as $ from the picture of the slide"),
        SeedRepair(
            seed: "002", block: "stores", before: "gamingCategory = ActivityCategoryToken ( ...)",
            after: "gamingCategory = categoryToken(\"gaming\")", why: "the slide leaves it out: ( ...)"),
        SeedRepair(
            seed: "002", block: "stores", before: "socialCategory = ActivityCategoryToken ( ...)",
            after: "socialCategory = categoryToken(\"social\")", why: "the slide leaves it out: ( ...)"),
        SeedRepair(
            seed: "002", block: "pie scene",
            before: "func makeConfiguration (representing data: [DeviceActivityData])",
            after:
                "func makeConfiguration(representing data: DeviceActivityResults<DeviceActivityData>) async",
            why: "the slide shows it as it was before it was published"),
        SeedRepair(
            seed: "002", block: "pie scene", before: "PieChartView. Configuration",
            after: "PieChartView.Configuration", why: gap),
        SeedRepair(
            seed: "002", block: "pie scene", before: "totalUsageByCategory = data.map (...)",
            after: "totalUsageByCategory = await usage(of: data)", why: "the slide leaves it out: (...)"),
    ]

    private static let worklogScreens = [
        SeedRepair(
            seed: "002", block: "gaming store", before: "ManagedSettingsStore. Name",
            after: "ManagedSettingsStore.Name", why: gap),
        SeedRepair(
            seed: "002", block: "gaming store", before: "ActivityCategoryToken (...)",
            after: "categoryToken(\"gaming\")", why: "the slide leaves it out: (...)"),
        SeedRepair(
            seed: "002", block: "gaming store", before: "•gaming", after: ".gaming",
            why: "the dot was read as a bullet"),
        SeedRepair(
            seed: "002", block: "evening button", before: "VStack {", after: "WindowGroup { VStack {",
            why: "a scene is no view: the slide leaves its window out"),
        SeedRepair(
            seed: "002", block: "evening button", before: "})", after: "})}}}}",
            why: "the braces of what was opened before, and of the window"),
        SeedRepair(
            seed: "002", block: "top view", before: "private let thisWeek = DateInterval(...)",
            after: "private static let thisWeek = DateInterval()", why: "the slide leaves it out: (...)"),
        SeedRepair(
            seed: "002", block: "top view", before: "segment: daily (during: thisWeek)",
            after: "segment: .daily(during: Self.thisWeek)", why: "a dot was not read; thisWeek is static"),
        SeedRepair(
            seed: "002", block: "top view", before: "alignment: leading", after: "alignment: .leading",
            why: "a dot was not read"),
        SeedRepair(
            seed: "002", block: "top view", before: "DeviceActivityReport (context: context",
            after: "DeviceActivityReport(context",
            why: "the slide shows it as it was before it was published"),
    ]

    private static let charts = [
        SeedRepair(
            seed: "004", block: "screen", before: "truct ChartView", after: "struct ChartView",
            why: "the page lost a letter"),
        SeedRepair(
            seed: "004", block: "screen", before: "...\nVStack {...}\n   }\n",
            after: "var body: some View {\nVStack {}\n", why: "the page leaves the body's begin out: ..."),
        SeedRepair(
            seed: "004", block: "screen", before: "print(\"error: \\(error)\")\n            }\n        }",
            after: "print(\"error: \\(error)\")\n            }\n        }\n}}",
            why: "the page leaves the end of body and view out"),
        SeedRepair(
            seed: "004", block: "pie view", before: "let appReports: [AppReport]\n    ...",
            after: "let appReports: [AppReport]\n    let selectedItem: AppReport? = nil",
            why: "the page leaves out the other properties: ..."),
        SeedRepair(
            seed: "004", block: "pie view", before: "element.appName))\n        }\n...",
            after: "element.appName))\n        }\n}\n}", why: "the page leaves out the end: ..."),
    ]

    private static let streaks = [
        SeedRepair(
            seed: "003", block: "saved choice", before: "// ...\nprivate var cancellables",
            after: "let model = ScreenTimeSelectAppsModel()\nprivate var cancellables",
            why: "the page shows the property in the block before: // ..."),
        SeedRepair(
            seed: "003", block: "saved choice", before: "savedSelection ?? Family",
            after: "savedSelection() ?? Family", why: "a method is called with parentheses"),
        SeedRepair(
            seed: "003", block: "saved choice", before: "defaults.decode(", after: "decoder.decode(",
            why: "the page takes the defaults for the decoder"),
        SeedRepair(
            seed: "003", block: "saved choice", before: "FamilyActivitySelection.self,\ndata",
            after: "FamilyActivitySelection.self,\nfrom: data", why: "the page lost the label"),
    ]
}
