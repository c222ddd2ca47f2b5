import Glibc

/// Places where a test may end a service with SIGKILL, to show what a power cut at that very place does. A
/// place is armed by making a file of its name in `SCREENTIME_FAULT_DIR`; reaching it removes the file and
/// ends the process.
package enum FaultPoint: String, Sendable {
    /// State and events are written, not committed.
    case beforeCommit = "before-commit"
    /// Committed, not yet published.
    case afterCommit = "after-commit"
    /// Published; a subscriber has not committed yet, unless it was very fast.
    case afterPublish = "after-publish"

    func reach(_ directory: String?) {
        guard let directory, unlink("\(directory)/\(rawValue)") == 0 else { return }
        kill(getpid(), SIGKILL)
    }
}
