package import Contract
import Glibc

/// Places where a test may end a process with SIGKILL, to show what a power cut at that very place does. A
/// place is armed by making a file of its name in `SCREENTIME_FAULT_DIR`; reaching it removes the file and
/// ends the process. A place that a process reaches once for each service has `-SERVICE` after its name.
package enum FaultPoint: String, Sendable {
    /// State and events are written, not committed.
    case beforeCommit = "before-commit"
    /// Committed, not yet published.
    case afterCommit = "after-commit"
    /// Published; a subscriber has not committed yet, unless it was very fast.
    case afterPublish = "after-publish"
    /// `restore` has the copy of a service's store beside it.
    case restoreCopied = "restore-copied"
    /// That copy is in the place of the store.
    case restoreReplaced = "restore-replaced"

    package func reach(_ directory: String?, _ service: ServiceName? = nil) {
        guard let directory else { return }
        let name = service.map { "\(rawValue)-\($0.rawValue)" } ?? rawValue
        guard unlink("\(directory)/\(name)") == 0 else { return }
        kill(getpid(), SIGKILL)
    }
}
