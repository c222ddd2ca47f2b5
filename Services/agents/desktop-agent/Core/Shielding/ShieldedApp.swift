import Bus
import Contract
import Loop
import Rules
import Units

/// An app that is shielded, or was until now, with its frozen processes.
@LoopActor final class ShieldedApp {
    let id: String
    var isWanted = true
    /// Trace of the last change.
    var trace: TraceContext?
    /// Processes that own, or owned, its windows.
    var roots: Set<ProcessIdentity>
    /// Its windows, which are covered.
    var windows: Set<UInt32> = []
    /// Those of them that are other apps' by their own word, but of its processes, with the
    /// apps' ids (``AppIdentity/judgedName``).
    var guests: [UInt32: String] = [:]
    /// Processes of other apps that it may have started. They are left alone.
    var apart: Set<ProcessIdentity> = []
    /// Not nil while it is being closed: it is covered and runs.
    var closing: Closing?
    /// What became of the last wish to close it; nil if nobody wished it since its shield began.
    var stay: CoverClosing?
    /// Whether one of its windows had the focus when it was frozen, and it may have the keyboard, too.
    var mayHoldKeyboard = false
    /// Whether it has asked for keys or buttons that are pressed anywhere; known while it stands still.
    var hasHotkeys = false
    /// For how long its dialogs may still be used when it is closed, of all closings together.
    var answerLeft: Milliseconds = Closing.Patience().answer
    /// What its covers say of its questions.
    let questionPace = Throttle(AgentLimits.questionPace, burst: AgentLimits.questionBurst)
    /// The processes with its windows that were asked to close.
    var askedRoots: Set<ProcessIdentity> = []
    /// The stopped processes, parents first; they are continued in reverse order.
    var standstill = StoppedProcesses()
    private var membersOfGroups: [ProcessIdentity] = []
    /// The processes that the guard knows.
    var held: [ProcessIdentity] = []
    /// The processes that shield-service has recorded; nil if unknown, because it did not answer.
    var recorded: Set<ProcessIdentity>? = []
    var isWorking = false
    var needsWork = false
    /// Whether another attempt is planned.
    var willRetry = false
    /// Why it is not frozen; nil if it is, or will be now.
    var obstacle: String?
    private var spared: [ProcessIdentity: RefusalReason] = [:]
    private var isFoundWhole = true
    /// Logged reasons, so that they are not logged again with each window.
    var logged: Set<String> = []

    init(_ id: String, roots: Set<ProcessIdentity>) {
        self.id = id
        self.roots = roots
    }

    /// Whether its processes must stand still.
    var mustFreeze: Bool { isWanted && closing == nil }

    var frozen: [ProcessIdentity] {
        membersOfGroups + standstill.stopped.filter { !membersOfGroups.contains($0) }
    }

    /// Whether anything of it stands still, whoever stopped it.
    var standsStill: Bool { !frozen.isEmpty || !standstill.stoppedBefore.isEmpty }

    /// Adds the result of another freeze.
    func merge(_ outcome: FreezeOutcome) {
        let fresh = outcome.groups.filter { !standstill.groups.contains($0.path) }
        membersOfGroups += fresh.flatMap(\.members)
        standstill.merge(outcome)
        spared.merge(outcome.refused) { $1 }
        for process in frozen { spared[process] = nil }
        isFoundWhole = outcome.foundAll
    }

    /// What runs now although it is shielded.
    enum Gap: Equatable {
        /// The shield has no effect: the app, or the process with its windows, runs.
        case runsOn(String)
        case part(String)
    }

    var gap: Gap? {
        guard isWanted else { return nil }
        if let closing {
            guard !closing.questions.isEmpty else { return nil }
            return .part("\(id) is shielded and runs: it is being closed, and asks something")
        }
        if let obstacle { return .runsOn(obstacle) }
        spared = spared.filter { ProcessIdentity(livingPid: $0.key.pid) == $0.key }
        let windows = spared.filter { roots.contains($0.key) }
        var reasons = Set((windows.isEmpty ? spared : windows).values.map(\.description))
        if !isFoundWhole { reasons.insert(Self.tooFast) }
        guard !reasons.isEmpty else { return nil }
        let text = reasons.sorted().joined(separator: "; ")
        return frozen.isEmpty || !windows.isEmpty
            ? .runsOn("\(id) is shielded and runs on: \(text)")
            : .part("a part of \(id), which is shielded, runs: \(text)")
    }

    /// Other apps that stand still because of it, and that it was not ended because of them; one sentence
    /// each.
    var guestProblems: [String] {
        guard isWanted, !frozen.isEmpty else { return [] }
        let still = Set(guests.values).sorted().map {
            "\($0) stands still, too, because it shares a process with \(id), which is shielded"
        }
        guard stay == .shared else { return still }
        let reason = "it shares a process with another app"
        return ["\(id) has not closed, and was not ended, because \(reason)"] + still
    }

    /// Its windows without those that a desktop entry gives to another app. A window that no entry names is
    /// its own: toolkits give dialogs classes of their own.
    var ownWindows: Set<UInt32> {
        windows.filter { guests[$0]?.hasPrefix(Subject.programPrefix) ?? true }
    }

    /// Other apps with windows of its processes, shielded or not.
    func sharers(among apps: [ShieldedApp]) -> Set<String> {
        let shielded = apps.filter { $0 !== self && !$0.windows.isEmpty && !$0.roots.isDisjoint(with: roots) }
        return Set((guests.values + shielded.map(\.id)).filter { !$0.hasPrefix(Subject.programPrefix) })
    }

    /// Whether a window is of one of its processes.
    func owns(_ window: Window) -> Bool { window.process.map(roots.contains) ?? false }

    static let tooFast = "it created processes faster than they could be stopped"

    func forgetFrozen() {
        standstill = StoppedProcesses()
        membersOfGroups = []
        spared = [:]
        isFoundWhole = true
        held = []
    }

    /// Its windows are read again.
    func forgetWindows() {
        windows = []
        guests = [:]
    }

    /// When all that were asked to close have exited, nobody has asked what came since.
    func forgetEndedClosing() {
        guard closing == nil, !askedRoots.isEmpty,
            askedRoots.allSatisfy({ ProcessIdentity(livingPid: $0.pid) != $0 })
        else { return }
        (askedRoots, stay, answerLeft) = ([], nil, Closing.Patience().answer)
    }

    /// Removes exited processes from the roots.
    func dropEndedRoots() {
        roots = roots.filter { ProcessIdentity(livingPid: $0.pid) == $0 }
    }
}
