import Bus
import Contract
import FileAccess
import ServiceKit

/// That this is the one agent: what is frozen is its own. Others find it by the lock in the runtime
/// directory; the one in the state directory stays when that directory is removed.
struct AgentLock: ~Copyable {
    private let found: FileLock
    private let kept: FileLock

    /// - Throws: `alreadyExists` when an agent runs here.
    init(_ configuration: Configuration) throws(ServiceError) {
        let found = try configuration.runtime.lock(named: Hand.desktopAgent)
        let kept = try FileLock(
            path: configuration.keptLockPath(of: Hand.desktopAgent), holder: Hand.desktopAgent)
        self.found = found
        self.kept = kept
    }

    /// See ``FileLock/markLeft()``.
    func markLeft() { found.markLeft() }
}
