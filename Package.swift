// swift-tools-version: 6.2
import CompilerPluginSupport
import PackageDescription

// Warnings are errors, imports say how far they reach, and an async function runs where its caller runs.
let settings: [SwiftSetting] = [
    .enableUpcomingFeature("ExistentialAny"), .enableUpcomingFeature("InternalImportsByDefault"),
    .enableUpcomingFeature("NonisolatedNonsendingByDefault"), .treatAllWarnings(as: .error),
]
/// In a release the modules that handle every message omit two checks at run time, which the tests make: for
/// overlapping accesses to a property, and for closures of an actor that run elsewhere.
let hot: [SwiftSetting] = [
    .unsafeFlags(
        ["-enforce-exclusivity=unchecked", "-disable-dynamic-actor-isolation"],
        .when(configuration: .release))
]
/// Every byte passes through these, and tests ask the rules of time millions of times.
let optimised = settings + [.unsafeFlags(["-O"], .when(configuration: .debug))]
/// What waits for people, programs and disks: in a release its code is a fifth smaller.
let small = settings + [.unsafeFlags(["-Osize"], .when(configuration: .release))]
let asForIOS: [SwiftSetting] = [.swiftLanguageMode(.v5)]
let strictC: [CSetting] = [.unsafeFlags(["-Wall", "-Wextra", "-Werror"])]
let hiddenC: [CSetting] = [.unsafeFlags(["-fvisibility=hidden"])]
let asNeeded = ["-Xlinker", "--as-needed"], noSwift = ["-nostartfiles", "-static-stdlib", "-no-stdlib-rpath"]

/// Targets that another one uses, with spaces between them. Who may use whom is in ARCHITECTURE.md.
struct Names: ExpressibleByStringLiteral {
    private let words: [String]
    var all: [Target.Dependency] { words.map { .byName(name: $0) } }
    init(_ words: [String]) { self.words = words }
    init(stringLiteral text: String) { words = text.split(separator: " ").map(String.init) }
    static func + (one: Names, other: Names) -> Names {
        Names(one.words + other.words.filter { !one.words.contains($0) })
    }
}
/// A system library of Debian: a module map and a shim under Shared/System, nothing else.
func system(_ name: String, apt: String, pkgConfig: String? = nil) -> Target {
    .systemLibrary(name: name, path: "Shared/System/\(name)", pkgConfig: pkgConfig, providers: [.apt([apt])])
}
/// - Parameter path: of its sources; one that ends with a slash is completed by the name.
func library(
    _ name: String, at path: String, _ uses: Names = "", _ settings: [SwiftSetting] = settings,
    without rooms: [String] = []
) -> Target {
    let path = path.hasSuffix("/") ? path + name : path
    return .target(name: name, dependencies: uses.all, path: path, exclude: rooms, swiftSettings: settings)
}
func program(_ name: String, at path: String, _ uses: Names = "", _ rules: [SwiftSetting]? = nil) -> Target {
    .executableTarget(name: name, dependencies: uses.all, path: path, swiftSettings: rules ?? settings)
}
func macro(_ name: String, at path: String, _ uses: Names = "CompilerPlugin") -> Target {
    .macro(name: name, dependencies: uses.all, path: path + name, swiftSettings: settings)
}
func libraryOfC(_ name: String, at path: String, _ settings: [CSetting] = strictC) -> Target {
    .target(name: name, path: path.hasSuffix("/") ? path + name.dropFirst() : path, cSettings: settings)
}
/// Preloaded into programs: without Swift's start files, since some know no Swift.
func preloaded(
    _ name: String, at path: String, uses: [Target.Dependency] = [], _ libraries: [LinkerSetting] = []
) -> Target {
    .target(
        name: name, dependencies: uses, path: path, publicHeadersPath: ".", cSettings: hiddenC + strictC,
        linkerSettings: libraries + [.unsafeFlags(noSwift)])
}
/// The rules of one executable, under Services/FOLDER/Core, and its wiring, in Main; the product carries the
/// folder's name.
func service(
    _ folder: String, _ core: String, main: Names = wiring, _ uses: Names, _ rules: [SwiftSetting] = small,
    resources: [Resource]? = nil
) -> [Target] {
    let name = String(folder.split(separator: "/").last ?? "")
    let wiring = program(name, at: "Services/\(folder)/Main", Names(stringLiteral: core) + main)
    wiring.resources = resources
    return [library(core, at: "Services/\(folder)/Core", uses, rules), wiring]
}
/// A built-in app: the calls it makes (Core), its command (Main), and a folder for each extension program.
func app(_ id: String, _ core: String, _ uses: Names, main: Names = "", _ all: [String: Names]) -> [Target] {
    service("apps/\(id)", core, main: "AppSupport CommandKit" + main, uses, resources: [.copy("app.json")])
        + all.sorted { $0.key < $1.key }.map { part, uses in
            program("\(id)-\(part)", at: "Services/apps/\(id)/\(part)", Names(stringLiteral: core) + uses)
        }
}

let wiring: Names = "Contract ServiceKit", time: Names = "Units Rules Schedules"
/// What every owner of state stands on.
let base: Names = "Units JSON Contract Loop Bus Store ServiceKit"
let cores: Names = "AuthCore ActivityCore ShieldCore MonitorCore ReportCore NotifierCore"
/// What speaks to a host over the wire of extension programs.
let link: Names = "Units JSON Contract ExtensionLink", loop: Names = "Units JSON Contract Time Loop"
let look: Names = "ManagedSettings ManagedSettingsUI UIKit", world: Names = "ScreenTimeTesting TestSupport"
let monitor: Names = "AppSupport DeviceActivity ManagedSettings UserNotifications os"
let report: Names = "DeviceActivity ManagedSettings SwiftUI Charts"
let own: Names = "Contract ExtensionLink FamilyControls ManagedSettings"
let appCore: Names = "AppSupport CommandKit ExtensionLink DeviceActivity FamilyControls"
let controls: Names = "FamilyControls ManagedSettings ManagedSettingsUI DeviceActivity"
/// What a process without a state of its own stands on.
let agent: Names = "Units JSON Contract FileAccess Loop Bus ServiceKit CPosix Time"
let systemLibraries = [
    system("CZeroMQ", apt: "libzmq3-dev"), system("CSQLite", apt: "libsqlite3-dev"),
    system("CXcb", apt: "libxcb1-dev"), system("CSystemd", apt: "libsystemd-dev"),
    system("CPosix", apt: "libc6-dev"), system("CPsl", apt: "libpsl-dev"), system("CZlib", apt: "zlib1g-dev"),
    system("CIdn2", apt: "libidn2-dev"), system("CSodium", apt: "libsodium-dev"),
    system("CGio", apt: "libglib2.0-dev", pkgConfig: "gobject-2.0"),
    system("CMicrohttpd", apt: "libmicrohttpd-dev"),
    system("CGtk4", apt: "libgtk-4-dev", pkgConfig: "gtk4-x11"),
]
let roomsOfContract = ["Units", "JSON", "Macros", "Document"]
let roomsOfRules = ["Schedules", "Monitoring", "Replay", "Domains"]
let shared: [Target] = [
    library("CompilerPlugin", at: "Shared/Contract/Macros/"),
    library("RecordExpansion", at: "Shared/Contract/Macros/", "CompilerPlugin"),
    macro("RecordMacros", at: "Shared/Contract/Macros/", "CompilerPlugin RecordExpansion"),
    library("Units", at: "Shared/Contract/", "", optimised),
    library("JSON", at: "Shared/Contract/", "Units RecordMacros", optimised),
    library("Contract", at: "Shared/", "Units JSON RecordMacros CIdn2", optimised, without: roomsOfContract),
    library("ContractDocument", at: "Shared/Contract/Document/Core", "Units JSON Contract"),
    program("contract-document", at: "Shared/Contract/Document/Main", "ContractDocument"),
    library("CommandKit", at: "Shared/CommandLine", "Units Contract"),
    library("Rules", at: "Shared/", "Units JSON Contract", optimised, without: roomsOfRules),
    library("Schedules", at: "Shared/Rules/", "Units Contract Rules", optimised),
    library("Monitoring", at: "Shared/Rules/", "Units JSON Contract Rules Schedules", optimised),
    library("Replay", at: "Shared/Rules/", "Units Contract Rules Schedules Monitoring", optimised),
    library("Domains", at: "Shared/Rules/", "CPsl"),
    libraryOfC("CClock", at: "Shared/Clock/Page", hiddenC),
    preloaded("ClockLibrary", at: "Shared/Clock/Preload", uses: ["CClock"], [.linkedLibrary("dl")]),
    library("Time", at: "Shared/Clock/", "CClock Units"),
    library("ClockDriver", at: "Shared/Clock/Driver", "Units Contract FileAccess Loop Time Bus ServiceKit"),
    libraryOfC("CAccept", at: "Shared/Service/"), libraryOfC("CStandardFiles", at: "Shared/Service/"),
    library("FileAccess", at: "Shared/Service/", "CPosix", optimised),
    library("ProcessEvents", at: "Shared/Service/", "CPosix Time"),
    library("Loop", at: "Shared/Service/", "CPosix Units Time", settings + hot),
    library("DBus", at: "Shared/Service/", "CSystemd Units Time Loop"),
    library("Store", at: "Shared/Service/", "CSQLite CSodium Units FileAccess"),
    library(
        "Bus", at: "Shared/Service/", loop + "FileAccess CZeroMQ CPosix CAccept CStandardFiles",
        settings + hot),
    library("ServiceKit", at: "Shared/Service/", loop + "FileAccess CPosix CClock Bus Store"),
    library("ZoneWatch", at: "Shared/Service/", "CPosix Units Contract Loop ServiceKit Schedules"),
    library("ExtensionLink", at: "Shared/Extensions/Link", "CPosix Units JSON Contract Time"),
    library(
        "Hosting", at: "Shared/Extensions/", base + "CPosix CSodium Time ExtensionLink FileAccess", small),
    library("ProgramLog", at: "Shared/Extensions/", "Units JSON Contract Time"),
    libraryOfC("CProgramEnd", at: "Shared/Extensions/", []),
    preloaded("ProgramLibrary", at: "Shared/Extensions/ProgramLibrary"),
    // Confines itself, then becomes an extension's program. In C, without anything of Swift's runtime.
    .executableTarget(
        name: "extension-launcher", path: "Shared/Extensions/Launcher", publicHeadersPath: ".",
        cSettings: [.define("_GNU_SOURCE")] + hiddenC + strictC,
        linkerSettings: [.linkedLibrary("seccomp"), .unsafeFlags(noSwift + asNeeded)]),
    .systemLibrary(name: "OSModule", path: "Shared/Apple/Facades/OSModule"),
    library(
        "os", at: "Shared/Apple/Facades/", "OSModule ProgramLog",
        settings + [.unsafeFlags(["-import-underlying-module"])]),
    .target(name: "CPNG", path: "Shared/Apple/Facades/PNG", publicHeadersPath: ".", cSettings: strictC),
    macro("PreviewMacros", at: "Shared/Apple/Facades/"),
]
let facades = [
    ("OSLog", "os"), ("ExtensionKit", ""), ("WidgetKit", "FoundationExtras os"), ("_Testing_UIKit", ""),
    ("FoundationExtras", link + "CPosix FileAccess ProgramLog CProgramEnd"), ("Combine", "FoundationExtras"),
    ("UIKit", "FoundationExtras _Testing_UIKit CPNG"), ("Charts", "FoundationExtras UIKit SwiftUI"),
    ("SwiftUI", "FoundationExtras Combine UIKit os PreviewMacros"),
    ("UserNotifications", "Units Contract Schedules ExtensionLink FoundationExtras"),
].map { name, uses in library(name, at: "Shared/Apple/Facades/", uses) }
let frameworks = [
    ("ManagedSettings", link + "FoundationExtras Combine os"),
    ("ManagedSettingsUI", "Contract ExtensionLink FoundationExtras ManagedSettings UIKit"),
    ("FamilyControls", link + "Rules FoundationExtras Combine os UIKit SwiftUI ManagedSettings"),
    ("DeviceActivity", link + "Rules Schedules FoundationExtras SwiftUI ManagedSettings"),
].map { name, uses in library(name, at: "Shared/Apple/Frameworks/", uses) }
let appleModules = ["os"] + (facades + frameworks).map(\.name).filter { $0 != "_Testing_UIKit" }
let sdk: [Target] = [
    library("ExtensionBundling", at: "Shared/SDK/Bundling"),
    library("ExtensionTool", at: "Shared/SDK/Tool", "Contract JSON CommandKit ExtensionBundling"),
    .plugin(
        name: "ScreenTimeExtensionPlugin", capability: .buildTool(), dependencies: ["extension-entry-point"],
        path: "Shared/SDK/Plugins/Plugin"),
    program("extension-entry-point", at: "Shared/SDK/Plugins/EntryPoint"),
    library("ScreenTimeTesting", at: "Shared/SDK/Testing", agent + "ClockDriver ExtensionBundling"),
]
let services: [[Target]] = [
    service("auth-service", "AuthCore", main: "ServiceKit", base + "CSodium Time Rules Schedules"),
    service("activity-center", "ActivityCore", base + time + "Time Monitoring Domains ZoneWatch", settings),
    service("monitor-runner", "MonitorCore", base + "ExtensionLink Hosting"),
    service("shield-service", "ShieldCore", base + "Rules ExtensionLink Hosting"),
    service("report-service", "ReportCore", base + time + "Domains ExtensionLink Hosting", settings),
    service("notifier", "NotifierCore", base + "CSodium CZlib DBus FileAccess Schedules ZoneWatch"),
    service("agents/desktop-agent", "DesktopCore", agent + "CXcb CGio DBus ProcessEvents Rules"),
    [program("desktop-guard", at: "Services/agents/desktop-agent/Guard", "DesktopCore")],
    [program("desktop-canary", at: "Services/agents/desktop-agent/Canary", "CXcb")],
    service("hands/shield-cover", "CoverCore", loop + "FileAccess Bus ServiceKit CXcb CGtk4 CPosix"),
    service("hands/console", "ConsoleCore", agent + "CMicrohttpd CSodium CZlib"),
    service("agents/app-link", "AppLinkCore", main: "", agent + "ExtensionLink Hosting"),
    service(
        "agents/screentime", "CommandCore", main: "", agent + time
            + "CommandKit CSQLite Store ClockDriver ProcessEvents Hosting ExtensionTool Replay Monitoring"),
    [library("AppSupport", at: "Services/apps/Support", own + "CommandKit CStandardFiles FoundationExtras")],
    app(
        "downtime", "DowntimeCore", appCore + "ManagedSettings",
        ["monitor": monitor, "report": report, "shield-action": own, "shield-configuration": look]),
    app("encouragement", "EncouragementCore", appCore, ["monitor": monitor]),
    app("worklog", "WorklogCore", appCore + "ManagedSettings", ["monitor": monitor, "report": report]),
    app("streaks", "StreaksCore", appCore, ["monitor": monitor]),
    app("charts", "ChartsCore", appCore, main: "DeviceActivity", ["report": report]),
    app("limits", "LimitsCore", link + "Rules Time", main: "Contract", ["monitor": link + "Time"]),
]
let doubles = [
    ("monitor-fixture", link + "NameHunter"), ("unruly-fixture", link + "CPosix"), ("screen-fixture", link),
    ("app-fixture", link + "NameHunter FamilyControls ManagedSettings SwiftUI"), ("clock-fixture", "CPosix"),
    ("activity-double", base), ("player-double", "CPosix CSystemd"),
].map { name, uses in program(name, at: "Tests/Fixtures/\(name)", uses) } + [
    ("framework-monitor", "DeviceActivity ManagedSettings"), ("framework-action", "ManagedSettings"),
    ("framework-report", "DeviceActivity SwiftUI"), ("facade-double", "FoundationExtras Combine os"),
    ("notification-app", "UserNotifications"), ("shield-look", look),
].map { name, uses in program(name, at: "Tests/Fixtures/\(name)", uses, asForIOS) }
let benchmarks: [Target] = [
    .executableTarget(
        name: "bench-raw", path: "Tests/Benchmarks/raw", linkerSettings: [.linkedLibrary("zmq")]),
    program("bench-bare", at: "Tests/Benchmarks/bare"),
    program("bench-rules", at: "Tests/Benchmarks/rules", "Units Contract Rules Schedules Monitoring"),
    program("bench-bus", at: "Tests/Benchmarks/bus", "Units JSON Contract Time Loop Bus"),
]
let simulated = base + cores + link + "SimulatedDisk Hosting Rules Schedules Replay CSodium"
let testLibraries = [
    library("TestSupport", at: "Tests/Support", "CClock Units Time Loop ServiceKit ScreenTimeTesting"),
    library("NameHunter", at: "Tests/Fixtures/name-hunter", link),
    library("DiskRecorder", at: "Tests/Fixtures/disk-recorder"),
    library("SimulatedDisk", at: "Tests/Simulation/Disk", "CPosix CSQLite Units Store"),
    library("Simulation", at: "Tests/Simulation/Core", simulated),
    program("simulate", at: "Tests/Simulation/Main", "Simulation Contract Loop Units"),
    library("FacadeProgram", at: "Tests/Fixtures/facade-program", "Combine", asForIOS),
    library("SwiftUISurface", at: "Tests/Fixtures/swiftui-surface", "Combine SwiftUI", asForIOS),
]
let suites: KeyValuePairs<String, Names> = [
    "JSONTests": "Units JSON CompilerPlugin RecordExpansion", "MonitorTests": link + "MonitorCore",
    "ContractTests": "Units JSON Contract ContractDocument", "LimitsTests": time + "Contract LimitsCore",
    "RulesTests": time + "JSON Contract Domains Replay", "MonitoringTests": time + "Contract Monitoring",
    "StoreTests": "Units Store CSQLite DiskRecorder", "CommandKitTests": world + loop + "CommandKit",
    "SimulationTests": "CSQLite Units Store SimulatedDisk",
    "BusTests": "FileAccess Units JSON Contract Time Loop Bus ScreenTimeTesting",
    "FollowerTests": base + cores + world + link
        + "CSQLite Time Schedules Rules Hosting ClockDriver DesktopCore AppLinkCore ZoneWatch",
    "DesktopTests": world
        + "Units CPosix CXcb Contract Loop DBus Rules Bus ServiceKit ProcessEvents Time DesktopCore",
    "CoverTests": world + "JSON Units Contract Time Loop Bus ServiceKit CGtk4 CXcb CoverCore",
    "ConsoleTests": world + "JSON Units Contract Loop Bus ServiceKit ConsoleCore",
    "NotifierTests": world + "Units CSystemd CZlib Contract Schedules Loop DBus FileAccess NotifierCore",
    "AuthTests": "Contract AuthCore",
    "CommandTests": "CSQLite Units Contract Rules Loop CommandKit CommandCore",
    "ReportTests": time + "JSON Contract ServiceKit Store ReportCore",
    "FacadeTests": link + "FoundationExtras Combine os UserNotifications FacadeProgram facade-double",
    "SwiftUITests": "Combine CZlib UIKit SwiftUI Charts SwiftUISurface ReportCore",
    "FrameworkTests": link + controls + "Rules Combine ScreenTimeTesting",
    "ServiceKitTests": "Units Contract ServiceKit",
    "CompatibilityTests": controls + world + "Loop UIKit SwiftUI Charts UserNotifications ExtensionTool",
    "HostingTests": agent + link + world + "Hosting FoundationExtras ShieldCore AppLinkCore",
    "FuzzTests": cores + link + "Time Loop Bus ServiceKit Hosting AppLinkCore ScreenTimeTesting",
    "IntegrationTests": agent + link + time + world + "ProcessEvents CSystemd CSQLite CommandKit CommandCore",
]
let notSources = [
    "ContractTests": ["validate.py", "golden-messages.txt"], "CompatibilityTests": ["Support"],
    "RulesTests": ["offsets.py"],
    "IntegrationTests": ["Transcripts", "Backups", "console_openapi.py"],
]
let testing = suites.map { name, uses in
    Target.testTarget(
        name: name, dependencies: uses.all, path: "Tests/\(name)", exclude: notSources[name] ?? [],
        swiftSettings: settings)
}
let package = Package(
    name: "screentime",
    products: [
        .library(name: "screentime-clock", type: .dynamic, targets: ["ClockLibrary"]),
        .library(name: "screentime-program", type: .dynamic, targets: ["ProgramLibrary"]),
        // One archive, also for swiftc without a package.
        .library(name: "ScreenTime", type: .static, targets: appleModules),
        .library(name: "ScreenTimeTesting", targets: ["ScreenTimeTesting"]),
        .plugin(name: "ScreenTimeExtensionPlugin", targets: ["ScreenTimeExtensionPlugin"]),
    ],
    targets: systemLibraries + shared + facades + frameworks + sdk + services.flatMap(\.self)
        + doubles + benchmarks + testLibraries + testing
)
