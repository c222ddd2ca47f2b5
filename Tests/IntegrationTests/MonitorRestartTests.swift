import Bus
import Contract
import Glibc
import TestSupport
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
            // The next commit is the one that notes the return.
            close(open("\(world.directory)/fault/\(point)", O_CREAT | O_WRONLY, 0o600))
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
            close(open("\(world.directory)/fault/\(point)", O_CREAT | O_WRONLY, 0o600))
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
        try await World.with([]) { world in
            try await world.startMonitoring()
            let bundle = try await FixtureBundle(world)
            let journal = "\(world.directory)/state/monitor-runner/returned/\(bundle.id)"
            #expect(symlink("/dev/null", journal) == 0)
            let recorder = try world.record(.monitor)
            bundle.closeGate()
            try await world.publish(["intervalDidStart:"])
            _ = try await MonitorRunnerTests.waitForProcess(world, bundle)
            unlink(journal)
            await bundle.openGate(bundle.files)
            let delivered = try await recorder.first(CallbackDelivered.self)
            #expect(delivered.delivery.attempt == 2 && delivered.delivery.failures == 1)
            let log = world.readText("\(world.directory)/state/logs/monitor-runner.log")
            #expect(log.contains("it ended with code 65"))
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
