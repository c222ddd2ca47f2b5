package import Contract
import Glibc

/// Points at which a test can kill a process with SIGKILL, to show the effect of a power cut there. A test
/// arms a point of one service by creating the file `POINT-SERVICE` in `SCREENTIME_FAULT_DIR`; reaching the
/// point removes the file and kills the process.
package enum FaultPoint: String, Sendable {
    /// State and events are written but not committed.
    case beforeCommit = "before-commit"
    /// Committed but not published.
    case afterCommit = "after-commit"
    /// Published; most likely no subscriber has committed yet.
    case afterPublish = "after-publish"
    /// `restore` has copied a service's store beside the present one.
    case restoreCopied = "restore-copied"
    /// That copy has replaced the store.
    case restoreReplaced = "restore-replaced"

    /// Kills the process if this point is armed. If `directory` is nil, does nothing.
    package func reach(_ directory: String?, _ service: ServiceName) {
        guard let directory, unlink("\(directory)/\(rawValue)-\(service.rawValue)") == 0 else { return }
        kill(getpid(), SIGKILL)
    }
}
