import Bus
import Contract
import Glibc
import Loop

/// Which process is the canary now. Only the pid that the agent started counts, not what a window says.
@LoopActor final class Canary {
    /// Nil while none runs.
    var pid: Int32? {
        didSet { window = nil }
    }
    /// Its window, as soon as the window manager has it.
    private(set) var window: UInt32?

    func owns(_ shown: Window) -> Bool {
        guard let pid, shown.pid == pid else { return false }
        window = shown.id
        return true
    }
}

/// A running `desktop-canary`. It ends when this process closes its standard input, or ends itself.
@LoopActor final class CanaryProcess {
    let pid: Int32
    private let input: Int32
    private var isReaped = false

    /// - Throws: `unavailable`
    init() throws(ServiceError) {
        var ends: [Int32] = [-1, -1]
        guard pipe(&ends) == 0 else { throw Self.cannotStart(errno) }
        for end in ends { _ = fcntl(end, F_SETFD, FD_CLOEXEC) }
        let (pid, failure) = DetachedProcess.start(ProgramName.desktopCanary, .init(input: ends[0]))
        close(ends[0])
        guard failure == 0 else {
            close(ends[1])
            throw Self.cannotStart(failure)
        }
        self.pid = pid
        input = ends[1]
    }

    private static func cannotStart(_ code: Int32) -> ServiceError {
        ServiceError(
            .unavailable,
            "\(ProgramName.desktopCanary) cannot be started: \(String(cString: strerror(code)))",
            remedy: "Install all programs of screentime in one directory.")
    }

    var hasEnded: Bool {
        if isReaped { return true }
        var status: Int32 = 0
        isReaped = waitpid(pid, &status, WNOHANG) != 0
        return isReaped
    }

    var isStopped: Bool { !hasEnded && ProcessRecord(pid: pid)?.isStopped == true }

    /// Lets it end by itself, which a stopped one cannot.
    func dismiss() { shutdownInput() }

    /// Ends it, whatever it does.
    func end() {
        shutdownInput()
        guard !hasEnded else { return }
        kill(pid, SIGKILL)
        var status: Int32 = 0
        // SIGKILL also ends a stopped process, so this does not wait long.
        while waitpid(pid, &status, 0) < 0, errno == EINTR {}
        isReaped = true
    }

    private var isInputOpen = true

    private func shutdownInput() {
        guard isInputOpen else { return }
        isInputOpen = false
        close(input)
    }
}
