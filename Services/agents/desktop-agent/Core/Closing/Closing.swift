import CPosix
import Glibc
import Loop
import Units

/// Closes one app because the person asked for it: WM_DELETE_WINDOW to its windows, then SIGTERM, then
/// SIGKILL, each after a time that lets it save. An app that opened a dialog meanwhile asks something, so it
/// is not ended: it is left to the person's answer, and stays if there is none. If the person wants it closed
/// once more, it is ended after that time.
@LoopActor final class Closing {
    enum Outcome: String {
        case closed, terminated, killed
        /// It runs on: it asked something, or the kernel refused.
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
    /// Dialogs that the app opened since; the person may use them.
    private(set) var questions: Set<UInt32> = []
    /// Until when its questions may stay; nil before the first one.
    private var answerBy: Milliseconds?
    /// Whether it is ended although it asks: the person had its questions before.
    private(set) var isFinal: Bool

    /// - Parameters:
    ///   - roots: the processes with its windows; when all have exited, it is closed.
    ///   - isFinal: whether the app is ended even if it asks.
    ///   - processes: all that belong to the app now.
    ///   - end: called once, later.
    init(
        _ roots: Set<ProcessIdentity>, patience: Patience = Patience(), isFinal: Bool = false,
        processes: @escaping @LoopActor () -> [ProcessIdentity],
        end: @escaping @LoopActor (Outcome) -> Void
    ) {
        self.patience = patience
        self.isFinal = isFinal
        self.processes = processes
        self.end = end
        for root in roots { watch(root) }
    }

    /// - Parameter wereAsked: whether any of its windows could be asked to close.
    func start(wereAsked: Bool) {
        guard !watched.isEmpty else { return wait(0) { [weak self] in self?.finish(.closed) } }
        wait(wereAsked ? patience.save : 0) { [weak self] in self?.terminate() }
    }

    /// Whether it asked anything.
    var hasAsked: Bool { answerBy != nil }

    /// The app opened a dialog.
    func asks(_ window: UInt32) {
        questions.insert(window)
        guard !isEnding else { return }
        let by = answerBy ?? EventLoop.main.now + patience.answer
        answerBy = by
        wait(max(0, by - EventLoop.main.now)) { [weak self] in self?.questionsEnded() }
    }

    /// One of the app's windows was closed.
    func windowClosed(_ window: UInt32) {
        guard questions.remove(window) != nil, questions.isEmpty, !isEnding, let answerBy else { return }
        // It saves now, or asks the next question, or the person chose to go on.
        let left = min(patience.save, max(0, answerBy - EventLoop.main.now))
        wait(left) { [weak self] in self?.questionsEnded() }
    }

    /// The person wants it closed once more, while it asks.
    func insist() { if hasAsked { isFinal = true } }

    /// Whether nothing but its end stops the signals.
    private var isEnding: Bool { isFinal && outcome != .closed }

    private func questionsEnded() {
        if isFinal { terminate() } else { finish(.stayed) }
    }

    /// Nothing more is done, and nothing is called.
    func cancel() {
        hasEnded = true
        if let timer { EventLoop.main.cancel(timer) }
        for one in watched.values { forget(one) }
        watched = [:]
    }

    private func terminate() {
        outcome = .terminated
        signal(SIGTERM)
        wait(patience.end) { [weak self] in self?.kill() }
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
