import Foundation
import Loop
import ScreenTimeTesting
import Testing

/// `screentime extension check` with the real compiler, over sources of our own.
@Suite struct CheckCommandTests {
    @LoopActor private struct Bench {
        let world: World

        func write(_ name: String, _ text: String) throws -> String {
            let path = "\(world.directory)/\(name)"
            try text.write(toFile: path, atomically: true, encoding: .utf8)
            return path
        }

        func check(
            _ words: [String], environment: [String: String] = [:]
        ) async throws -> (status: Int32, text: String, errors: String) {
            let name = "check-\(world.processes.count)"
            let path = ProcessInfo.processInfo.environment["PATH"] ?? ""
            let (status, lines) = try await world.run(
                name, [World.products + "/screentime", "extension", "check"] + words,
                environment: ["PATH": path].merging(environment) { $1 })
            return (status, lines.joined(separator: "\n"), world.errors(of: name))
        }
    }

    private static let monitor = """
        import DeviceActivity
        import ManagedSettings
        class Evening: DeviceActivityMonitor {
            let store = ManagedSettingsStore(named: .evening)
            override func intervalDidStart(for activity: DeviceActivityName) {
                super.intervalDidStart(for: activity)
                guard let picked = Saved.selection() else { return }
                store.shield.applications = picked.applicationTokens
                if activity == .weekend { Saved.count += 1 }
            }
        }
        """

    @Test func aFilePassesWhoseOtherNamesAreItsProjects() async throws {
        try await World.with([]) { world in
            let bench = Bench(world: world)
            let file = try bench.write("Evening.swift", "import OurCore\n" + Self.monitor)
            let (status, text, _) = try await bench.check([file])
            #expect(status == 0)
            #expect(text.contains("passes. Declared elsewhere in your project: OurCore,"))
            #expect(text.contains("evening") && text.contains("Saved") && text.contains("weekend"))
        }
    }

    @Test func whatIsMissingOrWrongFailsAFileWithItsPlace() async throws {
        try await World.with([]) { world in
            let bench = Bench(world: world)
            let missing = try bench.write(
                "Missing.swift",
                "import HealthKit\nimport OurCore\nfunc f() { _ = HKHealthStore() }\n")
            let wrong = try bench.write(
                "Wrong.swift", "import DeviceActivity\nlet name: DeviceActivityName = 3\n")
            let right = try bench.write("Right.swift", "import UIKit\nlet colour = UIColor.systemRed\n")
            let (status, text, _) = try await bench.check([missing, wrong, right])
            #expect(status == 1)
            #expect(text.contains("1:8: no such module 'HealthKit'"))
            #expect(text.contains("3:16: cannot find 'HKHealthStore' in scope"), "behind the module")
            #expect(text.contains("2:32: cannot convert value of type 'Int'"))
            #expect(text.contains("Right.swift: passes."))
            #expect(text.contains("1 of 3 files pass."))
            let (_, rows, _) = try await bench.check(["--json", missing, right])
            #expect(rows.split(separator: "\n").count == 2)
            #expect(rows.contains(#""passes":false,"missing":[{"line":1,"column":8,"#))
        }
    }

    @Test func filesTogetherSeeEachOther() async throws {
        try await World.with([]) { world in
            let bench = Bench(world: world)
            let one = try bench.write("One.swift", Self.monitor)
            let other = try bench.write(
                "Other.swift",
                """
                import DeviceActivity
                import ManagedSettings
                struct Picked { var applicationTokens: Set<ApplicationToken> = [] }
                enum Saved {
                    static var count = 0
                    static func selection() -> Picked? { nil }
                }
                extension ManagedSettingsStore.Name { static let evening = Self("evening") }
                extension DeviceActivityName { static let weekend = Self("weekend") }
                """)
            let (status, text, _) = try await bench.check(["--together", one, other])
            #expect(status == 0)
            #expect(!text.contains("elsewhere"))
        }
    }

    @Test func theSourcesOfTheTemplatePass() async throws {
        var root = URL(filePath: #filePath)
        for _ in 0..<4 { root.deleteLastPathComponent() }
        let template = root.appending(path: "Shared/SDK/Templates")
        try await World.with([]) { world in
            let bench = Bench(world: world)
            let points = ["monitor", "shield-configuration", "shield-action", "report"]
            let files = try points.map { point in
                let source = template.appending(path: "\(point)/Source.swift.template")
                let text = try String(contentsOf: source, encoding: .utf8)
                return try bench.write("\(point).swift", text.replacing("EXTENSION_NAME", with: "Sample"))
            }
            let (status, text, _) = try await bench.check(files)
            #expect(status == 0, "\(text)")
            #expect(!text.contains("elsewhere"))
        }
    }

    @Test func whatIsNotThereIsNamed() async throws {
        try await World.with([]) { world in
            let bench = Bench(world: world)
            let file = try bench.write("A.swift", "")
            let noFile = try await bench.check([world.directory + "/none.swift"])
            #expect(noFile.status == 66 && noFile.errors.contains("none.swift' cannot be read"))
            let noModules = try await bench.check([file], environment: ["SCREENTIME_SDK": world.directory])
            #expect(noModules.status == 69 && noModules.errors.contains("which has no Modules"))
            let noCompiler = try await bench.check([file], environment: ["SCREENTIME_SWIFTC": "/none"])
            #expect(noCompiler.status == 69 && noCompiler.errors.contains("cannot be run"))
            let broken = try await bench.check([file], environment: ["SCREENTIME_SWIFTC": "/bin/false"])
            #expect(broken.status == 69 && broken.errors.contains("ended with 1"))
            #expect(try await bench.check([]).status == 64)
        }
    }

    @Test func aNewProjectHasItsFiles() async throws {
        try await World.with([]) { world in
            let words = ["extension", "new", "Evening", "--directory", world.directory]
            let program = World.products + "/screentime"
            let (status, lines) = try await world.run("new", [program] + words)
            #expect(status == 0 && lines.first?.contains("Evening is a monitor extension") == true)
            let folder = world.directory + "/Evening"
            let list = world.readText(folder + "/Sources/Evening/Info.plist")
            #expect(list.contains("$(PRODUCT_MODULE_NAME).Evening") && !list.contains("EXTENSION_NAME"))
            #expect(world.readText(folder + "/Package.swift").contains("ScreenTimeExtensionPlugin"))
            #expect(try await world.run("again", [program] + words).status == 1)
            #expect(world.errors(of: "again").contains("is there already"))
            #expect(try await world.run("bundle", [program, "extension", "bundle", folder]).status == 66)
            #expect(world.errors(of: "bundle").contains("Run `swift build`"))
            let wrong = try await world.run("wrong", [program, "extension", "new", "3x"])
            #expect(wrong.status == 64)
        }
    }
}
