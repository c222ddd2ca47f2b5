import Bus
import Contract
import Foundation
import TestSupport
import Testing

/// A client sends what is open again over each new connection, which may lead to the same service: a write is
/// done once.
@Suite struct RepeatedRunTests {
    @Test func aCallbackThatIsAskedForTwiceRunsOnce() async throws {
        try await World.with([]) { world in
            try await world.startMonitoring()
            let bundle = try await FixtureBundle(world)
            bundle.closeGate()
            @BusActor func run() async throws -> ExtensionRun.Result {
                try await world.call(
                    ExtensionRun.self, .init(id: bundle.id, callback: .intervalDidStart, activity: "daily"),
                    deadlineMs: 60_000, idempotencyKey: "once")
            }
            let first = Task { @BusActor in try await run() }
            try await world.eventually("the callback began") { !bundle.callbacks.isEmpty }
            let second = Task { @BusActor in try await run() }
            try await world.eventually("the second is known to be the first") {
                try await world.health(.monitor).counters.first { $0.name == "repeated_writes" }?.count == 1
            }
            await bundle.openGate(bundle.files)
            let answer = try await first.value
            #expect(try await second.value == answer)
            // An answer that was lost is asked for again.
            #expect(try await run() == answer)
            #expect(bundle.callbacks.count == 1, "\(bundle.callbacks)")
            let other = await refusal {
                try await world.call(
                    ExtensionRun.self, .init(id: bundle.id, callback: .intervalDidEnd, activity: "daily"),
                    idempotencyKey: "once")
            }
            #expect(other == .idempotencyConflict)
        }
    }
}
