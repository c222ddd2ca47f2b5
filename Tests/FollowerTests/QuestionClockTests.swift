import Contract
import Loop
import ScreenTimeTesting
import Testing
import Units

@testable import AuthCore
@testable import ServiceKit

/// Questions whose service has a clock that a test moves; the whole process has it then.
@Suite @LoopActor struct QuestionClockTests {
    /// The caller's own deadline has not passed.
    @Test func aClockSetForwardEndsNoQuestion() async throws {
        let room = try QuestionRoom(clockAt: 1_772_438_400_000)
        let asking = room.ask()
        let asked = try await room.question()
        let page = try #require(try ClockPage.find(in: room.configuration.stateDirectory, writable: true))
        let clock = try #require(room.auth.service.clock as? SystemClock)
        page.move(to: clock.now + 3_600_000)
        clock.fire()
        room.auth.armDeadline()
        let left = try #require(room.auth.deadlineTimer?.due) - room.auth.service.loop.now
        #expect(left > 30_000, "the question would end in \(left)")
        #expect(try room.auth.authorizations.find(id: asked.id)?.pending == true)
        try await room.decide(.approve)
        #expect(try await asking.value.status == .approved)
        room.close()
    }
}
