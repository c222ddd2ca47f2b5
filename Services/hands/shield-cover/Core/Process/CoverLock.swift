import Bus
import Contract
import FileAccess
import ServiceKit

/// Proves that this is the only process of covers here. A window has one cover.
struct CoverLock: ~Copyable {
    private let found: FileLock

    /// - Throws: `alreadyExists` if one runs here.
    init(_ configuration: Configuration) throws(ServiceError) {
        found = try configuration.runtime.lock(named: AgentName.shieldCover)
    }

    /// See ``FileLock/markReleased()``.
    func markReleased() { found.markReleased() }
}
