import Bus
import Contract
import CPosix
import Foundation
import Loop
import ScreenTimeTesting
import Testing

/// monitor-runner as a real process, with real extension programs.
@Suite struct MonitorRunnerTests {
    @Test func callbacksArriveOnceInOrderInOneProcess() async throws {
        try await World.with([]) { world in
            try await world.startMonitoring()
            let bundle = try await FixtureBundle(world)
            let recorder = try world.record(.monitor)
            let names = (1...20).map { "eventDidReachThreshold:e\($0)" }
            try await world.publish(["intervalDidStart:"] + names + ["intervalDidEnd:"])
            _ = try await recorder.wait(for: "22 deliveries") {
                try $0.all(CallbackDelivered.self).count == 22 ? true : nil
            }
            let expected =
                ["intervalDidStart daily - 1"] + (1...20).map { "eventDidReachThreshold daily e\($0) 1" }
                + ["intervalDidEnd daily - 1"]
            #expect(bundle.callbacks == expected)
            let pids = Set(bundle.lines("callbacks").compactMap { $0.split(separator: " ").last })
            let listed = try await world.call(ExtensionList.self, Nothing()).extensions.first {
                $0.id == bundle.id
            }
            #expect(pids.count == 1 && listed?.starts == 1 && listed?.measured?.callback == "intervalDidEnd")
            #expect(listed?.running == true)
            let states = try await world.deliveries().map(\.state)
            #expect(states == Array(repeating: .delivered, count: 22))
        }
    }

    @Test func withoutAnExtensionTheDeliveryFails() async throws {
        try await World.with([]) { world in
            try await world.startMonitoring()
            let recorder = try world.record(.monitor)
            try await world.publish(["intervalDidStart:", "intervalDidEnd:"], client: "org.example.nobody")
            _ = try await recorder.wait(for: "two failures") {
                try $0.all(CallbackFailed.self).count == 2 ? true : nil
            }
            let deliveries = try await world.deliveries()
            #expect(deliveries.map(\.state) == [.failed, .failed])
            #expect(deliveries[0].error == "no extension installed" && deliveries[0].program == nil)
            let log = world.readText("\(world.directory)/state/logs/monitor-runner.log")
            #expect(log.components(separatedBy: "no monitor extension").count == 2)
        }
    }

    @Test(arguments: ["crash-once", "garbage-once", "throw-once"])
    func afterAFailureTheCallbackComesAgain(fault: String) async throws {
        try await World.with([]) { world in
            try await world.startMonitoring()
            let bundle = try await FixtureBundle(world)
            try bundle.write("", fault)
            let recorder = try world.record(.monitor)
            try await world.publish(["intervalDidStart:", "intervalDidEnd:"])
            _ = try await recorder.first(CallbackDelivered.self) { $0.delivery.callback == "intervalDidEnd" }
            #expect(
                bundle.callbacks == [
                    "intervalDidStart daily - 1", "intervalDidStart daily - 2", "intervalDidEnd daily - 1",
                ])
            let first = try await world.deliveries()[0]
            #expect(first.attempt == 2 && first.state == .delivered && first.error == nil)
        }
    }

    @Test func aCrashLoopEndsAndOthersGoOn() async throws {
        try await World.with([]) { world in
            try await world.startMonitoring()
            let bad = try await FixtureBundle(world)
            let good = try await FixtureBundle(
                world, id: "org.example.other.monitor", client: "org.example.other")
            try bad.write("", "crash")
            let recorder = try world.record(.monitor)
            try await world.publish(["intervalDidStart:"])
            try await world.publish(["intervalDidStart:"], client: "org.example.other")
            let other = try await recorder.first(CallbackDelivered.self)
            #expect(other.delivery.program == good.id)
            let failed = try await recorder.first(CallbackFailed.self, deadline: 60_000)
            #expect(failed.delivery.attempt == 5 && failed.delivery.program == bad.id)
            #expect(failed.delivery.error?.hasPrefix("it was ended by signal 6") == true)
            #expect(bad.callbacks.count == 5)
            unlink(bad.files + "/crash")
            try await world.publish(["intervalDidEnd:"])
            _ = try await recorder.first(CallbackDelivered.self) { $0.delivery.callback == "intervalDidEnd" }
        }
    }

    @Test func aHangIsEndedAtItsDeadline() async throws {
        try await World.with([]) { world in
            try await world.startMonitoring()
            let bundle = try await FixtureBundle(world)
            let other = try await FixtureBundle(
                world, id: "org.example.other.monitor", client: "org.example.other")
            try bundle.write("", "hang-once")
            let recorder = try world.record(.monitor)
            try await world.publish(["intervalDidStart:"])
            try await world.publish(["intervalDidStart:"], client: "org.example.other")
            let first = try await recorder.first(CallbackDelivered.self)
            #expect(first.delivery.program == other.id)
            let second = try await recorder.first(CallbackDelivered.self, deadline: 90_000) {
                $0.delivery.program == bundle.id
            }
            #expect(second.delivery.attempt == 2)
            let log = world.readText("\(world.directory)/state/logs/monitor-runner.log")
            #expect(log.contains("CallbackSeconds"))
        }
    }

    @Test func traceOfTheEventGoesOnInTheDelivery() async throws {
        try await World.with([]) { world in
            try await world.startMonitoring()
            _ = try await FixtureBundle(world)
            let recorder = try world.record(.monitor)
            let trace = TraceContext.root()
            try await world.publish(["intervalDidStart:"], trace: trace)
            _ = try await recorder.first(CallbackDelivered.self)
            #expect(recorder.events.last?.event.head.traceparent.contains(trace.traceID) == true)
            let spans = try await world.client(.monitor).call(
                TraceRead.self, TraceRead.Params(traceID: trace.traceID)
            ).spans
            #expect(spans.contains { $0.name == "callback.intervalDidStart" && $0.outcome == "ok" })
        }
    }

    @Test func aRemovedExtensionIsEndedWithItsCallbacks() async throws {
        try await World.with([]) { world in
            try await world.startMonitoring()
            let bundle = try await FixtureBundle(world)
            bundle.closeGate()
            let recorder = try world.record(.monitor)
            try await world.publish(["intervalDidStart:", "intervalDidEnd:"])
            let pid = try await Self.waitForProcess(world, bundle)
            _ = try await world.call(ExtensionRemove.self, ExtensionRemove.Params(id: bundle.id))
            _ = try await recorder.wait(for: "two failures") {
                try $0.all(CallbackFailed.self).count == 2 ? true : nil
            }
            try await Self.expectGone(pid)
            let left = try await world.call(ExtensionList.self, Nothing()).extensions
            #expect(!left.contains { $0.id == bundle.id })
        }
    }

    /// The pid of the program once it is inside of a callback.
    @LoopActor static func waitForProcess(
        _ world: World, _ bundle: FixtureBundle, lines: Int = 1
    ) async throws -> Int32 {
        try await world.eventually("inside of callback \(lines)") { bundle.lines("callbacks").count >= lines }
        let listed = try await world.call(ExtensionList.self, Nothing()).extensions
        // Inside of its namespace it has another number.
        return try #require(listed.first { $0.id == bundle.id }?.pid.flatMap { Int32($0) })
    }

    /// Waits until a process that is not our child is gone.
    @LoopActor static func expectGone(_ pid: Int32) async throws {
        let descriptor = pidfd_open(pid, 0)
        guard descriptor >= 0 else { return }
        defer { close(descriptor) }
        let gone = Expectation<Bool>("process \(pid) ends")
        let token = Reactor.shared.watch(descriptor: descriptor) { gone.fulfil(true) }
        _ = try await gone.wait()
        Reactor.shared.forget(token)
    }
}
