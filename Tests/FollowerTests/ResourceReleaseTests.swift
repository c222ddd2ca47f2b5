import Contract
import Foundation
import Loop
import ScreenTimeTesting
import Testing
import Time

@testable import NotifierCore
@testable import ServiceKit

/// A closed service in a running process holds no resources: no file, timer, signals or registration in the
/// loop.
@Suite(.serialized, .timeLimit(.minutes(3))) struct ResourceReleaseTests {
    @Test(arguments: WriteCase.all)
    @LoopActor func whatWasClosedHoldsNoDescriptor(of one: WriteCase) async throws {
        // What a process makes once, and keeps.
        try CoreRun(one).close()
        let before = try await Self.descriptors()
        for _ in 0..<8 { try CoreRun(one).close() }
        // What a service does on a thread of its own, as emptying a directory at its start, still holds it.
        let deadline = MonotonicClock.now + 180_000
        var after = try await Self.descriptors()
        while after.count > before.count, MonotonicClock.now < deadline {
            after = try await Self.descriptors()
        }
        #expect(after.count <= before.count, "\(after.filter { !before.contains($0) })")
    }

    struct Surprise: Error {}

    /// As after a store that could not be read any more, in a simulation.
    @Test(arguments: WriteCase.all)
    @LoopActor func aClosedServiceIsReleasedThoughMemoryCouldNotBeUndone(of one: WriteCase) async throws {
        weak var released: Service?
        do {
            let run = try CoreRun(one)
            let service = try #require(run.service)
            released = service
            #expect(throws: ServiceError.self) {
                try service.transact(trace: nil) { transaction in
                    transaction.onUndo {
                        _ = service
                        throw Surprise()
                    }
                    throw Surprise()
                }
            }
            #expect(!service.failedUndos.isEmpty)
            run.close()
        }
        try await eventually("the service is released") { released == nil }
    }

    /// What the daemon reported waits for a commit that never comes.
    @Test @LoopActor func aNotifierIsReleasedThoughAPressedButtonIsNotKept() async throws {
        weak var released: Service?
        do {
            let run = try CoreRun(WriteCase.notifier)
            let core = try #require(run.core as? NotifierService)
            released = core.service
            _ = await run.ask(WriteCase.notifier.writes[0])
            run.faults?.failsCommit = { true }
            core.deliverer.receive(
                .actionInvoked(identifier: NotificationKey(client: nil, identifier: "n").text, key: "k"))
            core.service.endTurn()
            run.close()
        }
        try await eventually("the service is released") { released == nil }
    }

    /// What this process has open, but for sockets, which libzmq closes by a thread of its own.
    @LoopActor private static func descriptors() async throws -> [String] {
        // What the loop was about to do.
        for _ in 0..<100 { await Task.yield() }
        let directory = "/proc/self/fd"
        let numbers = try FileManager.default.contentsOfDirectory(atPath: directory)
        return numbers.compactMap { number in
            // One that is closed while it is looked at has no name.
            try? FileManager.default.destinationOfSymbolicLink(atPath: "\(directory)/\(number)")
        }.filter { !$0.hasPrefix("socket:") && !$0.contains("eventfd") && !$0.contains("eventpoll") }
    }
}
