import Bus
import Contract
import Loop
import ScreenTimeTesting
import Store
import Testing
import Units

@testable import AuthCore
@testable import NotifierCore
@testable import ServiceKit

/// The end of a question whose commit fails: what a task of auth-service reads in that turn is undone.
@Suite(.serialized) @LoopActor struct UndoneQuestionTests {
    @LoopActor private final class Switch {
        var isOn = true
    }

    /// In each turn while the switch is on, the question is denied, and that commit fails.
    private static func denyInVain(
        _ room: QuestionRoom, _ id: String, _ faults: CommitFaults, while on: Switch
    ) -> EventLoop.Hook {
        let service = room.auth.service
        return EventLoop.main.atEndOfTurn {
            guard on.isOn else { return }
            EventLoop.main.inNextTurn {
                guard on.isOn else { return }
                faults.failsCommit = { true }
                service.hold { _ in faults.failsCommit = { false } }
                // An error of the write itself fails the test below, which counts the failed commits.
                try? service.transact(trace: nil) {
                    _ = try room.auth.decide(AuthorizationDecide.Params(id: id, decision: .deny), $0)
                }
            }
        }
    }

    private static func turns(_ count: Int) async {
        for _ in 0..<count {
            await withCheckedContinuation { continuation in
                EventLoop.main.inNextTurn { continuation.resume() }
            }
        }
    }

    @Test func theirNotificationsStay() async throws {
        let room = try QuestionRoom()
        try room.show()
        let asking = room.ask()
        let asked = try await room.question()
        try await untilTurn("the notifier knows it") {
            guard let notifier = room.notifier else { return false }
            return try notifier.table.all(.delivered).count == 1 && !notifier.service.hasUncommitted
        }
        let faults = CommitFaults(room.auth.service.database)
        for _ in 0..<20 {
            let on = Switch()
            room.auth.withdrawQuestions()
            let hook = Self.denyInVain(room, asked.id, faults, while: on)
            await Self.turns(6)
            on.isOn = false
            EventLoop.main.forget(hook)
            await Self.turns(4)
        }
        #expect(faults.failures > 20)
        #expect(try room.auth.questions.open(asked.id) != nil)
        try await untilTurn("nothing is being withdrawn") { !room.auth.isWithdrawing }
        #expect(room.desktop.closed.isEmpty)
        asking.cancel()
        room.close()
    }

    @Test func theyAreShownWhenTheNotifierComes() async throws {
        let room = try QuestionRoom()
        let asking = room.ask()
        let asked = try await room.question()
        let faults = CommitFaults(room.auth.service.database)
        let on = Switch()
        let hook = Self.denyInVain(room, asked.id, faults, while: on)
        // The first attempt reads what is not committed.
        await Self.turns(200)
        on.isOn = false
        EventLoop.main.forget(hook)
        await Self.turns(4)
        #expect(faults.failures > 20)
        #expect(try room.auth.questions.open(asked.id) != nil)
        try room.show()
        try await untilTurn("it is shown") { room.desktop.shown.count == 1 }
        asking.cancel()
        room.close()
    }
}
