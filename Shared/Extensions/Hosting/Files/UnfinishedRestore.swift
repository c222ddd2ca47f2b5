import Bus
package import Contract
import Glibc

/// The marker file `<state>/restoring`, which exists from before a restore replaces the first directory until
/// after it has replaced the last. If the restore was interrupted, stores and rules of apps are of different
/// times, and nothing else shows it.
package struct UnfinishedRestore {
    private let path: String

    /// - Parameter stateDirectory: the state directory of the stores.
    package init(stateDirectory: String) { path = "\(stateDirectory)/restoring" }

    /// The directory of the backup; nil if no restore was interrupted.
    package var backup: String? {
        guard access(path, F_OK) == 0 else { return nil }
        // Its existence counts, even if its content cannot be read.
        let text = readWhole(path) ?? ""
        return text.hasSuffix("\n") ? String(text.dropLast()) : text
    }

    /// Creates the marker.
    /// - Throws: `storageFull`, `storageFailed`: it is not safe on the disk.
    package func begin(_ backup: String) throws(ServiceError) {
        let file = try openPrivateFile(path, O_WRONLY | O_CREAT | O_TRUNC)
        defer { close(file) }
        let bytes = Array("\(backup)\n".utf8)
        guard write(file, bytes, bytes.count) == bytes.count, fsync(file) == 0 else {
            throw ServiceError(
                errno == ENOSPC ? .storageFull : .storageFailed,
                "writing '\(path)' failed: \(String(cString: strerror(errno)))",
                remedy: "Check the disk and the permissions, then run the same command again.")
        }
    }

    /// Removes the marker: everything is replaced, or back in its place. If the file cannot be removed, it is
    /// reported until a restore can remove it.
    package func end() { unlink(path) }
}
