import Contract
import ExtensionLink
import Foundation
import JSON
import ScreenTimeTesting
import Testing

/// monitor-runner killed while callbacks are on their way.
@Suite struct MonitorRestartTests {
    @Test(arguments: ["before-commit", "after-commit", "after-publish"])
    func aCallbackThatReturnedIsNeverRepeated(point: String) async throws {
        try await World.with([]) { world in
            try await world.startMonitoring()
            let bundle = try await FixtureBundle(world)
            bundle.closeGate()
            let recorder = try world.record(.monitor)
            try await world.publish(["intervalDidStart:", "intervalDidEnd:"])
            _ = try await MonitorRunnerTests.waitForProcess(world, bundle)
            // The second event may be of another commit: it is in before the point is armed.
            try await world.eventually("both are taken in") { try await world.deliveries().count == 2 }
            // The next commit is the one that notes the return.
            try world.arm(point, of: .monitor)
            await bundle.openGate(bundle.files)
            let status = try await world.process("monitor-runner").exit()
            #expect(status == 137)
            try await world.start("monitor-runner")
            _ = try await recorder.first(CallbackDelivered.self) { $0.delivery.callback == "intervalDidEnd" }
            let starts = bundle.callbacks.filter { $0.hasPrefix("intervalDidStart") }
            #expect(starts == ["intervalDidStart daily - 1"])
            let told = try recorder.all(CallbackDelivered.self).map(\.delivery.callback)
            #expect(told == ["intervalDidStart", "intervalDidEnd"])
        }
    }

    @Test(arguments: ["before-commit", "after-commit", "after-publish"])
    func anEventIsTakenInOnce(point: String) async throws {
        try await World.with([]) { world in
            try await world.startMonitoring()
            let bundle = try await FixtureBundle(world)
            let recorder = try world.record(.monitor)
            try world.arm(point, of: .monitor)
            try await world.publish(["intervalDidStart:", "intervalDidEnd:"])
            let status = try await world.process("monitor-runner").exit()
            #expect(status == 137)
            try await world.start("monitor-runner")
            _ = try await recorder.first(CallbackDelivered.self) { $0.delivery.callback == "intervalDidEnd" }
            let told = try recorder.all(CallbackDelivered.self).map(\.delivery.callback)
            #expect(told == ["intervalDidStart", "intervalDidEnd"])
            #expect(bundle.callbacks.count == 2)
        }
    }

    @Test func anInterruptedCallbackComesAgainAndNoProcessIsLeft() async throws {
        try await World.with([]) { world in
            try await world.startMonitoring()
            let bundle = try await FixtureBundle(world)
            bundle.closeGate()
            let recorder = try world.record(.monitor)
            try await world.publish(["intervalDidStart:"])
            let pid = try await MonitorRunnerTests.waitForProcess(world, bundle)
            try await world.process("monitor-runner").destroy()
            try await MonitorRunnerTests.expectGone(pid)
            unlink(bundle.files + "/gate")
            try await world.start("monitor-runner")
            let delivered = try await recorder.first(CallbackDelivered.self)
            #expect(delivered.delivery.attempt == 2)
            #expect(bundle.callbacks == ["intervalDidStart daily - 1", "intervalDidStart daily - 2"])
        }
    }

    @Test func whatHappensWhileItIsAwayArrives() async throws {
        try await World.with([]) { world in
            try await world.startMonitoring()
            let bundle = try await FixtureBundle(world)
            try await world.process("monitor-runner").destroy()
            try await world.publish(["intervalDidStart:", "intervalDidEnd:"])
            try await world.start("monitor-runner")
            let recorder = try world.record(.monitor)
            _ = try await recorder.first(CallbackDelivered.self) { $0.delivery.callback == "intervalDidEnd" }
            #expect(bundle.callbacks == ["intervalDidStart daily - 1", "intervalDidEnd daily - 1"])
        }
    }

    /// The kernel does not sync /dev/null: a program that answered without asking for it would be believed.
    @Test func aReceiptWaitsUntilTheJournalIsOnTheDisk() async throws {
        var ends: [Int32] = [-1, -1]
        #expect(socketpair(AF_UNIX, Int32(SOCK_STREAM.rawValue), 0, &ends) == 0)
        let home = NSTemporaryDirectory() + "/journal-\(UUID().uuidString)"
        try FileManager.default.createDirectory(atPath: home, withIntermediateDirectories: true)
        var actions = posix_spawn_file_actions_t()
        posix_spawn_file_actions_init(&actions)
        posix_spawn_file_actions_adddup2(&actions, ends[1], 40)
        posix_spawn_file_actions_addopen(&actions, 41, "/dev/null", O_RDWR, 0)
        let environment = ["HOME=\(home)", "\(Wire.descriptorKey)=40", "\(Wire.journalKey)=41"]
        let path = World.products + "/monitor-fixture"
        let (words, values) = ([strdup(path), nil], environment.map { strdup($0) } + [nil])
        var pid: pid_t = 0
        #expect(posix_spawn(&pid, path, &actions, nil, words, values) == 0)
        posix_spawn_file_actions_destroy(&actions)
        (words + values).forEach { free($0) }
        close(ends[1])
        let callback = CallbackParams(
            callback: .intervalDidStart, about: ActivityCallback(), delivery: 1, attempt: 1)
        let request = Wire.frame(
            WireMessage.request(1, Wire.callbackMethod, RawJSON(encoding: callback), deadline: 60_000))
        #expect(write(ends[0], request, request.count) == request.count)
        // The end of the stream comes without an answer before it.
        var byte: UInt8 = 0
        #expect(read(ends[0], &byte, 1) == 0)
        close(ends[0])
        var status: Int32 = 0
        #expect(waitpid(pid, &status, 0) == pid && (status >> 8) & 0xff == Wire.journalExitCode)
        #expect(access(home + "/callbacks", F_OK) == 0)
        try FileManager.default.removeItem(atPath: home)
    }

    /// An extension that reuses an id finds nothing of a former one with that id, even if its removal was
    /// interrupted.
    @Test func aRemovalThatBrokeOffIsFinished() async throws {
        try await World.with([]) { world in
            try await world.startMonitoring()
            let bundle = try await FixtureBundle(world)
            let container = "\(world.directory)/state/containers/\(bundle.id)"
            try FileManager.default.createDirectory(atPath: container, withIntermediateDirectories: true)
            try "secret".write(toFile: container + "/diary", atomically: false, encoding: .utf8)
            try world.arm("after-commit", of: .monitor)
            async let removed = world.call(
                ExtensionRemove.self, ExtensionRemove.Params(id: bundle.id), idempotencyKey: "removal")
            #expect(try await world.process("monitor-runner").exit() == 137)
            #expect(access(container + "/diary", F_OK) == 0, "it broke off")
            try await world.start("monitor-runner")
            _ = try await removed
            #expect(access(container, F_OK) != 0)
            try await bundle.install()
            #expect(access(container + "/diary", F_OK) != 0)
        }
    }

    @Test func stoppingLeavesNoProcess() async throws {
        try await World.with([]) { world in
            try await world.startMonitoring()
            let bundle = try await FixtureBundle(world)
            let recorder = try world.record(.monitor)
            try await world.publish(["intervalDidStart:"])
            _ = try await recorder.first(CallbackDelivered.self)
            let pid = try await MonitorRunnerTests.waitForProcess(world, bundle)
            let status = try await world.process("monitor-runner").stop()
            #expect(status == 0)
            try await MonitorRunnerTests.expectGone(pid)
        }
    }
}
