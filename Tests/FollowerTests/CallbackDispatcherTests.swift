import Bus
import Contract
import ExtensionLink
import Foundation
import Hosting
import JSON
import Loop
import ScreenTimeTesting
import Store
import Testing
import Time
import Units

@testable import MonitorCore
@testable import ServiceKit

/// A delivery step whose commit failed is repeated once, however many turns fail in between.
@Suite(.serialized) @LoopActor struct CallbackDispatcherTests {
    /// A service with one delivery that had begun.
    private static func core(
        _ directory: TestDirectory, _ program: ExtensionRecord, failures: Int64 = 0
    ) throws -> (MonitorService, StoredDelivery) {
        let core = try MonitorService(try directory.configuration(), clock: StandingClock())
        try core.start()
        let service = core.service
        var running = StoredDelivery(
            delivery: Delivery(
                callback: "intervalDidStart",
                about: ActivityCallback(client: program.client, member: "uid-0", activity: "a"),
                state: .running),
            traceparent: TraceContext.root().traceparent)
        running.delivery.program = program.id
        running = running.begun(now: 0)
        running.failures = failures
        try service.transact(trace: nil) { transaction in
            try transaction.database.run(
                "INSERT INTO extension (id, body) VALUES (?1, ?2)", program.id, program.encoded())
            running = try #require(try core.table.insert(running))
        }
        service.endTurn()
        return (core, running)
    }

    /// It had returned before the service ended, as its journal shows.
    private static func noteReturn(of running: StoredDelivery, _ service: Service) throws {
        let journal = Wire.journal(delivery: try #require(running.receipt), attempt: 1)
        let state = service.configuration.stateDirectory
        try Data(journal).write(
            to: URL(fileURLWithPath: "\(state)/monitor-runner/returned/\(program.id)"))
    }

    /// Otherwise its callback would be repeated though it returned.
    @Test func aReturnIsFoundThoughTheFirstReadFails() async throws {
        let directory = try TestDirectory()
        let (core, running) = try Self.core(directory, Self.program)
        let service = core.service
        try Self.noteReturn(of: running, service)
        core.place(Self.program)
        try service.database.run("ALTER TABLE delivery RENAME TO hidden")
        core.dispatchers[Self.program.id]?.recover()
        try service.database.run("ALTER TABLE hidden RENAME TO delivery")
        try await untilTurn("the delivery ends") {
            try !core.table.finished(after: 0, limit: 10).isEmpty
        }
        let finished = try core.table.finished(after: 0, limit: 10)
        #expect(finished.map(\.state) == [.delivered] && finished.map(\.attempt) == [1])
        service.close()
    }

    private static let program = ExtensionRecord(
        id: "org.example.monitor", client: "org.example.c", point: .monitor, path: "/nowhere",
        executable: "/nowhere/program")

    /// A callback that was waiting when its approval was revoked is not delivered after a new approval.
    @Test func aRevokedCallbackStaysRevoked() async throws {
        let directory = try TestDirectory()
        let auth = try RestorableOwner(.auth, in: directory)
        let (core, running) = try Self.core(directory, Self.program)
        func publish(_ status: AuthorizationStatus, revoked: Bool) async throws {
            let right = Authorization(
                id: "r", client: Self.program.client, member: running.delivery.about.member, status: status,
                access: !revoked, decided: 1)
            try auth.publish(AuthorizationChanged(authorization: right, revoked: revoked))
            try auth.service.endTurn()
            let head = try auth.service.head
            try await untilTurn("it is read") { core.service.followers[.auth]?.report.sequence == head }
        }
        try await publish(.denied, revoked: true)
        try await publish(.approved, revoked: false)
        core.place(Self.program)
        core.dispatchers[Self.program.id]?.recover()
        try await untilTurn("the delivery ends") {
            try !core.table.finished(after: 0, limit: 10).isEmpty
        }
        let finished = try core.table.finished(after: 0, limit: 10)
        #expect(finished.map(\.error) == [StoredDelivery.revoked])
        core.service.close()
        auth.stop()
    }

    /// The new approval and what it registers may be heard of before the revocation.
    @Test(arguments: [1, 2] as [Int64])
    func whatIsRegisteredAfterARevocationIsNotRevoked(registered: Int64) async throws {
        let directory = try TestDirectory()
        let auth = try RestorableOwner(.auth, in: directory)
        let (core, running) = try Self.core(directory, Self.program)
        try core.service.database.run(
            "UPDATE delivery SET body = CAST(json_set(CAST(body AS TEXT), '$.about.registered_ms', ?1) AS BLOB)",
            registered)
        for status in [AuthorizationStatus.denied, .approved] {
            let right = Authorization(
                id: "r", client: Self.program.client, member: running.delivery.about.member, status: status,
                access: status == .approved, decided: 1)
            try auth.publish(AuthorizationChanged(authorization: right, revoked: status == .denied))
        }
        try auth.service.endTurn()
        let head = try auth.service.head
        try await untilTurn("both are read") { core.service.followers[.auth]?.report.sequence == head }
        #expect(try core.table.isRevoked(running.delivery) == (registered == 1))
        core.service.close()
        auth.stop()
    }

    /// A delivery that is forgotten while it is in progress, or that failed because its extension was
    /// removed, publishes nothing when it ends.
    @Test(arguments: ["DELETE FROM delivery", "UPDATE delivery SET state = 'failed'"])
    func ofADeliveryThatIsOverNothingMoreIsTold(change: String) async throws {
        let directory = try TestDirectory()
        // Its next failure is the last one: there is no program.
        let (core, _) = try Self.core(directory, Self.program, failures: MonitorLimits.failuresMax)
        let service = core.service
        core.place(Self.program)
        let dispatcher = try #require(core.dispatchers[Self.program.id])
        dispatcher.recover()
        #expect(dispatcher.unfinished != nil)
        try service.transact(trace: nil) { try $0.database.run(change) }
        let end = MonotonicClock.now + 180_000
        while dispatcher.unfinished != nil, MonotonicClock.now < end {
            service.endTurn()
            let later = Expectation<Void>("a turn")
            EventLoop.main.after(1) { later.fulfil(()) }
            try await later.wait()
        }
        #expect(dispatcher.unfinished == nil)
        let told = try service.eventLog.page(
            after: 0, types: [CallbackDelivered.type, CallbackFailed.type], limit: 10, bytesMax: 100_000)
        #expect(told.events.isEmpty)
        let others = "SELECT count(*) FROM delivery WHERE state <> 'failed' OR failures > 5"
        #expect(try service.database.integer(others) == 0)
        service.close()
    }

    /// A callback that comes in the turn in which its extension is removed waits for nobody, and not for a
    /// later extension of that name. If the removal is undone, so is that.
    @Test(arguments: [false, true]) func whatComesWithTheRemovalDoesNotWait(isUndone: Bool) throws {
        let directory = try TestDirectory()
        let (core, _) = try Self.core(directory, Self.program)
        let service = core.service
        core.place(Self.program)
        let faults = CommitFaults(service.database)
        faults.failsCommit = { isUndone }
        let about = ActivityCallback(client: Self.program.client, member: "uid-0", activity: "b")
        try service.transact(trace: nil) { transaction in
            _ = try core.remove(Self.program.id, transaction)
            try core.apply(about, .intervalDidStart, transaction)
        }
        service.endTurn()
        let waiting = try core.table.unfinished(of: Self.program.id, limit: 10)
        let ended = try core.table.finished(after: 0, limit: 10)
        #expect(waiting.count == (isUndone ? 1 : 0) && ended.count == (isUndone ? 0 : 2))
        #expect((core.dispatchers[Self.program.id] != nil) == isUndone)
        service.close()
    }

    @Test(arguments: [1, 2, 5]) func aStepIsTakenAgainOnce(failures: Int) async throws {
        let directory = try TestDirectory()
        let program = Self.program
        let (core, running) = try Self.core(directory, program)
        let service = core.service
        try Self.noteReturn(of: running, service)
        core.place(program)

        let faults = CommitFaults(service.database)
        faults.failsCommit = { true }
        core.dispatchers[program.id]?.recover()
        service.endTurn()
        for _ in 1..<failures {
            try service.transact(trace: nil) { try Settings($0.database).set("anything", "1") }
            service.endTurn()
        }
        #expect(faults.failures == failures)
        faults.failsCommit = { false }
        // All retries armed until now run before this one ends.
        let over = Expectation<Void>("the retries")
        EventLoop.main.after(Service.retryPause + 20) { over.fulfil(()) }
        try await over.wait()
        let told = try service.eventLog.page(
            after: 0, types: [CallbackDelivered.type], limit: 10, bytesMax: 100_000)
        #expect(told.events.count == 1)
        #expect(try core.table.finished(after: 0, limit: 10).map(\.state) == [.delivered])
        service.close()
    }

    /// The program noted its return and ended before it could answer: the callback is not repeated.
    @Test func aReturnWithoutAnAnswerIsADelivery() async throws {
        let directory = try TestDirectory()
        let runner = DirectedRunner()
        runner.takes = { program, sent in
            // Only callbacks are sent; without one the test finds nothing.
            guard let callback = try? CallbackParams.decode(sent.params.bytes) else { return }
            runner.journal = (callback.delivery, callback.attempt)
            EventLoop.main.inNextTurn {
                program.end()
                program.events.cleared(nil)
            }
        }
        let core = try MonitorService(
            try Service(
                .monitor, configuration: try directory.configuration(),
                migrations: MonitorService.migrations, clock: StandingClock()),
            runner: runner)
        try core.start()
        let service = core.service
        var program = Self.program
        (program.id, program.client) = (BuiltInClient.limits + ".monitor", BuiltInClient.limits)
        var waiting = StoredDelivery(
            delivery: Delivery(
                callback: "intervalDidStart",
                about: ActivityCallback(client: program.client, member: "uid-0", activity: "a"),
                state: .waiting),
            traceparent: TraceContext.root().traceparent)
        waiting.delivery.program = program.id
        try service.transact(trace: nil) { _ in _ = try core.table.insert(waiting) }
        service.endTurn()
        core.place(program)
        core.dispatchers[program.id]?.recover()
        var delivered: [Delivery] = []
        try await untilTurn {
            delivered = try core.table.finished(after: 0, limit: 10)
            return !delivered.isEmpty
        }
        #expect(delivered.map(\.state) == [.delivered])
        #expect(delivered.map(\.attempt) == [1])
        #expect(runner.programs.map(\.sent.count) == [1])
        service.close()
    }

    /// A callback fails once; before it is tried again the clock is set back by two hours.
    @Test(arguments: [0, 7_200_000])
    func aCallbackIsTriedAgainAfterTheClockWasSetBack(by step: Int64) async throws {
        let directory = try TestDirectory()
        let runner = DirectedRunner()
        var calls = 0
        runner.takes = { program, _ in
            calls += 1
            if calls == 1 {
                return EventLoop.main.inNextTurn {
                    program.end()
                    program.events.cleared(nil)
                }
            }
            EventLoop.main.inNextTurn { program.answer() }
        }
        let clock = HandClock()
        let core = try MonitorService(
            try Service(
                .monitor, configuration: try directory.configuration(),
                migrations: MonitorService.migrations, clock: clock),
            runner: runner)
        try core.start()
        let service = core.service
        core.place(Self.program)
        func happens(_ activity: String) throws {
            let about = ActivityCallback(
                client: Self.program.client, member: "uid-0", activity: activity, registration: 1,
                occurrenceStart: 500, registered: 1_000)
            try service.transact(trace: nil) { try core.apply(about, .intervalDidStart, $0) }
            service.endTurn()
        }
        try happens("a")
        try await untilTurn {
            let waiting = try core.table.unfinished(of: Self.program.id, limit: 1)
            return waiting.first?.delivery.error != nil
        }
        clock.now = clock.now - Milliseconds(step)
        // What the machine's clock does when it was set.
        clock.fire()
        try happens("b")
        clock.now = clock.now + 300_000
        clock.fire()
        try await untilTurn { try core.table.finished(after: 0, limit: 10).count == 2 }
        service.close()
    }
}
