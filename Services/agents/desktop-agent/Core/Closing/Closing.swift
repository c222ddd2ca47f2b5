import CPosix
import Glibc
import Loop
import Units

/// Closes one app because the person asked for it. First its windows are asked (WM_DELETE_WINDOW), and it
/// gets a time in which to save; if it lives then, it stays, because it may ask something. An app with an
/// open dialog certainly asks: it is left to the person's answer for a longer time. Only an app that the
/// person wants closed although it stayed is ended: SIGTERM, then SIGKILL.
@LoopActor final class Closing {
    enum Outcome: String {
        case closed, terminated, killed
        /// It runs on.
        case stayed
    }

    /// How long each step waits.
    struct Patience {
        /// For an app that was asked to close, or has no more questions.
        var save: Milliseconds = 10_000
        /// For the person's answers to all questions of the app together.
        var answer: Milliseconds = 120_000
        /// For SIGTERM, and for SIGKILL.
        var end: Milliseconds = 5_000
    }

    private let patience: Patience
    private let processes: @LoopActor () -> [ProcessIdentity]
    private let end: @LoopActor (Outcome) -> Void
    private var outcome = Outcome.closed
    private var watched: [ProcessIdentity: (descriptor: Int32, token: Reactor.Token)] = [:]
    private var timer: TimerToken?
    private(set) var hasEnded = false
    /// Its open dialogs, the last one at the end; the person may use them.
    private(set) var questions: [UInt32] = []
    /// Called when ``questions`` changed.
    var onQuestions: (@LoopActor () -> Void)?
    /// Until when its questions may stay; nil before the first one.
    private var answerBy: Milliseconds?

    /// - Parameters:
    ///   - roots: the processes with its windows; when all have exited, it is closed.
    ///   - processes: all that belong to the app now and may be ended.
    ///   - end: called once, later.
    init(
        _ roots: Set<ProcessIdentity>, patience: Patience = Patience(),
        processes: @escaping @LoopActor () -> [ProcessIdentity],
        end: @escaping @LoopActor (Outcome) -> Void
    ) {
        self.patience = patience
        self.processes = processes
        self.end = end
        for root in roots { watch(root) }
    }

    /// Its windows were asked to close.
    /// - Parameters:
    ///   - wereAsked: whether any of them could be.
    ///   - isLast: whether it is ended if it stays, because the person knows that.
    func start(wereAsked: Bool, isLast: Bool = false) {
        self.isLast = isLast
        guard !watched.isEmpty else { return wait(0) { [weak self] in self?.finish(.closed) } }
        wait(wereAsked ? patience.save : 0) { [weak self] in self?.stays() }
    }

    /// Ends it: the person knows that it stayed.
    func force() {
        guard !watched.isEmpty else { return wait(0) { [weak self] in self?.finish(.closed) } }
        outcome = .terminated
        signal(SIGTERM)
        wait(patience.end) { [weak self] in self?.kill() }
    }

    /// The app has an open dialog.
    func asks(_ window: UInt32) {
        guard mayAsk, !hasEnded else { return }
        if !questions.contains(window) { questions.append(window) }
        let by = answerBy ?? EventLoop.main.now + patience.answer
        answerBy = by
        wait(max(0, by - EventLoop.main.now)) { [weak self] in self?.stays() }
        onQuestions?()
    }

    /// Whether dialogs are left to the person.
    var mayAsk: Bool { !isForced && patience.answer > 0 }

    /// What is left of the time for answers, for the next closing.
    var answerLeft: Milliseconds {
        answerBy.map { max(0, $0 - EventLoop.main.now) } ?? patience.answer
    }

    /// One of the app's windows was closed.
    func windowClosed(_ window: UInt32) {
        guard let index = questions.firstIndex(of: window) else { return }
        questions.remove(at: index)
        onQuestions?()
        guard questions.isEmpty, !isForced, let answerBy else { return }
        // It saves now, or asks the next question, or the person chose to go on.
        let left = min(patience.save, max(0, answerBy - EventLoop.main.now))
        wait(left) { [weak self] in self?.stays() }
    }

    /// Nothing more is done, and nothing is called.
    func cancel() {
        hasEnded = true
        onQuestions = nil
        if let timer { EventLoop.main.cancel(timer) }
        for one in watched.values { forget(one) }
        watched = [:]
    }

    private var isForced: Bool { outcome != .closed }
    private var isLast = false

    private func stays() {
        if isLast { force() } else { finish(.stayed) }
    }

    private func kill() {
        outcome = .killed
        signal(SIGKILL)
        wait(patience.end) { [weak self] in self?.finish(.stayed) }
    }

    private func signal(_ number: Int32) {
        for process in processes() { _ = ProcessHandle.send(number, to: process) }
    }

    private func finish(_ outcome: Outcome) {
        guard !hasEnded else { return }
        cancel()
        end(outcome)
    }

    private func wait(_ pause: Milliseconds, _ next: @escaping @LoopActor () -> Void) {
        if let timer { EventLoop.main.cancel(timer) }
        timer = EventLoop.main.after(pause) { next() }
    }

    private func watch(_ root: ProcessIdentity) {
        let descriptor = pidfd_open(root.pid, 0)
        guard descriptor >= 0 else { return }
        let token = Reactor.shared.watch(descriptor: descriptor) { [weak self] in self?.exited(root) }
        watched[root] = (descriptor, token)
    }

    private func exited(_ root: ProcessIdentity) {
        if let one = watched.removeValue(forKey: root) { forget(one) }
        if watched.isEmpty { finish(outcome) }
    }

    private func forget(_ one: (descriptor: Int32, token: Reactor.Token)) {
        Reactor.shared.forget(one.token)
        close(one.descriptor)
    }
}
