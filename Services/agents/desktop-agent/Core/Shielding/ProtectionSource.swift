import Bus
import Contract
import Glibc
import Loop

/// Collects the processes that must not be frozen now: services and the window manager may restart.
@LoopActor final class ProtectionSource {
    private let runtime: RuntimeDirectory
    private let session: X11Session
    private let sessionBus: Int32?
    private let displayServer: Set<Int32>
    private let ownDirectory: String?
    /// Read at the start: an ancestor may exit, and its own ancestors would be lost.
    private let starters = StarterChain.current()
    private var windowManager: Int32?
    /// Whether the server did not say which one runs now.
    private var isManagerStale = false

    init(_ session: X11Session, runtime: RuntimeDirectory, sessionBusAddress: String?) {
        self.session = session
        self.runtime = runtime
        sessionBus = sessionBusAddress.flatMap { SessionBus.pid(address: $0) }
        displayServer = session.serverPids()
        ownDirectory = ProcessFacts.executablePath(getpid()).map { ProcessFacts.directory($0) }
        windowManagerChanged()
    }

    func windowManagerChanged() {
        let found = session.windowManagerPid()
        // One that is just starting sets its second mark after the first, which is told.
        isManagerStale = found == nil
        if found != nil || !session.isSilent { windowManager = found }
    }

    private static let locked =
        ServiceName.startOrder.map(\.rawValue) + [AgentName.shieldCover, AgentName.console]

    /// Other programs that hold locks of ours, so that these cannot start; one sentence each.
    var problems: [String] {
        let locks = LockTable()
        return Self.locked.compactMap { name in
            guard case .stranger(let sentence) = LockHolder(of: name, in: runtime, locks) else { return nil }
            return sentence
        }
    }

    func current(_ guardPid: Int32?) -> Protection {
        if isManagerStale { windowManagerChanged() }
        var own: Set<Int32> = [getpid()]
        if let guardPid { own.insert(guardPid) }
        // The kernel knows the holder of a service's lock; the pid in the file may have been reused.
        let locks = LockTable()
        for name in Self.locked {
            if case .ours(let pid) = LockHolder(of: name, in: runtime, locks) { own.insert(pid) }
        }
        var protection = Protection(
            ownPids: own, ownDirectory: ownDirectory, displayServer: displayServer,
            windowManager: windowManager, sessionBus: sessionBus)
        protection.starters = starters
        return protection
    }
}
