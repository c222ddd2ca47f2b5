package import Contract
import FileAccess

/// Held by whoever changes, or copies, what a built-in app keeps together with what it registered:
/// `<runtime>/<client>.turn`.
package final class AppLock: Sendable {
    private let lock: FileLock

    /// - Parameter client: a plain file name.
    /// - Throws: `alreadyExists` when somebody has it.
    package init(of client: String, in runtime: RuntimeDirectory) throws(ServiceError) {
        lock = try FileLock(path: "\(runtime.path)/\(client).turn", holder: client)
    }

    package static func busy(_ client: String) -> ServiceError {
        ServiceError(
            .deadlineExceeded,
            "a command of \(client) that changes something, or a backup, did not end in time",
            remedy: "Wait for it, or end it where it hangs; then say this again.")
    }
}
