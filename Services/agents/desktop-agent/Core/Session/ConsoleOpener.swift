import CPosix
import Contract
import Glibc
import Loop
import ServiceKit
import Units

/// Opens the console with `screentime open`, detached from this process. Anybody on the session bus can press
/// the tray icon, so one runs at a time, and not one after the other.
@LoopActor final class ConsoleOpener {
    private let log: Log
    private let failed: @LoopActor () -> Void
    private let start: @LoopActor ([String]) -> (pid: Int32, failure: Int32)
    private var running: (pid: Int32, descriptor: Int32, token: Reactor.Token)?
    private var last: Milliseconds?

    /// - Parameters:
    ///   - failed: called when it was not opened.
    ///   - start: starts `screentime` with these arguments.
    init(
        log: Log, failed: @escaping @LoopActor () -> Void,
        start: @escaping @LoopActor ([String]) -> (pid: Int32, failure: Int32) = {
            DetachedProcess.start("screentime", arguments: $0)
        }
    ) {
        self.log = log
        self.failed = failed
        self.start = start
    }

    /// - Parameter path: of a page, as `/reports`.
    /// - Throws: `invalidParams` unless it is one of lower-case letters.
    func open(path: String) throws(ServiceError) {
        let page = path.dropFirst()
        guard path.first == "/", (1...32).contains(page.count), page.allSatisfy({ ("a"..."z").contains($0) })
        else {
            throw ServiceError(
                .invalidParams, "the page is no path of lower-case letters",
                remedy: "Send one of the console's pages, as /reports.")
        }
        open(String(page))
    }

    /// - Parameter page: of the console; nil: the first one.
    func open(_ page: String?) {
        let now = EventLoop.main.now
        guard running == nil, last.map({ now - $0 >= AgentLimits.consoleOpening }) ?? true else { return }
        last = now
        let (pid, failure) = start(["open"] + [page].compactMap(\.self))
        guard failure == 0 else {
            log.warning(
                "the console cannot be opened",
                [("reason", .text(String(cString: strerror(failure))))])
            return failed()
        }
        let descriptor = pidfd_open(pid, 0)
        guard descriptor >= 0 else {
            let reason = String(cString: strerror(errno))
            return log.warning(
                "`screentime open` was started; whether it fails cannot be seen", [("reason", .text(reason))])
        }
        let token = Reactor.shared.watch(descriptor: descriptor) { [weak self] in self?.ended() }
        running = (pid, descriptor, token)
    }

    private func ended() {
        guard let ended = running else { return }
        forget()
        var status: Int32 = 0
        guard waitpid(ended.pid, &status, WNOHANG) == ended.pid, status != 0 else { return }
        log.warning(
            "`screentime open` failed", [("status", .number(Int64(status)))])
        failed()
    }

    private func forget() {
        guard let ended = running else { return }
        running = nil
        Reactor.shared.forget(ended.token)
        Glibc.close(ended.descriptor)
    }

    func close() { forget() }
}
