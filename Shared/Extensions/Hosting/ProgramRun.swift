import JSON
import Loop
import Units

/// One process of an extension, from its start until it has ended, and what it asked for.
@LoopActor final class ProgramRun {
    /// The process, from its start until it has ended.
    var process: (any RunningProgram)?
    /// On the loop's clock.
    let started: Milliseconds
    /// Types of events it subscribed to.
    var subscribed: Set<String> = []
    /// Its subscription, by ``ProgramEvents``.
    var listener: Int64?
    /// Events that it has not answered.
    var openPushes: Set<Int64> = []
    /// It is killed because of its budget; its end settles the request.
    var isOverBudget = false
    /// The program was replaced while a request was running.
    var isStale = false
    /// Wait for its end.
    private var waiting: [CheckedContinuation<Void, Never>] = []
    private var hasEnded = false

    init(started: Milliseconds) { self.started = started }

    /// Suspends until its process has ended.
    func end() async {
        guard !hasEnded else { return }
        await withCheckedContinuation { waiting.append($0) }
    }

    /// Call when its process has ended.
    func ended() {
        hasEnded = true
        process = nil
        for one in waiting { one.resume() }
        waiting = []
    }
}
