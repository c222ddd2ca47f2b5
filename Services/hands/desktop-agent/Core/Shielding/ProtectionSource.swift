import Bus
import Contract
import Glibc
import Loop

/// Gathers who may never be frozen, as of now: services come and go, and so may the window manager.
@LoopActor final class ProtectionSource {
    private let runtime: RuntimeDirectory
    private let session: X11Session
    private let sessionBus: Int32?
    private let displayServer: Set<Int32>
    private let ownDirectory: String?
    /// As of the start: an ancestor may end and leave its own ancestors behind.
    private let starters = StarterChain.current()
    private var windowManager: Int32?

    init(_ session: X11Session, runtime: RuntimeDirectory, sessionBusAddress: String?) {
        self.session = session
        self.runtime = runtime
        sessionBus = sessionBusAddress.flatMap { SessionBus.pid(address: $0) }
        displayServer = session.serverPids()
        ownDirectory = ProcessFacts.executablePath(getpid()).map { ProcessFacts.directory($0) }
        windowManager = session.windowManagerPid()
    }

    func windowManagerChanged() { windowManager = session.windowManagerPid() }

    func current(_ guardPid: Int32?) -> Protection {
        var own: Set<Int32> = [getpid()]
        if let guardPid { own.insert(guardPid) }
        // The kernel is asked who holds the lock of a service: the pid in a file may be a stranger's by now.
        let locks = LockTable()
        for service in ServiceName.startOrder {
            let holder = locks.holder(of: runtime.lockPath(named: service.rawValue))
            if let pid = holder.flatMap({ Int32(exactly: $0) }) { own.insert(pid) }
        }
        var protection = Protection(
            ownPids: own, ownDirectory: ownDirectory, displayServer: displayServer,
            windowManager: windowManager, sessionBus: sessionBus)
        protection.starters = starters
        return protection
    }
}
