import Bus
import CPosix
import Contract
import Glibc
import Loop
import ServiceKit

/// Starts shield-cover when covers are needed, and notices its end. The process outlives this one, and ends
/// by itself when nothing is covered; so one that runs already is used.
@LoopActor final class CoverStarter {
    private let runtime: RuntimeDirectory
    private let log: Log
    private var running: (pid: Int32, descriptor: Int32, token: Reactor.Token)?
    /// The standard output of a process that is not ready.
    private var output: (descriptor: Int32, token: Reactor.Token)?
    private var again: TimerToken?
    /// Starts in a row after which no cover was shown.
    private var failures = 0
    private var isClosed = false
    /// Whether the process is being ended because it does not answer.
    private var isHung = false
    /// Called when a process is not ready in time.
    var onLate: (@LoopActor () -> Void)?
    /// Called when the process answers requests. Before that, connecting to it would be tried in vain, and
    /// later and later.
    var onReady: (@LoopActor () -> Void)?
    /// Called when the process has ended, or could not be started; what it showed is gone.
    var onEnd: (@LoopActor () -> Void)?
    /// Why it cannot run, a sentence; nil if it can.
    private(set) var problem: String?

    init(_ runtime: RuntimeDirectory, log: Log) {
        self.runtime = runtime
        self.log = log
    }

    var isRunning: Bool { running != nil }

    /// Uses the process that runs here already. Returns whether there is one.
    @discardableResult func adopt() -> Bool {
        if running != nil { return true }
        guard case .ours(let pid) = LockHolder(of: AgentName.shieldCover, in: runtime), watch(pid) else {
            return false
        }
        onReady?()
        return true
    }

    /// Starts the process unless one runs.
    func ensure() {
        guard !isClosed, running == nil, again == nil, !adopt() else { return }
        if case .stranger(let sentence) = LockHolder(of: AgentName.shieldCover, in: runtime) {
            return failed(sentence)
        }
        var ends: [Int32] = [-1, -1]
        guard pipe(&ends) == 0 else { return failed(Self.cannot("started", errno)) }
        for end in ends { _ = fcntl(end, F_SETFD, FD_CLOEXEC) }
        let (pid, failure) = DetachedProcess.start(AgentName.shieldCover, .init(output: ends[1]))
        close(ends[1])
        guard failure == 0, watch(pid) else {
            close(ends[0])
            return failed(Self.cannot("started", failure == 0 ? errno : failure))
        }
        let reading = ends[0]
        let token = Reactor.shared.watch(descriptor: reading) { [weak self] in self?.said() }
        output = (reading, token)
        watchStart()
    }

    /// Only the process that is being started has an output.
    private func watchStart() {
        guard let started = running?.pid else { return }
        EventLoop.main.after(AgentLimits.coverStart) { [weak self] in
            guard let self, output != nil, running?.pid == started, !isHung else { return }
            onLate?()
            watchStart()
        }
    }

    /// Processor time of the process in clock ticks; 0 if none runs.
    var processorTime_ticks: UInt64 {
        running.flatMap { ProcessRecord(pid: $0.pid)?.processorTime_ticks } ?? 0
    }

    /// Ends the process because it does not answer. What it shows vanishes, and another one is started.
    func endHung() {
        guard let running, !isHung else { return }
        isHung = true
        log.error("shield-cover did not answer and was ended", [("pid", .number(Int64(running.pid)))])
        pidfd_send_signal(running.descriptor, SIGTERM, nil, 0)
        EventLoop.main.after(AgentLimits.coverEnd) { [weak self] in
            guard let self, isHung, let now = self.running, now.pid == running.pid else { return }
            pidfd_send_signal(now.descriptor, SIGKILL, nil, 0)
        }
    }

    /// Ends the process; its covers vanish.
    func end() {
        isClosed = true
        if let again { EventLoop.main.cancel(again) }
        again = nil
        onReady = nil
        onLate = nil
        adopt()
        closeOutput()
        guard let running else { return }
        Reactor.shared.forget(running.token)
        pidfd_send_signal(running.descriptor, isHung ? SIGKILL : SIGTERM, nil, 0)
        // One that somebody stopped ends when it goes on.
        pidfd_send_signal(running.descriptor, SIGCONT, nil, 0)
        close(running.descriptor)
        self.running = nil
    }

    private static func cannot(_ what: String, _ code: Int32) -> String {
        "shield-cover cannot be \(what): \(String(cString: strerror(code)))"
    }

    private func watch(_ pid: Int32) -> Bool {
        let descriptor = pidfd_open(pid, 0)
        guard descriptor >= 0 else { return false }
        let token = Reactor.shared.watch(descriptor: descriptor) { [weak self] in self?.ended() }
        running = (pid, descriptor, token)
        return true
    }

    /// It prints one line, when it is ready.
    private func said() {
        guard let output else { return }
        var buffer = [UInt8](repeating: 0, count: 256)
        let count = read(output.descriptor, &buffer, buffer.count)
        closeOutput()
        if count > 0 { onReady?() }
    }

    private func closeOutput() {
        guard let output else { return }
        Reactor.shared.forget(output.token)
        close(output.descriptor)
        self.output = nil
    }

    private func ended() {
        guard let ended = running else { return }
        running = nil
        closeOutput()
        Reactor.shared.forget(ended.token)
        close(ended.descriptor)
        var status: Int32 = 0
        // One that an earlier agent started has another parent, and no status here.
        let isOurs = waitpid(ended.pid, &status, WNOHANG) == ended.pid
        if isHung {
            isHung = false
            return failed("shield-cover does not answer; its log may say why")
        }
        // One that was killed, also with SIGTERM, which it handles, is no failure.
        let isKilled = [SIGKILL, SIGTERM].contains(status & 0x7f)
        guard isOurs, status != 0, !isKilled else { return onEnd?() ?? () }
        let code = status >> 8 & 0xff
        if status & 0x7f == 0, code == Self.isMissingLibrary { return failed(Self.withoutToolkit) }
        let how = status & 0x7f == 0 ? "exit code \(code)" : "signal \(status & 0x7f)"
        failed("shield-cover ended with \(how); its log says why")
    }

    /// Exit code of the dynamic loader (ld.so) when a library is missing.
    private static let isMissingLibrary: Int32 = 127
    private static let withoutToolkit =
        "shield-cover cannot be started: a library is missing, most likely GTK 4 (libgtk-4-1)"

    /// It shows covers.
    func works() {
        failures = 0
        problem = nil
    }

    /// The first attempts follow at once.
    private func failed(_ sentence: String) {
        failures += 1
        guard failures > AgentLimits.coverStartsMax else { return onEnd?() ?? () }
        if problem == nil { log.error("covers cannot be shown", [("reason", .text(sentence))]) }
        problem = sentence
        again = EventLoop.main.after(AgentLimits.pause) { [weak self] in
            self?.again = nil
            self?.onEnd?()
        }
        onEnd?()
    }
}
