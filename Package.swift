// swift-tools-version: 6.2
import CompilerPluginSupport
import PackageDescription

// Every target compiles under the same rules: warnings are errors, imports say how far they reach,
// and an async function runs where its caller runs (no silent hop to the global pool).
let settings: [SwiftSetting] = [
    .enableUpcomingFeature("ExistentialAny"),
    .enableUpcomingFeature("InternalImportsByDefault"),
    .enableUpcomingFeature("NonisolatedNonsendingByDefault"),
    .treatAllWarnings(as: .error),
]

/// Every byte of every message passes through these, and tests ask the rules of time millions of times:
/// unoptimised they make all tests many times slower.
let optimised = settings + [.unsafeFlags(["-O"], .when(configuration: .debug))]

/// A system library of Debian: a module map and a shim under Shared/, nothing else.
func system(_ name: String, apt: String) -> Target {
    .systemLibrary(
        name: name, path: "Shared/\(name)",
        pkgConfig: name == "CGio" ? "gobject-2.0" : nil, providers: [.apt([apt])])
}
/// A library shared by services, under Shared/NAME.
func shared(
    _ name: String, _ dependencies: [Target.Dependency] = [], _ settings: [SwiftSetting] = settings
) -> Target {
    .target(name: name, dependencies: dependencies, path: "Shared/\(name)", swiftSettings: settings)
}
/// The rules of one executable, under Services/FOLDER/Core.
func core(_ name: String, in folder: String, _ dependencies: [Target.Dependency]) -> Target {
    .target(name: name, dependencies: dependencies, path: "Services/\(folder)/Core", swiftSettings: settings)
}
/// The wiring of one executable, under Services/FOLDER/Main; its product carries the folder's name.
func main(_ name: String, _ dependencies: [Target.Dependency]) -> Target {
    .executableTarget(
        name: name, dependencies: dependencies, path: "Services/\(name)/Main", swiftSettings: settings)
}
/// A module with Apple's name and `public` access, for programs written for iOS.
func facade(_ name: String, _ dependencies: [Target.Dependency] = []) -> Target {
    shared(name, dependencies).at("Shared/Facades/\(name)")
}
func framework(_ name: String, _ dependencies: [Target.Dependency]) -> Target {
    shared(name, dependencies + ["ExtensionLink", "Contract", "JSON"]).at("Shared/Frameworks/\(name)")
}
/// A built-in app, under Services/apps/NAME: the calls it makes (Core), its command (Main), and its extension
/// programs, each in a folder of its own, with what it draws with.
func app(_ name: String, core: String, _ extensions: [String: [Target.Dependency]]) -> [Target] {
    let folder = "Services/apps/\(name)"
    let programs = extensions.sorted { $0.key < $1.key }.map { part, more in
        Target.executableTarget(
            name: "\(name)-\(part)", dependencies: [.byName(name: core)] + more, path: "\(folder)/\(part)",
            swiftSettings: settings)
    }
    return [
        shared(core, ["AppSupport", "DeviceActivity", "ExtensionLink", "FamilyControls", "ManagedSettings"])
            .at("\(folder)/Core"),
        .executableTarget(
            name: name, dependencies: ["AppSupport", .byName(name: core)], path: "\(folder)/Main",
            swiftSettings: settings),
    ] + programs
}
func tests(_ name: String, _ dependencies: [Target.Dependency]) -> Target {
    .testTarget(name: name, dependencies: dependencies, path: "Tests/\(name)", swiftSettings: settings)
}

let service: [Target.Dependency] = ["JSON", "Contract", "Bus", "Store", "ServiceKit"]

/// The modules with Apple's names, and what they re-export.
let appleModules = [
    "FamilyControls", "DeviceActivity", "ManagedSettings", "ManagedSettingsUI", "SwiftUI", "Charts", "UIKit",
    "Combine", "UserNotifications", "WidgetKit", "os", "OSLog", "ExtensionKit", "FoundationExtras",
]

let monitor: [Target.Dependency] = ["DeviceActivity", "ManagedSettings", "UserNotifications", "os"]
let report: [Target.Dependency] = ["DeviceActivity", "ManagedSettings", "SwiftUI", "Charts"]

let apps =
    app(
        "downtime", core: "DowntimeCore",
        [
            "monitor": monitor, "report": report, "shield-action": ["ManagedSettings"],
            "shield-configuration": ["ManagedSettingsUI", "UIKit"],
        ])
    + app("encouragement", core: "EncouragementCore", ["monitor": monitor])
    + app("worklog", core: "WorklogCore", ["monitor": monitor, "report": report])
    + app("streaks", core: "StreaksCore", ["monitor": monitor])
    + app("charts", core: "ChartsCore", ["report": report])

let package = Package(
    name: "screentime",
    products: [
        // Preloaded (LD_PRELOAD) into programs that shall live by a clock page: libscreentime-clock.so.
        .library(name: "screentime-clock", type: .dynamic, targets: ["ClockLibrary"]),
        // Preloaded into extension programs: libscreentime-program.so.
        .library(name: "screentime-program", type: .dynamic, targets: ["ProgramLibrary"]),
        // What programs written for iOS link: one archive, also for swiftc without a package.
        .library(name: "ScreenTime", type: .static, targets: appleModules),
        .library(name: "ScreenTimeTesting", targets: ["ScreenTimeTesting"]),
        .plugin(name: "ScreenTimeExtensionPlugin", targets: ["ScreenTimeExtensionPlugin"]),
    ],
    targets: [
        system("CZeroMQ", apt: "libzmq3-dev"),
        system("CSQLite", apt: "libsqlite3-dev"),
        system("CXcb", apt: "libxcb1-dev"),
        system("CSystemd", apt: "libsystemd-dev"),
        system("CGio", apt: "libglib2.0-dev"),
        system("CPosix", apt: "libc6-dev"),
        system("CPsl", apt: "libpsl-dev"),
        system("CSodium", apt: "libsodium-dev"),
        system("CZlib", apt: "zlib1g-dev"),

        .target(
            name: "CClock", path: "Shared/CClock", cSettings: [.unsafeFlags(["-fvisibility=hidden"])]),
        .target(
            name: "ClockLibrary", dependencies: ["CClock"], path: "Shared/ClockLibrary",
            publicHeadersPath: ".",
            cSettings: [.unsafeFlags(["-fvisibility=hidden", "-Wall", "-Wextra", "-Werror"])],
            // Without Swift's start files: it is loaded into programs that know no Swift.
            linkerSettings: [
                .linkedLibrary("dl"), .unsafeFlags(["-nostartfiles", "-static-stdlib", "-no-stdlib-rpath"]),
            ]),
        .target(
            name: "ProgramLibrary", path: "Shared/ProgramLibrary", publicHeadersPath: ".",
            cSettings: [.unsafeFlags(["-fvisibility=hidden", "-Wall", "-Wextra", "-Werror"])],
            linkerSettings: [.unsafeFlags(["-nostartfiles", "-static-stdlib", "-no-stdlib-rpath"])]),

        shared("JSON", [], optimised),
        shared("Contract", ["JSON"], optimised),
        shared("Engine", ["JSON", "Contract"], optimised),
        shared("CivilTime", ["Engine", "Contract"], optimised),
        shared("Domains", ["CPsl"]),
        shared("Monitoring", ["JSON", "Contract", "Engine", "CivilTime"], optimised),
        shared("Replay", ["Contract", "Engine", "CivilTime", "Monitoring"], optimised),
        shared("FileAccess", ["CPosix"], optimised),
        shared("ProcessEvents", ["CPosix"]),
        shared("Store", ["CSQLite", "CSodium"]),
        shared("DBus", ["CSystemd", "CPosix", "Bus"]),
        // Linked into every program that binds a socket: libzmq's accept4 comes here.
        .target(
            name: "CAccept", path: "Shared/CAccept",
            cSettings: [.unsafeFlags(["-Wall", "-Wextra", "-Werror"])]),
        // Linked into every program: no other file gets the number of a closed standard one.
        .target(
            name: "CStandardFiles", path: "Shared/CStandardFiles",
            cSettings: [.unsafeFlags(["-Wall", "-Wextra", "-Werror"])]),
        shared("Bus", ["CZeroMQ", "CPosix", "CClock", "CAccept", "CStandardFiles", "JSON", "Contract"]),
        shared("ServiceKit", ["CPosix", "JSON", "Contract", "Bus", "Store"]),
        shared(
            "AppSupport",
            [
                "FamilyControls", "FoundationExtras", "ManagedSettings", "ExtensionLink", "Contract",
                "CStandardFiles",
            ]),
        shared("ClockDriver", ["CPosix", "JSON", "Contract", "Bus", "ServiceKit"]),
        shared("ExtensionLink", ["CPosix", "JSON", "Contract"]),
        shared("Hosting", service + ["CPosix", "CSodium", "ExtensionLink", "FileAccess"]),

        .systemLibrary(name: "OSModule", path: "Shared/Facades/OSModule"),
        shared("ProgramLog", ["JSON", "Contract"]),
        shared("os", ["OSModule", "ProgramLog"], settings + [.unsafeFlags(["-import-underlying-module"])])
            .at("Shared/Facades/os"),
        facade("WidgetKit", ["FoundationExtras", "os"]),
        facade("OSLog", ["os"]),
        facade("ExtensionKit"),
        .macro(
            name: "PreviewMacros", path: "Shared/Facades/PreviewMacros", swiftSettings: settings),
        .target(name: "CProgramEnd", path: "Shared/CProgramEnd"),
        facade(
            "FoundationExtras",
            ["ExtensionLink", "Contract", "JSON", "CPosix", "FileAccess", "ProgramLog", "CProgramEnd"]),
        facade("Combine", ["FoundationExtras"]),
        facade("_Testing_UIKit"),
        facade("UIKit", ["FoundationExtras", "_Testing_UIKit"]),
        facade("SwiftUI", ["FoundationExtras", "Combine", "UIKit", "os", "PreviewMacros"]),
        facade("Charts", ["SwiftUI"]),
        facade("UserNotifications", ["FoundationExtras", "ExtensionLink", "Contract", "JSON", "CivilTime"]),
        framework("ManagedSettings", ["FoundationExtras", "Combine", "os"]),
        framework("ManagedSettingsUI", ["ManagedSettings", "UIKit"]),
        framework(
            "FamilyControls",
            ["ManagedSettings", "SwiftUI", "UIKit", "FoundationExtras", "Combine", "os", "Engine"]),
        framework("DeviceActivity", ["ManagedSettings", "SwiftUI", "Engine", "CivilTime"]),

        core("AuthCore", in: "auth-service", service + ["CSodium", "CivilTime"]),
        core(
            "ActivityCore", in: "activity-center",
            service + ["Engine", "CivilTime", "Domains", "Monitoring"]),
        core("AppLinkCore", in: "app-link", service + ["CPosix", "ExtensionLink", "FileAccess", "Hosting"]),
        core("MonitorCore", in: "monitor-runner", service + ["ExtensionLink", "Hosting"]),
        core("ShieldCore", in: "shield-service", service + ["Engine", "ExtensionLink", "Hosting"]),
        core(
            "ReportCore", in: "report-service",
            service + ["Engine", "CivilTime", "Domains", "ExtensionLink", "Hosting"]),
        core("NotifierCore", in: "notifier", service + ["CZlib", "DBus", "CivilTime", "FileAccess"]),
        core(
            "DesktopCore", in: "desktop-agent",
            service + ["CPosix", "CXcb", "CGio", "DBus", "Engine", "ProcessEvents"]),
        core(
            "CommandCore", in: "screentime",
            service + [
                "CPosix", "CSQLite", "Engine", "CivilTime", "ClockDriver", "Monitoring", "Replay",
                "ExtensionBundling", "Hosting", "ProcessEvents",
            ]),

        // Confines itself, then becomes an extension's program. In C, without anything of Swift's runtime.
        .executableTarget(
            name: "extension-launcher", path: "Shared/ExtensionLauncher", publicHeadersPath: ".",
            cSettings: [
                .define("_GNU_SOURCE"),
                .unsafeFlags(["-fvisibility=hidden", "-Wall", "-Wextra", "-Werror"]),
            ],
            linkerSettings: [
                .linkedLibrary("seccomp"),
                .unsafeFlags([
                    "-nostartfiles", "-static-stdlib", "-no-stdlib-rpath", "-Xlinker", "--as-needed",
                ]),
            ]),

        main("auth-service", ["AuthCore", "ServiceKit"]),
        main("activity-center", ["ActivityCore", "ServiceKit"]),
        main("app-link", ["AppLinkCore"]),
        main("monitor-runner", ["MonitorCore", "ServiceKit"]),
        main("shield-service", ["ShieldCore", "ServiceKit"]),
        main("report-service", ["ReportCore", "ServiceKit"]),
        main("notifier", ["NotifierCore", "ServiceKit"]),
        main("desktop-agent", ["DesktopCore", "ServiceKit"]),
        .executableTarget(
            name: "desktop-guard", dependencies: ["DesktopCore"], path: "Services/desktop-agent/Guard",
            swiftSettings: settings),
        main("screentime", ["CommandCore"]),
        shared("LimitsCore", ["ExtensionLink", "Contract", "JSON", "Engine"]).at("Services/apps/limits/Core"),
        .executableTarget(
            name: "limits", dependencies: ["AppSupport", "LimitsCore", "Contract"],
            path: "Services/apps/limits/Main", swiftSettings: settings),
        .executableTarget(
            name: "limits-monitor", dependencies: ["LimitsCore", "ExtensionLink", "Contract", "JSON"],
            path: "Services/apps/limits/monitor/Main", swiftSettings: settings),
        shared("ExtensionBundling").at("Shared/Plugins/ExtensionBundling"),
        .plugin(
            name: "ScreenTimeExtensionPlugin", capability: .buildTool(),
            dependencies: ["extension-entry-point"], path: "Shared/Plugins/ScreenTimeExtensionPlugin"),
        .executableTarget(
            name: "extension-entry-point", path: "Shared/Plugins/extension-entry-point",
            swiftSettings: settings),
        shared("ScreenTimeTesting", service + ["TestSupport", "ExtensionBundling"]),
        shared("ContractDocument", ["Contract", "JSON"]).at("Shared/ContractDocument/Core"),
        .executableTarget(
            name: "contract-document", dependencies: ["ContractDocument"],
            path: "Shared/ContractDocument/Main", swiftSettings: settings),

        shared("NameHunter", ["ExtensionLink", "Contract", "JSON"]).at("Tests/Fixtures/name-hunter"),
        .executableTarget(
            name: "monitor-fixture", dependencies: ["NameHunter", "ExtensionLink", "Contract", "JSON"],
            path: "Tests/Fixtures/monitor-fixture", swiftSettings: settings),
        .executableTarget(
            name: "unruly-fixture", dependencies: ["ExtensionLink", "Contract", "JSON", "CPosix"],
            path: "Tests/Fixtures/unruly-fixture", swiftSettings: settings),
        .executableTarget(
            name: "screen-fixture", dependencies: ["ExtensionLink", "Contract", "JSON"],
            path: "Tests/Fixtures/screen-fixture", swiftSettings: settings),
        // As for iOS: in language mode 5.
        .executableTarget(
            name: "notification-app", dependencies: ["UserNotifications"],
            path: "Tests/Fixtures/notification-app", swiftSettings: [.swiftLanguageMode(.v5)]),
        .executableTarget(
            name: "shield-look", dependencies: ["ManagedSettings", "ManagedSettingsUI", "UIKit"],
            path: "Tests/Fixtures/shield-look", swiftSettings: [.swiftLanguageMode(.v5)]),
        .executableTarget(
            name: "app-fixture",
            dependencies: ["NameHunter", "FamilyControls", "ExtensionLink", "Contract", "JSON"],
            path: "Tests/Fixtures/app-fixture", swiftSettings: settings),
        .executableTarget(
            name: "clock-fixture", dependencies: ["CPosix"], path: "Tests/Fixtures/clock-fixture",
            swiftSettings: settings),
        .executableTarget(
            name: "player-double", dependencies: ["CPosix", "CSystemd"], path: "Tests/Fixtures/player-double",
            swiftSettings: settings),
        .executableTarget(
            name: "activity-double", dependencies: service, path: "Tests/Fixtures/activity-double",
            swiftSettings: settings),
        .executableTarget(
            name: "bench-raw", path: "Tests/Benchmarks/raw", linkerSettings: [.linkedLibrary("zmq")]),
        .executableTarget(
            name: "bench-bare", path: "Tests/Benchmarks/bare", swiftSettings: settings),
        .executableTarget(
            name: "bench-rules", dependencies: ["Monitoring", "Engine", "CivilTime", "Contract"],
            path: "Tests/Benchmarks/rules", swiftSettings: settings),
        .executableTarget(
            name: "bench-bus", dependencies: ["Bus", "Contract", "JSON"], path: "Tests/Benchmarks/bus",
            swiftSettings: settings),

        // Written as programs for iOS are, in their language mode.
        .executableTarget(
            name: "framework-monitor", dependencies: ["DeviceActivity"],
            path: "Tests/Fixtures/framework-monitor", swiftSettings: [.swiftLanguageMode(.v5)]),
        .executableTarget(
            name: "framework-action", dependencies: ["ManagedSettings"],
            path: "Tests/Fixtures/framework-action", swiftSettings: [.swiftLanguageMode(.v5)]),
        .executableTarget(
            name: "framework-report", dependencies: ["DeviceActivity", "SwiftUI"],
            path: "Tests/Fixtures/framework-report", swiftSettings: [.swiftLanguageMode(.v5)]),
        .target(
            name: "FacadeProgram", dependencies: ["FoundationExtras", "Combine", "os"],
            path: "Tests/Fixtures/facade-program", swiftSettings: [.swiftLanguageMode(.v5)]),

        .executableTarget(
            name: "facade-double", dependencies: ["FoundationExtras", "Combine", "os"],
            path: "Tests/Fixtures/facade-double", swiftSettings: [.swiftLanguageMode(.v5)]),

        shared("TestSupport", service + ["CClock", "ClockDriver"]).at("Tests/Support"),
        tests("JSONTests", ["JSON"]),
        tests("ContractTests", ["JSON", "Contract", "ContractDocument"])
            .excluding(["validate.py", "golden-messages.txt"]),
        tests("EngineTests", ["Domains", "Replay", "Engine", "CivilTime", "Contract", "JSON"]),
        tests("MonitoringTests", ["Monitoring", "Engine", "CivilTime", "Contract", "JSON"]),
        .target(
            name: "DiskRecorder", path: "Tests/Fixtures/disk-recorder",
            cSettings: [.unsafeFlags(["-Wall", "-Wextra", "-Werror"])]),
        tests("StoreTests", ["Store", "CSQLite", "DiskRecorder"]),
        tests("BusTests", ["Bus", "Contract", "JSON", "TestSupport"]),
        tests("ServiceKitTests", service + ["TestSupport"]),
        // The cores of all services in one process, with owners whose commits fail.
        tests(
            "FollowerTests",
            service + [
                "TestSupport", "CSQLite", "AuthCore", "ActivityCore", "ShieldCore", "MonitorCore",
                "ReportCore", "NotifierCore", "DesktopCore", "Hosting", "ExtensionLink",
            ]),
        tests("DesktopTests", ["DesktopCore", "ProcessEvents", "TestSupport", "CXcb", "CPosix"]),
        tests("AuthTests", ["AuthCore", "Contract"]),
        tests(
            "NotifierTests",
            ["Bus", "NotifierCore", "CSystemd", "CZlib", "DBus", "FileAccess", "TestSupport"]),
        tests("CommandTests", ["CommandCore", "Contract", "CSQLite", "Engine", "JSON"]),
        tests(
            "ReportTests", ["ReportCore", "Engine", "CivilTime", "Contract", "JSON", "ServiceKit", "Store"]),
        tests(
            "FacadeTests",
            [
                "FoundationExtras", "Combine", "os", "OSLog", "UserNotifications", "FacadeProgram",
                "facade-double", "Contract", "ExtensionLink", "JSON",
            ]),
        // As apps for iOS are compiled.
        .target(
            name: "SwiftUISurface", dependencies: ["SwiftUI"], path: "Tests/Fixtures/swiftui-surface",
            swiftSettings: [.swiftLanguageMode(.v5)]),
        tests("SwiftUITests", ["SwiftUI", "SwiftUISurface", "Charts", "UIKit", "ReportCore"]),
        tests(
            "FrameworkTests",
            [
                "FamilyControls", "ManagedSettings", "ManagedSettingsUI", "DeviceActivity", "ExtensionLink",
                "Engine", "Contract", "JSON",
            ]),
        tests("CompatibilityTests", service + ["CommandCore", "TestSupport", "ScreenTimeTesting"])
            .excluding(["Support"]),
        tests("LimitsTests", ["LimitsCore", "Contract", "CivilTime", "TestSupport"]),
        tests(
            "HostingTests",
            [
                "Hosting", "FileAccess", "FoundationExtras", "TestSupport", "CPosix", "ShieldCore",
                "ExtensionLink", "AppLinkCore",
            ] + service),
        tests(
            "FuzzTests",
            service + [
                "TestSupport", "AuthCore", "ActivityCore", "ShieldCore", "NotifierCore", "ReportCore",
                "MonitorCore", "AppLinkCore", "Hosting", "ExtensionLink",
            ]),
        tests("MonitorTests", ["MonitorCore", "Hosting", "ExtensionLink", "Contract", "JSON"]),
        tests(
            "IntegrationTests",
            service + [
                "TestSupport", "Engine", "CivilTime", "ReportCore", "CommandCore", "CPosix", "CSystemd",
                "CSQLite", "ExtensionLink",
            ]
        ).excluding(["Transcripts", "Backups"]),
    ] + apps,
    swiftLanguageModes: [.v6]
)

extension Target {
    /// The same target, found at `path`.
    func at(_ path: String) -> Target {
        self.path = path
        return self
    }

    /// The same target without these files.
    func excluding(_ files: [String]) -> Target {
        exclude = files
        return self
    }
}
