import CPosix
import Contract
import Glibc
import Loop
import ServiceKit

/// Opens pages of the console in the person's browser, with `screentime open`, which signs it in.
@LoopActor final class ConsolePages {
    private let log: Log
    /// Those that run, by pid.
    private var running: [Int32: (descriptor: Int32, token: Reactor.Token)] = [:]
    private static let program = "screentime"

    init(log: Log) { self.log = log }

    /// Returns before the browser is there. What goes wrong then is in the log.
    /// - Parameter page: a path of lower-case letters, as `/reports`.
    /// - Throws: `invalidParams` for anything else; `limitExceeded` while ``AgentLimits/pagesOpenMax`` are
    ///   being opened; `unavailable` if the program cannot be started.
    func open(_ page: String) throws(ServiceError) {
        let name = page.dropFirst()
        guard page.first == "/", (1...32).contains(name.count), name.allSatisfy({ ("a"..."z").contains($0) })
        else {
            throw ServiceError(
                .invalidParams, "the page is no path of lower-case letters",
                remedy: "Send one of the console's pages, as /reports.")
        }
        guard running.count < AgentLimits.pagesOpenMax else {
            throw ServiceError(
                .limitExceeded, "\(running.count) pages are being opened already",
                remedy: "Wait until the browser has opened them.")
        }
        let (pid, failure) = DetachedProcess.start(Self.program, ["open", String(name)])
        guard failure == 0 else {
            throw ServiceError(
                .unavailable, "\(Self.program) cannot be started: \(String(cString: strerror(failure)))",
                remedy: "Install it beside the desktop-agent.")
        }
        watch(pid)
    }

    private func watch(_ pid: Int32) {
        let descriptor = pidfd_open(pid, 0)
        guard descriptor >= 0 else {
            return log.warning("a program that opens a page is not waited for")
        }
        let token = Reactor.shared.watch(descriptor: descriptor) { [weak self] in self?.ended(pid) }
        running[pid] = (descriptor, token)
    }

    private func ended(_ pid: Int32) {
        guard let one = running.removeValue(forKey: pid) else { return }
        Reactor.shared.forget(one.token)
        close(one.descriptor)
        var status: Int32 = 0
        guard waitpid(pid, &status, WNOHANG) == pid, status != 0 else { return }
        let how = status & 0x7f == 0 ? "exit code \(status >> 8 & 0xff)" : "signal \(status & 0x7f)"
        log.warning("the console was not opened", [("reason", .text("`screentime open` ended with \(how)"))])
    }
}
