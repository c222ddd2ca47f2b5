import Contract
import Foundation
import Testing

@testable import Hosting

/// Bundles as Xcode's sources and builds have them.
@Suite final class BundleTests {
    private let directory: String

    init() throws {
        directory = NSTemporaryDirectory() + "/bundle-\(UUID().uuidString)/Evening Monitor.appex"
        try FileManager.default.createDirectory(atPath: directory, withIntermediateDirectories: true)
        try "".write(toFile: directory + "/Evening Monitor", atomically: true, encoding: .utf8)
        chmod(directory + "/Evening Monitor", 0o755)
    }

    deinit {
        let parent = URL(fileURLWithPath: directory).deletingLastPathComponent()
        do { try FileManager.default.removeItem(at: parent) } catch { print("left \(parent): \(error)") }
    }

    private func write(_ list: [String: Any], _ format: PropertyListSerialization.PropertyListFormat = .xml)
        throws
    {
        let data = try PropertyListSerialization.data(fromPropertyList: list, format: format, options: 0)
        try data.write(to: URL(fileURLWithPath: directory + "/Info.plist"))
    }

    private static let monitor: [String: String] = [
        "NSExtensionPointIdentifier": "com.apple.deviceactivity.monitor-extension",
        "NSExtensionPrincipalClass": "$(PRODUCT_MODULE_NAME).Monitor",
    ]

    @Test(arguments: [PropertyListSerialization.PropertyListFormat.xml, .binary])
    func asXcodeGeneratesIt(format: PropertyListSerialization.PropertyListFormat) throws {
        try write(
            [
                "CFBundleDisplayName": "Ä evening", "CFBundleIdentifier": "$(PRODUCT_BUNDLE_IDENTIFIER)",
                "CFBundleExecutable": "$(EXECUTABLE_NAME)", "NSExtension": Self.monitor,
                "Unused": [1.5, Date(timeIntervalSince1970: 0), Data([1]), true, [Int.max]],
            ], format)
        let bundle = try ExtensionBundle(path: directory, client: "org.example.app")
        #expect(bundle.id == "org.example.app.Evening-Monitor")
        #expect(bundle.name == "Ä evening" && bundle.executable == directory + "/Evening Monitor")
        #expect(bundle.principalClass == "Evening_Monitor.Monitor" && bundle.point == .monitor)
        #expect(bundle.budget == HostingLimits.defaultBudget)
        #expect(bundle.entitlements == Entitlements())
    }

    @Test func onlyAnExtensionDictionaryIsEnough() throws {
        try write(["NSExtension": Self.monitor, "CFBundleIdentifier": "org.example.app.evening"])
        let bundle = try ExtensionBundle(path: directory, client: nil)
        #expect(bundle.id == "org.example.app.evening" && bundle.name == "Evening Monitor")
    }

    @Test func aReportExtensionHasTheNewerKeysAndNoClass() throws {
        let point = ["EXExtensionPointIdentifier": "com.apple.deviceactivityui.report-extension"]
        try write(["CFBundleIdentifier": "org.a.b.report", "EXAppExtensionAttributes": point])
        let bundle = try ExtensionBundle(path: directory, client: nil)
        #expect(bundle.point == .report && bundle.principalClass == nil)
    }

    @Test func aBudgetIsReadAndChecked() throws {
        var list: [String: Any] = ["CFBundleIdentifier": "org.a.b.c", "NSExtension": Self.monitor]
        list["ScreenTimeBudget"] = ["MemoryMegabytes": 6, "CallbackSeconds": 5]
        try write(list)
        let budget = try ExtensionBundle(path: directory, client: nil).budget
        #expect(
            budget == ExtensionBudget(memoryBytes: 6 << 20, callback: 5_000, processor: 10_000))
        for wrong in [["MemoryMegabytes": 0], ["CallbackSeconds": 301], ["ProcessorSeconds": -1]] {
            list["ScreenTimeBudget"] = wrong
            try write(list)
            let error = #expect(throws: ServiceError.self) {
                try ExtensionBundle(path: directory, client: nil)
            }
            #expect(error?.message.contains(wrong.keys.first ?? "") == true)
        }
    }

    @Test func entitlementsNameGroupsAndDataAccess() throws {
        try write(["CFBundleIdentifier": "org.a.b.c", "NSExtension": Self.monitor])
        func entitle(_ groups: Any) throws {
            let list: [String: Any] = [
                "com.apple.security.application-groups": groups,
                "com.apple.developer.family-controls": true,
                "com.apple.developer.family-controls.app-and-website-usage": true,
            ]
            let data = try PropertyListSerialization.data(fromPropertyList: list, format: .xml, options: 0)
            try data.write(to: URL(fileURLWithPath: directory + "/App.entitlements"))
        }
        try entitle(["group.b", "$(TeamIdentifierPrefix)group.a", "group.b"])
        let read = try ExtensionBundle(path: directory, client: nil).entitlements
        #expect(read.groups == ["group.a", "group.b"] && read.dataAccess)
        for wrong in ["../evil", "", ".hidden", "a/b", String(repeating: "x", count: 201)] {
            try entitle([wrong])
            #expect(throws: ServiceError.self) { try ExtensionBundle(path: directory, client: nil) }
        }
    }

    /// An unrealistic number of entitlement files; and texts of a bundle are shortened in messages.
    @Test func whatABundleSaysIsBounded() throws {
        try write(["CFBundleIdentifier": "org.a.b.c", "NSExtension": Self.monitor])
        let none = try PropertyListSerialization.data(
            fromPropertyList: [String: String](), format: .xml, options: 0)
        for number in 1...9 {
            if number == 9 { _ = try ExtensionBundle(path: directory, client: nil) }
            try none.write(to: URL(fileURLWithPath: "\(directory)/\(number).entitlements"))
        }
        let error = #expect(throws: ServiceError.self) { try ExtensionBundle(path: directory, client: nil) }
        #expect(error?.name == .limitExceeded && error?.message.contains("entitlementFilesMax") == true)
        unlink(directory + "/9.entitlements")
        try write(["CFBundleIdentifier": String(repeating: "x/", count: 20_000), "NSExtension": Self.monitor])
        let long = #expect(throws: ServiceError.self) { try ExtensionBundle(path: directory, client: nil) }
        #expect((long?.message.utf8.count ?? .max) < 1_024)
    }

    /// A bundle must contain its files itself: a link may lead elsewhere after it was read.
    @Test(arguments: ["Info.plist", "App.entitlements"])
    func listsAreNotReadThroughLinks(name: String) throws {
        try write(["CFBundleIdentifier": "org.a.b.c", "NSExtension": Self.monitor])
        let outside = directory + "/../outside"
        if name == "Info.plist" {
            rename(directory + "/Info.plist", outside)
        } else {
            let list = try PropertyListSerialization.data(
                fromPropertyList: ["com.apple.security.application-groups": ["group.other"]], format: .xml,
                options: 0)
            try list.write(to: URL(fileURLWithPath: outside))
        }
        symlink(outside, directory + "/" + name)
        let error = #expect(throws: ServiceError.self) { try ExtensionBundle(path: directory, client: nil) }
        #expect(error?.name == .invalidArgument && error?.message.contains("link") == true)
    }

    /// An id names directories and a log: it is one plain name that no service's file has.
    @Test(arguments: [
        "activity-center", "monitor-runner", "x", ".a.b", "a..b", "a.b.", "..", "a/b.c", "a.b c", "a.\u{1b}",
        "ä.b",
        "a_b.c", "",
    ])
    func anIdIsOneName(id: String) throws {
        try write(["CFBundleIdentifier": id, "NSExtension": Self.monitor])
        let error = #expect(throws: ServiceError.self) {
            try ExtensionBundle(path: directory, client: "org.example.app")
        }
        #expect(error?.message.contains("CFBundleIdentifier") == true)
    }

    /// Who names a module means it; a variable leaves it to the build.
    @Test func aModuleIsNamedOrLeftToTheBuild() throws {
        for (written, isNamed) in [
            ("Other.Monitor", true), ("$(PRODUCT_MODULE_NAME).Monitor", false), ("Monitor", false),
            ("${PRODUCT_MODULE_NAME}.Monitor", false),
        ] {
            var point = Self.monitor
            point["NSExtensionPrincipalClass"] = written
            try write(["CFBundleIdentifier": "org.a.b.c", "NSExtension": point])
            #expect(try ExtensionBundle(path: directory, client: nil).namesModule == isNamed)
        }
    }

    /// Whatever is cut or changed in a binary file, it is read or refused; nothing stops the process.
    @Test(arguments: [1, 2, 3] as [UInt64])
    func mutatedBinaryListsNeverTrap(seed: UInt64) throws {
        let list: [String: Any] = [
            "a": ["b": [true, 1, "ü"]], "c": String(repeating: "x", count: 300), "d": ["e": "f"],
        ]
        let good = Array(
            try PropertyListSerialization.data(fromPropertyList: list, format: .binary, options: 0))
        #expect(
            try PropertyListReader.read(good)["a"]?["b"] == .list([.bool(true), .integer(1), .text("ü")]))
        var state = seed
        func random(_ below: Int) -> Int {
            state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
            return Int(state >> 33) % below
        }
        for _ in 0..<20_000 {
            var bytes = good
            for _ in 0...random(4) {
                switch random(3) {
                case 0: bytes.remove(at: random(bytes.count))
                case 1: bytes[random(bytes.count)] = UInt8(random(256))
                default: bytes.insert(UInt8(random(256)), at: random(bytes.count))
                }
            }
            // Either result is fine; the process continues.
            _ = try? PropertyListReader.read(bytes)
        }
    }
}
