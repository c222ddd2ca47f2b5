import Contract
import ExtensionLink
import JSON
import Loop
import ScreenTimeTesting
import ServiceKit
import Testing
import Units

@testable import Hosting

/// The states of a hosted extension, each with what can happen in it; its programs do what the test says.
@Suite(.serialized) @LoopActor struct HostedExtensionTests {
    private let directory: TestDirectory
    private let service: Service
    private let runner = DirectedRunner()
    private let hosted: HostedExtension
    private let overBudget = Told<ExtensionOverBudget>()
    private let told = Told<ExtensionRecord>()

    private final class Told<Value> { var values: [Value] = [] }

    init() throws { try self.init(idle: 60_000) }

    private init(idle: Milliseconds) throws {
        directory = try TestDirectory()
        var configuration = try directory.configuration()
        configuration.extensionIdle = idle
        service = try Service(.monitor, configuration: configuration, migrations: [])
        let host = try ExtensionHosting(service, runner)
        let program = ExtensionRecord(
            id: BuiltInClient.limits + ".monitor", client: BuiltInClient.limits, point: .monitor,
            path: "/nowhere", executable: "/nowhere/program")
        hosted = HostedExtension(program, host)
        host.onOverBudget = { [overBudget] event, _ in overBudget.values.append(event) }
        host.onChange = { [told] in told.values.append($0) }
    }

    /// Sends a request; the task has its result.
    private func ask(
        _ method: String = Wire.callbackMethod, deadline: Milliseconds = 60_000, patient: Bool = true
    ) -> Task<Result<RawJSON, HostedFailure>, Never> {
        let request = HostedRequest(
            method: method, params: RawJSON(encoding: Nothing()), callback: method, deadline: deadline,
            ignoresRestartDelay: patient)
        return Task { [hosted] in
            do throws(HostedFailure) { return .success(try await hosted.request(request)) } catch {
                return .failure(error)
            }
        }
    }

    private func failure(
        _ task: Task<Result<RawJSON, HostedFailure>, Never>
    ) async -> HostedFailure? {
        if case .failure(let failure) = await task.value { failure } else { nil }
    }

    /// Suspends until a timer fires that is armed now.
    private func timer(_ delay: Milliseconds) async throws {
        let fired = Expectation<Void>("a timer")
        EventLoop.main.after(delay) { fired.fulfil(()) }
        try await fired.wait()
    }

    private var isIdle: Bool { if case .idle = hosted.state { true } else { false } }
    private var isStopped: Bool { if case .stopped = hosted.state { true } else { false } }
    private var isClearing: Bool { if case .clearing = hosted.state { true } else { false } }

    /// A program that has answered once and waits.
    private func idle() async throws -> DirectedProgram {
        let first = ask("a")
        let program = try await runner.program(1)
        program.answer()
        _ = try await first.value.get()
        return program
    }

    // MARK: stopped and verifying

    @Test func requestsWaitWhileTheCopyIsCompared() async throws {
        runner.isVerified = false
        let tasks = [ask("a"), ask("b")]
        try await untilTurn { runner.verifications == 1 && hosted.queue.count == 2 }
        #expect(runner.programs.isEmpty && hosted.run == nil)
        runner.verified()
        let program = try await runner.program(1)
        #expect(program.sent.map(\.method) == ["a"])
        program.answer()
        _ = try await tasks[0].value.get()
        #expect(program.sent.map(\.method) == ["a", "b"])
        program.answer()
        _ = try await tasks[1].value.get()
        #expect(runner.programs.count == 1 && runner.verifications == 1 && hosted.record.starts == 1)
        #expect(hosted.record.measured?.memoryBytes == 4_096)
    }

    @Test func aCopyThatDiffersFailsOneRequestAndIsComparedAgain() async throws {
        runner.isVerified = false
        let tasks = [ask("a"), ask("b")]
        try await untilTurn { hosted.queue.count == 2 }
        runner.verified(ServiceError(.storageDamaged, "the copy differs", remedy: "Install it again."))
        #expect(await failure(tasks[0])?.kind == .notStarted)
        #expect(hosted.program.lastError == "the copy differs")
        try await untilTurn { runner.verifications == 2 }
        runner.verified()
        let program = try await runner.program(1)
        #expect(program.sent.map(\.method) == ["b"])
        program.answer()
        _ = try await tasks[1].value.get()
    }

    @Test func aProgramThatCannotBeStartedFailsItsRequest() async throws {
        runner.obstacle = ServiceError(.notFound, "there is no copy", remedy: "Install it.")
        let missing = await failure(ask())
        #expect(missing?.kind == .notStarted && missing?.isOfProgram == false)
        #expect(isStopped && hosted.record.failures == 0)
        runner.obstacle = nil
        let task = ask()
        try await runner.program(1).answer()
        _ = try await task.value.get()
    }

    @Test func noMoreRequestsWaitThanMay() async throws {
        let first = ask()
        _ = try await runner.program(1)
        let waiting = (0..<HostingLimits.waitingRequestsMax).map { _ in ask() }
        try await untilTurn { hosted.queue.count == HostingLimits.waitingRequestsMax }
        let refused = await failure(ask())
        #expect(refused?.error.name == .tooManyRequests && refused?.isOfProgram == false)
        hosted.retire("the test is over")
        for task in waiting + [first] { #expect(await failure(task)?.kind == .ended) }
    }

    // MARK: idle

    @Test func anIdleProcessExitsAndTheNextRequestStartsAnother() async throws {
        try await Self(idle: 40).anIdleProcessExits()
    }

    private func anIdleProcessExits() async throws {
        let first = try await idle()
        first.lines = ["bye"]
        try await untilTurn { first.isFinished }
        #expect(isStopped && !hosted.record.running && first.destroyed.isEmpty)
        let task = ask("b")
        let second = try await runner.program(2)
        // The first one ends while the second one works.
        first.end("it exited")
        first.events.cleared(nil)
        #expect(hosted.record.pid == 2 && hosted.record.failures == 0)
        second.answer()
        _ = try await task.value.get()
        second.lines = ["hello"]
        #expect(hosted.output == ["hello"])
    }

    @Test func aProcessThatDiesIdleIsNoFailureAndIsReplacedWhenItsFilesAreRemoved() async throws {
        let first = try await idle()
        first.end()
        #expect(isClearing && !hosted.record.running && hosted.record.failures == 0)
        let task = ask("b", patient: false)
        try await untilTurn { hosted.queue.count == 1 }
        #expect(runner.programs.count == 1)
        first.events.cleared(nil)
        let second = try await runner.program(2)
        second.answer()
        _ = try await task.value.get()
        // The timer of the first one's rest does nothing to the second one.
        #expect(!second.isFinished && isIdle)
    }

    @Test func anAnswerWithoutAQuestionKillsIt() async throws {
        let program = try await idle()
        #expect(isIdle)
        program.events.answered(99, .success(RawJSON(encoding: Nothing())))
        #expect(program.destroyed == ["it answered what it was not asked"])
    }

    // MARK: busy

    @Test func aProcessThatDiesFailsItsRequestOnceAndThoseBehindItWait() async throws {
        let tasks = [ask("a"), ask("b"), ask("c", patient: false)]
        let first = try await runner.program(1)
        try await untilTurn { hosted.queue.count == 2 }
        first.end("it crashed")
        let failed = await failure(tasks[0])
        #expect(failed?.kind == .ended && failed?.error.message == "it crashed")
        #expect(failed?.isOfProgram == true)
        #expect(hosted.record.failures == 1 && hosted.record.restart != nil && hosted.queue.count == 2)
        #expect(told.values.last?.failures == 1)
        first.events.cleared(nil)
        let second = try await runner.program(2)
        second.end("again")
        #expect(await failure(tasks[1])?.error.message == "again")
        second.events.cleared(nil)
        // This one does not ask for a start before the delay is over.
        #expect(await failure(tasks[2])?.error.message.contains("failed 2 times in a row") == true)
        let last = ask()
        let third = try await runner.program(3)
        third.answer()
        _ = try await last.value.get()
        #expect(hosted.record.failures == 0 && hosted.record.restart == nil)
    }

    @Test func aCallerThatIsLateLeavesTheProgramItsBudget() async throws {
        let task = ask("a", deadline: 5)
        let program = try await runner.program(1)
        #expect(await failure(task)?.kind == .late)
        #expect(program.destroyed.isEmpty && !isIdle)
        program.answer()
        #expect(isIdle)
    }

    @Test func aRequestThatWaitedTooLongIsNotBegun() async throws {
        try await Self(idle: 40).aRequestWaitsTooLong()
    }

    private func aRequestWaitsTooLong() async throws {
        let first = ask("a")
        let program = try await runner.program(1)
        let late = ask("b", deadline: 1)
        try await untilTurn { hosted.queue.count == 1 }
        try await timer(5)
        program.answer()
        _ = try await first.value.get()
        #expect(await failure(late)?.kind == .notStarted)
        // And it still rests: it exits when it is idle for too long.
        try await untilTurn { program.isFinished }
        #expect(program.sent.count == 1)
    }

    @Test func aProgramOverItsBudgetIsKilledAndItsEndSettles() async throws {
        hosted.program.budget = ExtensionBudget(memoryBytes: 1 << 20, callback: 20, processor: 1_000)
        let task = ask("a")
        let program = try await runner.program(1)
        try await untilTurn { !program.destroyed.isEmpty }
        // What it answers now is too late.
        program.answer()
        program.end("the callback took longer than 20 ms (CallbackSeconds)")
        #expect(await failure(task)?.kind == .overBudget)
        #expect(overBudget.values.map(\.what) == [.time] && overBudget.values.map(\.callback) == ["a"])
        #expect(hosted.program.lastError?.contains("CallbackSeconds") == true)
    }

    @Test func aReplacedProgramEndsAfterItsRequest() async throws {
        let task = ask("a")
        let old = try await runner.program(1)
        hosted.renew()
        #expect(!old.isFinished && hosted.record.running)
        old.answer()
        _ = try await task.value.get()
        #expect(old.isFinished && isStopped)
        old.end("it exited")
        // One that waits is replaced at once.
        let next = ask("b")
        let new = try await runner.program(2)
        new.answer()
        _ = try await next.value.get()
        hosted.renew()
        #expect(new.isFinished && isStopped)
    }

    @Test func aWriteThatNoServiceTookIsAFailureThatIsNotTheProgramsOwn() async throws {
        let task = ask()
        let program = try await runner.program(1)
        let write = SettingsWrite.Params(member: "uid-0", store: "s", settings: [], clearAll: true)
        let answered = Expectation<Void>("the answer to its write")
        var request = ProgramRequest(method: SettingsWrite.name, params: RawJSON(encoding: write))
        request.deadline = 20
        program.events.asked(request) { _ in answered.fulfil(()) }
        try await answered.wait()
        program.answer()
        let failed = await failure(task)
        #expect(failed?.kind == .refused && failed?.missedService == true && failed?.isOfProgram == false)
    }

    // MARK: the end

    @Test func finishingWaitsForTheEndOfThatProcess() async throws {
        let first = try await idle()
        hosted.renew()
        let task = ask("b")
        let second = try await runner.program(2)
        second.answer()
        _ = try await task.value.get()
        second.lines = ["second"]
        let over = Told<Bool>()
        let end = Task { [hosted] in
            await hosted.finish()
            over.values.append(true)
        }
        try await untilTurn { second.isFinished }
        // The first one, which still was exiting, is another.
        first.end("it exited")
        try await timer(1)
        #expect(over.values.isEmpty)
        second.end("it exited")
        await end.value
        #expect(hosted.output == ["second"])
    }

    @Test func finishingABusyProcessFailsItsRequest() async throws {
        let task = ask()
        let program = try await runner.program(1)
        let end = Task { [hosted] in await hosted.finish() }
        #expect(await failure(task)?.kind == .ended)
        #expect(program.isFinished)
        program.end("it exited")
        await end.value
        #expect(isStopped && hosted.record.failures == 0)
    }

    @Test(arguments: ["stopped", "verifying", "idle", "busy", "clearing"])
    func aRetiredOneDoesNothingMore(from state: String) async throws {
        var tasks: [Task<Result<RawJSON, HostedFailure>, Never>] = []
        switch state {
        case "stopped": break
        case "verifying":
            runner.isVerified = false
            tasks = [ask()]
            try await untilTurn { runner.verifications == 1 }
        case "idle": _ = try await idle()
        case "busy":
            tasks = [ask("a"), ask("b")]
            _ = try await runner.program(1)
            try await untilTurn { hosted.queue.count == 1 }
        default:
            try await idle().end()
            tasks = [ask()]
            try await untilTurn { hosted.queue.count == 1 }
        }
        hosted.retire("it was removed")
        for task in tasks { #expect(await failure(task)?.error.message == "it was removed") }
        let programs = runner.programs
        for program in programs where state != "clearing" {
            #expect(program.destroyed == ["it was removed"] && hosted.record.running)
            program.answer()
            program.end()
        }
        for program in programs { program.events.cleared(nil) }
        if state == "verifying" { runner.verified() }
        try await timer(1)
        #expect(await failure(ask())?.error.message == "the extension was removed")
        #expect(!hosted.record.running && runner.programs.count == programs.count)
        #expect(hosted.queue.isEmpty)
    }
}
