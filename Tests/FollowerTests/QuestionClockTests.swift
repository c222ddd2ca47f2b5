import Bus
import Contract
import Loop
import ScreenTimeTesting
import Testing
import Units

@testable import AuthCore
@testable import ServiceKit

/// Deadlines of questions, in a service whose clock a test moves.
@Suite(.serialized) @LoopActor struct QuestionClockTests {
    private static func started(isTimeVirtual: Bool) throws -> (HandClock, AuthService) {
        let clock = HandClock()
        // The directory is removed with the process.
        let core = try AuthService(try TestDirectory().configuration(), clock: clock)
        core.isTimeVirtual = { isTimeVirtual }
        try core.start()
        return (clock, core)
    }

    private static func ask(
        _ core: AuthService, _ key: String, _ left: Milliseconds
    ) throws {
        try core.service.transact(trace: nil) { _ in
            try core.askers.insert(
                Asker(
                    caller: "0 app", key: key, params: [], authorization: "a",
                    traceparent: TraceContext.root().traceparent, deadline: core.service.clock.now + left))
        }
        core.armDeadline()
        core.service.endTurn()
    }

    /// The caller's own deadline, on the monotonic clock, has not passed.
    @Test func aClockSetForwardEndsNoQuestion() async throws {
        let (clock, core) = try Self.started(isTimeVirtual: false)
        try Self.ask(core, "long", 3_600_000)
        clock.now = clock.now + 7_200_000
        clock.fire()
        core.armDeadline()
        try Self.ask(core, "short", 50)
        try await untilTurn("the short one has ended") { try core.askers.waiting().map(\.key) == ["long"] }
        core.service.close()
    }

    /// The caller has gone long ago, whatever the clock says.
    @Test func aClockSetBackProlongsNoQuestion() async throws {
        let (clock, core) = try Self.started(isTimeVirtual: false)
        try Self.ask(core, "k", 50)
        clock.now = clock.now - 3_600_000
        try await untilTurn("it has ended") { try core.askers.waiting().isEmpty }
        core.service.close()
    }

    /// An end that is undone changes no deadline.
    @Test func aFailedCommitProlongsNoQuestion() async throws {
        let (clock, core) = try Self.started(isTimeVirtual: false)
        try Self.ask(core, "k", 50)
        clock.now = clock.now - 3_600_000
        let faults = CommitFaults(core.service.database)
        faults.failsCommit = { faults.failures < 2 }
        try await untilTurn("it has ended") {
            try core.askers.waiting().isEmpty && !core.service.hasUncommitted
        }
        #expect(faults.failures == 2)
        core.service.close()
    }

    @Test func underAVirtualClockTheyRunOutByIt() async throws {
        let (clock, core) = try Self.started(isTimeVirtual: true)
        try Self.ask(core, "k", 600_000)
        clock.now = clock.now + 600_000
        clock.fire()
        core.service.endTurn()
        #expect(try core.askers.waiting().isEmpty)
        core.service.close()
    }
}
