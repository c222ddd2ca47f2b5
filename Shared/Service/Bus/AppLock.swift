package import Contract
import FileAccess

/// The lock of one built-in app, `<runtime>/<client>.turn`. A command holds it while it changes the app's
/// rules and registers what follows from them; a backup holds it while it copies the rules.
package final class AppLock: Sendable {
    private let lock: FileLock

    /// - Parameter client: a plain file name.
    /// - Throws: `alreadyExists` if another process holds the lock.
    package init(of client: String, in runtime: RuntimeDirectory) throws(ServiceError) {
        lock = try FileLock(path: "\(runtime.path)/\(client).turn", holder: client)
    }

    /// The error for a lock that did not become free in time.
    package static func busy(_ client: String) -> ServiceError {
        ServiceError(
            .deadlineExceeded,
            "another command of \(client), or a backup, still holds its lock",
            remedy: "Wait until it ends, or stop it if it hangs; then run this again.")
    }
}
