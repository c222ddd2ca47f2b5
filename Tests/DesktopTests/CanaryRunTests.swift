import Bus
import Contract
import Loop
import Testing
import Units

@testable import DesktopCore

/// The steps of a check, on a desktop on which each can fail.
@Suite @LoopActor struct CanaryRunTests {
    private static let all = EnforcementStep.allCases

    @Test func everyStepIsSeen() async {
        let stage = FakeStage(nil)
        let run = CanaryRun(stage)
        await run.run()
        #expect(run.steps.map(\.step) == Self.all && run.reason == nil)
        #expect(!run.isLimitLeft && !stage.isShielded && !stage.isRunning)
        #expect(run.steps.first { $0.step == .cover }?.took == 2 * FakeStage.pause)
    }

    /// What fails, the step that says so, and a part of its sentence.
    nonisolated private static let faults: [(FakeStage.Fault, EnforcementStep, String)] = [
        (.hindrance, .desktop, "no window manager that follows EWMH"),
        (.start, .window, "desktop-canary cannot be started"),
        (.window, .window, "the window manager has no window of desktop-canary after 5 s"),
        (.diesAtOnce, .window, "desktop-canary ended before it had a window"),
        (.limit, .limit, "the limit could not be stored: shield-service is not there"),
        (.refusal, .limit, "the limit could not be stored: the disk is full"),
        (.reach, .cover, "the limit did not reach the desktop-agent within 10 s"),
        (.cover, .cover, "no cover was on the screen within 10 s: it says so"),
        (.bare, .cover, "it was frozen without a cover: it says so"),
        (.diesUncovered, .cover, "desktop-canary ended before it was covered"),
        (.freeze, .freeze, "it still ran 12 s after it was covered: it says so"),
        (.removal, .removal, "the limit could not be removed: shield-service is not there"),
        (.thaw, .thaw, "it stood still 5 s after its limit was removed"),
        (.uncover, .uncover, "its cover stayed for 5 s after its limit was removed"),
        (.end, .end, "desktop-canary did not react for 2 s after it was thawed"),
    ]

    @Test(arguments: faults.map(\.0)) func aFaultIsNamedAndTidiedUp(fault: FakeStage.Fault) async throws {
        let (_, step, sentence) = try #require(Self.faults.first { $0.0 == fault })
        let stage = FakeStage(fault)
        let run = CanaryRun(stage)
        await run.run()
        let failed = run.steps.first { $0.problem != nil }
        #expect(failed?.step == step)
        #expect(run.reason?.contains(sentence) == true, "\(run.reason ?? "enforcing")")
        let before = try #require(Self.all.firstIndex(of: step))
        #expect(run.steps.prefix(before + 1).map(\.step) == Array(Self.all[...before]), "none is left out")
        #expect(!stage.isRunning, "the program is ended")
        // Nobody knows whether a limit is stored if there was no answer: it is removed later.
        #expect(run.isLimitLeft == (fault == .limit || fault == .removal))
        #expect(stage.isShielded == (fault == .removal))
        let removals = run.steps.filter { $0.step == .removal }.count
        #expect(removals == (step == .desktop || step == .window || fault == .limit ? 0 : 1))
    }
}

/// A desktop on which one thing may not work. A pause is all the time that passes.
@LoopActor final class FakeStage: CanaryStage {
    nonisolated enum Fault: CaseIterable {
        case hindrance, start, window, diesAtOnce, limit, refusal, reach, cover, bare, diesUncovered, freeze
        case removal, thaw, uncover, end
    }

    nonisolated static let pause: Milliseconds = 100
    var fault: Fault?
    var trace: TraceContext?
    private(set) var isShielded = false
    private(set) var isRunning = false
    private(set) var now: Milliseconds = 0
    private var pauses = 0
    private var isDismissed = false
    /// Called at each pause.
    var onPause: (@LoopActor () async -> Void)?

    init(_ fault: Fault?) { self.fault = fault }

    func desktopChanged() {}
    var hindrance: Hindrance? {
        fault == .hindrance ? .noWindowManager : nil
    }

    func start() throws(ServiceError) {
        isDismissed = false
        guard fault != .start else {
            throw ServiceError(.unavailable, "desktop-canary cannot be started: no such file", remedy: "")
        }
        isRunning = fault != .diesAtOnce
    }

    var hasWindow: Bool { isRunning && fault != .window && pauses > 0 }
    var hasEnded: Bool { !isRunning }

    func setShielded(_ isShielded: Bool) async throws(ServiceError) {
        pauses = 0
        guard !isShielded || fault != .refusal else {
            throw ServiceError(.storageFull, "the disk is full", remedy: "")
        }
        guard fault != (isShielded ? .limit : .removal) else {
            throw ServiceError(.unavailable, "shield-service is not there", remedy: "")
        }
        self.isShielded = isShielded
        if fault == .diesUncovered { isRunning = false }
    }

    var isWanted: Bool { isShielded && fault != .reach }
    var isCovered: Bool {
        isWanted && isRunning && fault != .cover && fault != .bare && pauses > 1
    }
    var isStopped: Bool {
        if fault == .thaw, !isShielded { return isRunning }
        guard isWanted, fault != .freeze, fault != .cover else { return false }
        return isRunning && pauses > 2
    }
    func isUncovered() async -> Bool { !isShielded && fault != .uncover }
    let complaint: String? = "it says so"
    func dismiss() { if fault != .end { isRunning = false } }
    func end() { isRunning = false }

    func pause() async {
        now += Self.pause
        pauses += 1
        await onPause?()
    }
}
