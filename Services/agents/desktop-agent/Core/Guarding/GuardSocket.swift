import Contract
import CPosix
import Glibc
import Loop
import ServiceKit

/// The agent's end of the pipe to its guard. Processes are sent to the guard before they are stopped. A guard
/// that exits is started again and receives all of them.
@LoopActor final class GuardSocket {
    private let log: Log
    private var held: [ProcessIdentity] = []
    private var guarding: (pid: Int32, pipe: Int32, exit: Int32, token: Reactor.Token)?
    private var again: TimerToken?
    private var isEnded = false

    init(log: Log) throws(ServiceError) {
        self.log = log
        try start()
    }

    /// The guard's pid; nil while it is being restarted.
    var pid: Int32? { guarding?.pid }

    func hold(_ identities: [ProcessIdentity]) {
        let fresh = identities.filter { !held.contains($0) }
        held += fresh
        send(fresh.map { GuardState.line("hold", $0) }.joined())
    }

    func free(_ identities: [ProcessIdentity]) {
        let gone = Set(identities)
        held.removeAll(where: gone.contains)
        send(identities.map { GuardState.line("free", $0) }.joined())
    }

    /// Dismisses the guard and waits for its exit; call it when nothing is frozen.
    func end() {
        isEnded = true
        send("bye\n")
        if let guarding {
            // The guard reads until the end of the pipe.
            close(guarding.pipe)
            self.guarding?.pipe = -1
            var ended = pollfd(fd: guarding.exit, events: Int16(POLLIN), revents: 0)
            // If another program stopped the guard, it exits when it is continued.
            if poll(&ended, 1, Int32(AgentLimits.stop.count)) > 0 { waitpid(guarding.pid, nil, WNOHANG) }
        }
        release()
        if let again { EventLoop.main.cancel(again) }
    }

    // MARK: the process

    private func start() throws(ServiceError) {
        var ends: [Int32] = [-1, -1]
        guard pipe(&ends) == 0 else { throw Self.cannot("making a pipe", errno) }
        for end in ends { _ = fcntl(end, F_SETFD, FD_CLOEXEC) }
        _ = fcntl(ends[1], F_SETFL, O_NONBLOCK)
        defer { close(ends[0]) }
        // Written before it starts, so that the guard never knows less than the agent.
        let known = held.map { GuardState.line("hold", $0) }.joined()
        guard write(ends[1], known, known.utf8.count) == known.utf8.count else {
            close(ends[1])
            throw Self.cannot("telling the guard all that is frozen", errno)
        }
        let (child, failure) = DetachedProcess.start(GuardProcess.program, .init(input: ends[0]))
        guard failure == 0 else {
            close(ends[1])
            let path = DetachedProcess.path(of: GuardProcess.program)
            throw Self.cannot("starting the guard '\(path)'", failure)
        }
        let descriptor = pidfd_open(child, 0)
        guard descriptor >= 0 else {
            close(ends[1])
            throw Self.cannot("watching the guard", errno)
        }
        let token = Reactor.shared.watch(descriptor: descriptor) { [weak self] in self?.guardEnded() }
        guarding = (child, ends[1], descriptor, token)
    }

    private func send(_ text: String) {
        guard let guarding, !text.isEmpty else { return }
        let count = write(guarding.pipe, text, text.utf8.count)
        guard count != text.utf8.count else { return }
        // The message was cut, or the guard does not read: a new guard receives everything.
        kill(guarding.pid, SIGKILL)
    }

    private func guardEnded() {
        guard let ended = guarding else { return }
        waitpid(ended.pid, nil, WNOHANG)
        release()
        guard !isEnded else { return }
        log.error("the guard ended; another one is started")
        restart()
    }

    private func restart() {
        do throws(ServiceError) { try start() } catch {
            log.error("the guard could not be started", [("reason", .text(error.message))])
            again = EventLoop.main.after(AgentLimits.pause) { [weak self] in
                self?.restart()
            }
        }
    }

    private func release() {
        guard let ended = guarding else { return }
        guarding = nil
        Reactor.shared.forget(ended.token)
        if ended.pipe >= 0 { close(ended.pipe) }
        close(ended.exit)
    }

    private static func cannot(_ what: String, _ code: Int32) -> ServiceError {
        ServiceError(
            .limitExceeded, "\(what) failed: \(String(cString: strerror(code)))",
            remedy: code == ENOENT
                ? "Put \(GuardProcess.program) beside desktop-agent."
                : "Raise the limits of open files and processes (ulimit -n, ulimit -u).")
    }
}
