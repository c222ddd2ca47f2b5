import Contract
import ExtensionLink
import Hosting
import JSON
import Loop
import ScreenTimeTesting
import Units

/// Programs that do what a test says, when it says it.
@LoopActor final class DirectedRunner: ProgramRunner {
    let trouble: ServiceError? = nil
    let confinement: ProgramConfinement? = nil
    /// Why no program can be started.
    var obstacle: ServiceError?
    /// Whether the copy was compared since it was touched.
    var isVerified = true
    /// What a program does with a request; nil: nothing.
    var takes: (@LoopActor (DirectedProgram, DirectedProgram.Sent) -> Void)?
    /// The last delivery that the journal says returned.
    var journal: (delivery: Int64, attempt: Int64) = (0, 0)
    /// All programs that were started, in order.
    private(set) var programs: [DirectedProgram] = []
    private var verifying: [CheckedContinuation<ServiceError?, Never>] = []
    /// Number of comparisons that were begun.
    private(set) var verifications = 0

    func check(_ program: ExtensionRecord) {}
    func isVerified(_ program: ExtensionRecord) -> Bool { isVerified }
    func verify(_ program: ExtensionRecord) async throws(ServiceError) {
        let failure = await withCheckedContinuation { continuation in
            verifying.append(continuation)
            verifications += 1
        }
        if let failure { throw failure }
    }
    func find(_ program: ExtensionRecord) {}
    func hasReturned(_ id: String, delivery: Int64, attempt: Int64) -> Bool {
        journal == (delivery, attempt)
    }
    func builtIn() -> [(id: String, record: Result<ExtensionRecord, ServiceError>)] { [] }
    func start(
        _ program: ExtensionRecord, for purpose: HostedPurpose, _ budget: ExtensionBudget,
        _ events: RunningProgramEvents
    ) throws(ServiceError) -> any RunningProgram {
        if let obstacle { throw obstacle }
        let started = DirectedProgram(pid: Int32(programs.count + 1), self, events)
        programs.append(started)
        return started
    }

    /// Ends the comparison that was begun first.
    func verified(_ failure: ServiceError? = nil) {
        isVerified = failure == nil
        verifying.removeFirst().resume(returning: failure)
    }

    /// The number-th program, when it was started and has got so many requests.
    func program(_ number: Int, sent count: Int = 1) async throws -> DirectedProgram {
        try await untilTurn {
            self.programs.count >= number && self.programs[number - 1].sent.count >= count
        }
        return programs[number - 1]
    }
}

/// Suspends until something is true at the end of a turn of this process.
@LoopActor func untilTurn(
    _ what: String = "what a turn does", _ isTrue: @escaping @LoopActor () throws -> Bool
) async throws {
    guard try !isTrue() else { return }
    let expectation = Expectation<Void>(what)
    let hook = EventLoop.main.atEndOfTurn {
        // What cannot be read now is read after the next turn.
        if (try? isTrue()) == true { expectation.fulfil(()) }
    }
    defer { EventLoop.main.forget(hook) }
    try await expectation.wait()
}

/// Goes on once a clock shows a later time, for which nothing needs to happen.
@LoopActor func untilLater(than time: Instant, _ now: @LoopActor () -> Instant) async {
    while now() <= time { await Task.yield() }
}

/// One of its programs.
@LoopActor final class DirectedProgram: RunningProgram {
    struct Sent: Equatable {
        var id: Int64
        var method: String
        var params: RawJSON
    }

    let pid: Int32
    var lines: [String] = []
    let confinement: ProgramConfinement? = nil
    let began: Milliseconds? = nil
    let home = "/nowhere"
    let groups: [AppGroup] = []
    let events: RunningProgramEvents
    private(set) var sent: [Sent] = []
    private(set) var isFinished = false
    /// Why it was killed.
    private(set) var destroyed: [String] = []
    private unowned let runner: DirectedRunner

    init(pid: Int32, _ runner: DirectedRunner, _ events: RunningProgramEvents) {
        self.pid = pid
        self.runner = runner
        self.events = events
    }

    func mark() {}
    func measure() -> MeasuredUse? { MeasuredUse(processor: 3, memoryBytes: 4_096) }
    func send(_ id: Int64, _ method: String, _ params: RawJSON, deadline: Milliseconds) {
        let one = Sent(id: id, method: method, params: params)
        sent.append(one)
        runner.takes?(self, one)
    }
    func finish() {
        isFinished = true
    }
    func destroy(_ reason: String) {
        destroyed.append(reason)
    }
    func destroy(_ excess: Excess) {
        events.exceeded(excess)
        destroy(excess.sentence)
    }

    // MARK: what it does

    /// Answers its last request.
    func answer(_ result: Result<RawJSON, ServiceError> = .success(RawJSON(encoding: Nothing()))) {
        events.answered(sent.last?.id ?? 0, result)
    }

    /// Ends; its files are not removed yet.
    func end(_ reason: String = "it crashed") { events.ended(ProcessEnd(reason: reason, fault: .program)) }
}
