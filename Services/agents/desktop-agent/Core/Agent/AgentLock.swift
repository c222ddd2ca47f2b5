import Bus
import Contract
import FileAccess
import ServiceKit

/// Proves that this is the only agent, so that it owns everything that is frozen. Other programs find it by
/// the lock in the runtime directory; the lock in the state directory survives the removal of that directory.
struct AgentLock: ~Copyable {
    private let found: FileLock
    private let kept: FileLock

    /// - Throws: `alreadyExists` if an agent runs here.
    init(_ configuration: Configuration) throws(ServiceError) {
        let found = try configuration.runtime.lock(named: AgentName.desktopAgent)
        let kept = try FileLock(
            path: configuration.keptLockPath(of: AgentName.desktopAgent), holder: AgentName.desktopAgent)
        self.found = found
        self.kept = kept
    }

    /// See ``FileLock/markReleased()``.
    func markReleased() { found.markReleased() }
}
