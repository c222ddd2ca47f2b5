import Bus
import Contract
import Foundation
import Loop
import ScreenTimeTesting
import Testing

/// A bundle with the fixture program, in a world with monitor-runner and a double of activity-center.
@LoopActor struct FixtureBundle {
    let world: World
    let id: String
    let client: String
    var path: String { "\(world.directory)/bundles/\(id)" }
    /// The program's own directory, which contains its instructions and results.
    var files: String { "\(world.directory)/state/containers/\(id)" }

    /// Makes and installs it.
    ///
    /// - Parameter seconds: how long a callback may take; nil: as long as usual
    init(
        _ world: World, id: String = "org.example.app.monitor", client: String = "org.example.app",
        seconds: Int? = nil
    ) async throws {
        self.world = world
        self.id = id
        self.client = client
        try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: true)
        try FileManager.default.createDirectory(atPath: files, withIntermediateDirectories: true)
        try Self.propertyList(id: id, seconds: seconds).write(
            toFile: path + "/Info.plist", atomically: true, encoding: .utf8)
        try FileManager.default.createSymbolicLink(
            atPath: path + "/monitor-fixture", withDestinationPath: World.products + "/monitor-fixture")
        try await install()
    }

    func install() async throws {
        _ = try await world.call(ExtensionInstall.self, ExtensionInstall.Params(path: path, client: client))
    }

    func write(_ text: String, _ name: String) throws {
        try text.write(toFile: "\(files)/\(name)", atomically: true, encoding: .utf8)
    }

    /// Lines the program wrote into a file of its own.
    func lines(_ name: String) -> [String] {
        world.readText("\(files)/\(name)").split(separator: "\n").map(String.init)
    }

    /// The callbacks it saw, without process ids: `<callback> <activity> <event> <attempt>`.
    var callbacks: [String] {
        lines("callbacks").map { $0.split(separator: " ").dropLast().joined(separator: " ") }
    }

    /// Makes callbacks wait until `openGate`.
    func closeGate() { mkfifo(files + "/gate", 0o660) }

    /// Continues the waiting callback and all later ones. Blocks a thread, not the actor, until one waits.
    nonisolated func openGate(_ files: String) async {
        await withCheckedContinuation { continuation in
            let thread = Thread {
                let gate = open(files + "/gate", O_WRONLY)
                unlink(files + "/gate")
                close(gate)
                continuation.resume()
            }
            thread.start()
        }
    }

    static func propertyList(
        id: String = "org.example.app.monitor", executable: String = "monitor-fixture",
        point: String = "com.apple.deviceactivity.monitor-extension",
        principal: String = "$(PRODUCT_MODULE_NAME).MonitorFixture", seconds: Int? = nil
    ) -> String {
        let budget = seconds.map { seconds in
            """

                <key>ScreenTimeBudget</key>
                <dict>
                    <key>CallbackSeconds</key>
                    <integer>\(seconds)</integer>
                </dict>
            """
        }
        return """
        <?xml version="1.0" encoding="UTF-8"?>
        <!DOCTYPE plist PUBLIC "-//Apple//DTD PLIST 1.0//EN" "http://www.apple.com/DTDs/PropertyList-1.0.dtd">
        <plist version="1.0">
        <dict>
            <key>CFBundleIdentifier</key>
            <string>\(id)</string>
            <key>CFBundleExecutable</key>
            <string>\(executable)</string>
            <key>NSExtension</key>
            <dict>
                <key>NSExtensionPointIdentifier</key>
                <string>\(point)</string>
                <key>NSExtensionPrincipalClass</key>
                <string>\(principal)</string>\(budget ?? "")
            </dict>
        </dict>
        </plist>
        """
    }
}

extension World {
    /// Starts what the monitor tests need.
    func startMonitoring(_ others: [String] = []) async throws {
        for name in ["activity-double"] + others + ["monitor-runner"] { try await start(name) }
    }

    /// Lets the double publish callbacks, written `<callback>:<event>`, of one activity.
    func publish(
        _ callbacks: [String], client: String = "org.example.app", activity: String = "daily",
        _ fill: (inout EventDefinition) -> Void = { _ in }, trace: TraceContext? = nil
    ) async throws {
        let events = callbacks.map { name in
            var event = EventDefinition(name: name)
            fill(&event)
            return event
        }
        _ = try await call(
            MonitoringStart.self,
            MonitoringStart.Params(
                activities: [ActivityDefinition(name: "\(client)|\(activity)", events: events)]), trace: trace
        )
    }

    func deliveries() async throws -> [Delivery] {
        try await call(DeliveryList.self, DeliveryList.Params()).deliveries
    }
}
