import Contract
import Glibc
import Loop
import Time
import Units

/// Samples the resources of one process from its start to its end, and reports once what exceeds the budget,
/// also while it is idle.
@LoopActor final class ProcessWatch {
    private let budget: ExtensionBudget
    private let files: ProcessFiles
    private let exceeded: @LoopActor (Excess) -> Void
    private var pid: Int32?
    private var watch: BudgetWatch?
    private var timer: TimerToken?
    private var isOver = false
    private var fileWatch: FileWatch?
    /// Processor time at the last sample.
    private var processorNs: Int64 = 0
    /// Since when its first thread has ended while others continue; nil if it has not.
    private var leaderlessSince: Milliseconds?

    init(
        _ budget: ExtensionBudget, _ files: ProcessFiles, exceeded: @escaping @LoopActor (Excess) -> Void
    ) {
        self.budget = budget
        self.files = files
        self.exceeded = exceeded
    }

    /// Starts when the program's process id is known.
    func begin(_ pid: Int32) {
        guard self.pid == nil else { return }
        self.pid = pid
        fileWatch = FileWatch(.init(writtenBytes: { WrittenBytes.of(pid) }, count: files.counting(pid))) {
            [weak self] in self?.say($0)
        }
        mark()
        pollLater()
    }

    /// A request begins: processor time and memory are measured from here until the next one.
    func mark() { watch = pid.flatMap { BudgetWatch($0, files.memoryFiles) } }

    /// Stops after the exit was seen.
    func end() {
        if let timer { EventLoop.main.cancel(timer) }
        timer = nil
        pid = nil
        watch = nil
        fileWatch?.end()
        fileWatch = nil
    }

    /// Samples the process.
    /// - Returns: resources used since the last ``mark()``; nil if it is gone, or has not started.
    @discardableResult
    func look() -> BudgetWatch.Look? {
        guard let pid, let look = watch?.look(), let nowNs = BudgetWatch.processorNs(pid) else { return nil }
        if let excess = look.excess(budget) ?? leaderless(look) { say(excess) }
        fileWatch?.look(processorNs: nowNs)
        return look
    }

    private func say(_ excess: Excess) {
        guard !isOver else { return }
        isOver = true
        exceeded(excess)
    }

    /// Not at the first sample, because the other threads may be about to end, too.
    private func leaderless(_ look: BudgetWatch.Look) -> Excess? {
        guard look.isLeaderless else {
            leaderlessSince = nil
            return nil
        }
        let now = MonotonicClock.now
        let since = leaderlessSince ?? now
        leaderlessSince = since
        guard now - since >= HostingLimits.look else { return nil }
        return Excess(
            what: .threads, limit: HostingLimits.threadsMax, measured: look.threads,
            sentence: "its first thread ended while others went on, which hides what it takes; end the "
                + "process with exit()")
    }

    private func pollLater() {
        guard let pid, !isOver else { return }
        let nowNs = BudgetWatch.processorNs(pid) ?? processorNs
        let isBusy = nowNs != processorNs
        processorNs = nowNs
        let pause = isBusy ? HostingLimits.busyPoll : HostingLimits.look
        timer = EventLoop.main.after(pause) { [weak self] in
            self?.look()
            self?.pollLater()
        }
    }
}
