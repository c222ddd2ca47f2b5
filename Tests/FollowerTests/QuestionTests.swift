import Bus
import Contract
import Loop
import ScreenTimeTesting
import Testing
import Units

@testable import AuthCore
@testable import NotifierCore
@testable import ServiceKit
@testable import Store

/// Questions to the person, while a service is away, several ask, or the clock jumps.
@Suite @LoopActor struct QuestionTests {
    /// The notifier is away while the person decides in a terminal, and auth-service starts again meanwhile.
    @Test(arguments: [false, true])
    func aDecidedQuestionLeavesTheScreen(withRestart: Bool) async throws {
        let room = try QuestionRoom()
        try room.show()
        let asking = room.ask()
        _ = try await room.question()
        try await untilTurn("it is shown") { room.desktop.shown.count == 1 }
        try await untilTurn("the notifier knows it") {
            guard let notifier = room.notifier else { return false }
            return try notifier.table.all(.delivered).count == 1 && !notifier.service.hasUncommitted
        }
        room.hide()
        try await room.decide(.approve)
        #expect(try await asking.value.status == .approved)
        if withRestart { try room.restartAuth() }
        try room.show()
        try await untilTurn("it is closed") { !room.desktop.closed.isEmpty }
        try await untilTurn("it is not to be withdrawn again") {
            try room.auth.questions.firstOver() == nil && !room.auth.service.hasUncommitted
        }
        #expect(try room.notifier?.table.all(.delivered).isEmpty == true)
        room.close()
    }

    /// It may say a time before the question.
    @Test func aButtonCountsAfterTheClockWasSetBack() async throws {
        let room = try QuestionRoom()
        try room.show()
        let asking = room.ask()
        let asked = try await room.question()
        try await untilTurn("it is shown") { room.desktop.shown.count == 1 }
        var later = asked
        later.requested = asked.requested + 3_600_000
        try room.auth.service.transact(trace: nil) { _ in try room.auth.authorizations.save(later) }
        try await room.press(.approve)
        #expect(try await asking.value.status == .approved)
        room.close()
    }

    /// A button of the first question does not answer the second, whatever the clock says.
    @Test func aButtonOfAnEarlierQuestionDoesNotCount() async throws {
        let room = try QuestionRoom()
        let first = room.ask()
        let asked = try await room.question()
        let earlier = try #require(try room.auth.questions.open(asked.id))
        try await room.decide(.deny)
        await #expect(throws: ServiceError.self) { try await first.value }
        let second = room.ask()
        _ = try await room.question()
        let later = try #require(try room.auth.questions.open(asked.id))
        #expect(later.identifier != earlier.identifier)
        #expect(try room.auth.questions.open(identifier: earlier.identifier) == nil)
        try room.show()
        // An attempt to show the first may have been under way.
        try await untilTurn("the second is shown") { room.desktop.shown.last == later.identifier }
        try await room.press(.approve)
        #expect(try await second.value.status == .approved)
        room.close()
    }

    /// The first asks to see use, the second also to see names: the person is asked about each.
    @Test(arguments: [Decision.approve, .deny])
    func whoAsksForMoreIsAskedAbout(decision: Decision) async throws {
        let room = try QuestionRoom()
        let plain = room.ask()
        _ = try await room.question()
        let more = room.ask(dataAccess: true)
        _ = try await room.question(askers: 2)
        try await room.decide(.approve)
        let first = try await plain.value
        #expect(first.status == .approved && first.dataAccess != true)
        let open = try await room.question()
        #expect(open.asksDataAccess == true && open.status == .approved)
        // One that asks for no more has what it asks for.
        #expect(try await room.ask().value.status == .approved)
        try await room.decide(decision)
        let second = await more.result
        switch decision {
        case .approve: #expect(try second.get().dataAccess == true)
        case .deny: #expect(throws: ServiceError.self) { try second.get() }
        }
        let now = try #require(try room.auth.authorizations.all(client: QuestionRoom.app).first)
        #expect(now.status == .approved && !now.pending)
        #expect((now.dataAccess == true) == (decision == .approve))
        room.close()
    }

    /// A question of a version whose notifications had the identifier of their authorization.
    @Test func aQuestionOfBeforeIsStillAnswered() async throws {
        let room = try QuestionRoom()
        // In one process the server that was closed keeps its socket until the request ends.
        let asking = room.ask()
        let asked = try await room.question()
        let database = room.auth.service.database
        try database.run("DROP TABLE question")
        // What later steps make.
        for table in ["request", "request_question"] { try database.run("DROP TABLE \(table)") }
        for column in [
            "self_approval_minutes", "next_self_approval_minutes", "next_self_approval_ms", "one_more_minute",
            "forgotten_minute_ms",
        ] { try database.run("ALTER TABLE member DROP COLUMN \(column)") }
        try database.run("UPDATE schema_part SET version = 4 WHERE name = 'service'")
        room.auth.service.endTurn()
        try room.restartAuth()
        #expect(try room.auth.questions.open(asked.id)?.identifier == "authorization." + asked.id)
        try room.show()
        try await untilTurn("it is shown") { room.desktop.shown.count == 1 }
        try await room.press(.approve)
        try await untilTurn("it is decided") {
            try room.auth.authorizations.find(id: asked.id)?.status == .approved
        }
        asking.cancel()
        room.close()
    }
}
