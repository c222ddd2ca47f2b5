import Contract
import Foundation
import Loop
import ScreenTimeTesting

/// A bundle with the unruly program: one app, one extension and one activity for each way to misbehave.
@LoopActor struct UnrulyBundle {
    let world: World
    let behaviour: String
    var client: String { "org.example.\(behaviour)" }
    var id: String { client + ".monitor" }
    var path: String { "\(world.directory)/bundles/\(id)" }
    var container: String { "\(world.directory)/state/containers/\(id)" }

    /// What only the time of a callback ends. Anything else has more of it: a second of processor time can
    /// take many on a machine that does other work.
    private static let waiting: Set = ["hang", "endless", "flood"]

    /// Makes and installs it with 32 MiB, and this many seconds per callback and of processor time.
    init(
        _ world: World, _ behaviour: String, point: String = "com.apple.deviceactivity.monitor-extension",
        callbackSeconds: Int? = nil, processorSeconds: Int = 1
    ) async throws {
        self.world = world
        self.behaviour = behaviour
        let callbackSeconds = callbackSeconds ?? (Self.waiting.contains(behaviour) ? 8 : 100)
        try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: true)
        let budget = """
            <key>ScreenTimeBudget</key><dict><key>MemoryMegabytes</key><integer>32</integer>
            <key>CallbackSeconds</key><integer>\(callbackSeconds)</integer>
            <key>ProcessorSeconds</key><integer>\(processorSeconds)</integer></dict>
            <key>CFBundleIdentifier</key>
            """
        let list = FixtureBundle.propertyList(
            id: id, executable: "unruly-fixture", point: point,
            principal: "$(PRODUCT_MODULE_NAME).UnrulyFixture")
        try list.replacingOccurrences(of: "<key>CFBundleIdentifier</key>", with: budget).write(
            toFile: path + "/Info.plist", atomically: true, encoding: .utf8)
        try FileManager.default.createSymbolicLink(
            atPath: path + "/unruly-fixture", withDestinationPath: World.products + "/unruly-fixture")
        _ = try await world.call(ExtensionInstall.self, ExtensionInstall.Params(path: path, client: client))
    }

    /// Lets the callback be due in which it misbehaves.
    func begin() async throws {
        try await world.publish(["intervalDidStart:"], client: client, activity: behaviour)
    }

    /// Everything it printed, as the log has it.
    var printed: [String] {
        let text = world.readText("\(world.directory)/state/logs/\(id).log")
        return text.split(separator: "\n").compactMap { line in
            let object = try? JSONSerialization.jsonObject(with: Data(line.utf8)) as? [String: Any]
            return object?["message"] as? String
        }
    }

    var record: ExtensionRecord? {
        get async throws {
            try await world.call(ExtensionList.self, Nothing()).extensions.first { $0.id == id }
        }
    }
}

extension World {
    /// Starts the runner with a double of activity-center, and one unruly extension for each behaviour.
    func startUnruly(_ behaviours: [String], with others: [String] = []) async throws -> [UnrulyBundle] {
        try await startMonitoring(others)
        var bundles: [UnrulyBundle] = []
        for behaviour in behaviours { bundles.append(try await UnrulyBundle(self, behaviour)) }
        return bundles
    }

    /// The delivery of each, once its callback returned.
    func delivered(_ bundles: [UnrulyBundle], _ recorder: EventRecorder) async throws -> [String: Delivery] {
        let ids = Set(bundles.map(\.id))
        return try await recorder.wait(for: "a delivery to each of \(ids.count)", deadline: 120_000) {
            let all = try $0.all(CallbackDelivered.self).map(\.delivery)
            let mine = Dictionary(
                all.compactMap { one in one.program.map { ($0, one) } }.filter { ids.contains($0.0) }
            ) { first, _ in first }
            return mine.count == ids.count ? mine : nil
        }
    }

    /// Reasons of failed attempts in the runner's log, by extension.
    func reasons() -> [String: String] {
        var reasons: [String: String] = [:]
        for line in readText("\(directory)/state/logs/monitor-runner.log").split(separator: "\n") {
            let object = try? JSONSerialization.jsonObject(with: Data(line.utf8)) as? [String: Any]
            guard let id = object?["extension"] as? String, let reason = object?["reason"] as? String else {
                continue
            }
            reasons[id] = reason
        }
        return reasons
    }
}
