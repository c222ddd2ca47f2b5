import Bus
import Glibc

/// Gathers who may never be frozen, as of now: services come and go, and so may the window manager.
@BusActor final class ProtectionSource {
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
        // Each service leaves its pid in the lock beside its sockets. One that ended spares a stranger at
        // worst.
        for name in ProcFile.names(in: runtime.path) where name.hasSuffix(".lock") {
            if let pid = ProcFile.text("\(runtime.path)/\(name)").flatMap({ Int32($0) }) { own.insert(pid) }
        }
        var protection = Protection(
            ownPids: own, ownDirectory: ownDirectory, displayServer: displayServer,
            windowManager: windowManager, sessionBus: sessionBus)
        protection.starters = starters
        return protection
    }
}
