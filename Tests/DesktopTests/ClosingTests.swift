import CPosix
import Glibc
import Loop
import ScreenTimeTesting
import Testing

@testable import DesktopCore

/// How an app is closed that the person wants closed: nothing that can be saved is lost.
@Suite @LoopActor struct ClosingTests {
    /// A program that handles signals, its closing, and what became of it.
    @LoopActor final class Room {
        let child: Child
        let closing: Closing
        private let outcome = ScreenTimeTesting.Expectation<Closing.Outcome>("an outcome")
        private let scratch = try? ScratchDirectory()

        /// - Parameter handlers: in Perl.
        init(_ handlers: String, _ patience: Closing.Patience) throws {
            let ready = (scratch?.path ?? "") + "/ready"
            child = try Child(
                ["perl", "-e", "\(handlers); open(F, '>', '\(ready)'); close(F); sleep 1000 while 1"])
            try awaitFile(ready)
            let process = try identity(of: child)
            closing = Closing([process], patience: patience) {
                [process]
            } end: { [outcome] in
                outcome.fulfil($0)
            }
        }

        func end() async throws -> Closing.Outcome { try await outcome.wait() }
    }

    static let hasty = Closing.Patience(save: 20, answer: 50, end: 20)
    /// No step of this one follows by time.
    static let patient = Closing.Patience(save: 600_000, answer: 600_000, end: 600_000)

    @Test func anAppThatClosesItselfGetsNoSignal() async throws {
        let room = try Room("$SIG{USR1} = sub { exit 3 }; $SIG{TERM} = sub { exit 4 }", Self.patient)
        room.closing.start(wereAsked: true)
        kill(room.child.pid, SIGUSR1)
        #expect(try await room.end() == .closed)
        #expect(room.child.wait() == 3)
    }

    /// It may ask something in its own window, which nobody sees behind the cover.
    @Test(arguments: [false, true]) func anAppThatDoesNotCloseStays(wereAsked: Bool) async throws {
        let patience = wereAsked ? Self.hasty : Self.patient
        let room = try Room("$SIG{TERM} = sub { exit 4 }", patience)
        room.closing.start(wereAsked: wereAsked)
        #expect(try await room.end() == .stayed)
        #expect(kill(room.child.pid, 0) == 0)
    }

    /// It has processes that nobody had asked.
    @Test func anAppThatStaysAtItsLastClosingIsEnded() async throws {
        let room = try Room("$SIG{TERM} = sub { exit 4 }", Self.hasty)
        room.closing.start(wereAsked: true, isLast: true)
        #expect(try await room.end() == .terminated)
        #expect(room.child.wait() == 4)
    }

    @Test func theTimeForAnswersIsSpentOnce() async throws {
        let room = try Room("", Closing.Patience(save: 600_000, answer: 40, end: 20))
        #expect(room.closing.mayAsk && room.closing.answerLeft == 40)
        var changes: [[UInt32]] = []
        room.closing.onQuestions = { [unowned closing = room.closing] in changes.append(closing.questions) }
        room.closing.start(wereAsked: true)
        room.closing.asks(7)
        room.closing.asks(8)
        room.closing.windowClosed(7)
        #expect(changes == [[7], [7, 8], [8]])
        #expect(try await room.end() == .stayed)
        let next = try Room("", .init(save: 20, answer: room.closing.answerLeft, end: 20))
        #expect(!next.closing.mayAsk)
        next.closing.start(wereAsked: true)
        next.closing.asks(9)
        #expect(next.closing.questions.isEmpty)
        #expect(try await next.end() == .stayed)
    }

    @Test func anAppThatIsEndedGetsASignalAtOnce() async throws {
        let room = try Room("$SIG{TERM} = sub { exit 4 }", Self.patient)
        room.closing.force()
        #expect(try await room.end() == .terminated)
        #expect(room.child.wait() == 4)
    }

    @Test func anAppThatIgnoresEverythingIsKilled() async throws {
        let room = try Room("$SIG{TERM} = 'IGNORE'", Self.hasty)
        room.closing.force()
        #expect(try await room.end() == .killed)
        #expect(room.child.wait() == 128 + SIGKILL)
    }

    @Test func anAppThatAsksSomethingIsNeverEnded() async throws {
        let room = try Room("", Self.hasty)
        room.closing.start(wereAsked: true)
        room.closing.asks(7)
        #expect(room.closing.questions == [7])
        #expect(try await room.end() == .stayed)
        #expect(kill(room.child.pid, 0) == 0)
    }

    /// Otherwise an app that asks again and again would run for ever.
    @Test func allQuestionsTogetherHaveOneLimit() async throws {
        let room = try Room("", Closing.Patience(save: 600_000, answer: 100, end: 20))
        room.closing.start(wereAsked: true)
        room.closing.asks(7)
        EventLoop.main.after(50) { room.closing.asks(8) }
        let hasEnded = ScreenTimeTesting.Expectation<Bool>("the time after its limit")
        // On a busy machine all timers may fire in one round, and what they arm in the next one.
        EventLoop.main.after(120) { EventLoop.main.after(0) { hasEnded.fulfil(room.closing.hasEnded) } }
        #expect(try await room.end() == .stayed)
        #expect(kill(room.child.pid, 0) == 0)
        #expect(try await hasEnded.wait())
    }

    @Test func aQuestionDoesNotStopSignalsOfAnAppThatIsEnded() async throws {
        let room = try Room("$SIG{TERM} = 'IGNORE'", Self.hasty)
        room.closing.force()
        let token = EventLoop.main.atEndOfTurn { room.closing.asks(8) }
        defer { EventLoop.main.forget(token) }
        #expect(try await room.end() == .killed)
    }

    @Test func anAnsweredQuestionThatClosesNothingLeavesTheApp() async throws {
        let room = try Room("", Closing.Patience(save: 20, answer: 600_000, end: 20))
        room.closing.start(wereAsked: true)
        room.closing.asks(7)
        room.closing.windowClosed(7)
        #expect(try await room.end() == .stayed)
        #expect(kill(room.child.pid, 0) == 0)
    }

    @Test func aCancelledClosingDoesNothingMore() async throws {
        let room = try Room("", Self.hasty)
        let other = try Room("$SIG{TERM} = 'IGNORE'", Self.hasty)
        room.closing.start(wereAsked: true)
        other.closing.force()
        room.closing.cancel()
        #expect(try await other.end() == .killed, "its steps come after those of the first")
        #expect(kill(room.child.pid, 0) == 0)
    }
}
