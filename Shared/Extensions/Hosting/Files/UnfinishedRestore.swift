import Bus
package import Contract
import Glibc

/// `<state>/restoring`: there from before a restore puts the first thing in its place until it has put the
/// last. Where it broke off, stores and rules of apps are of different times, and nothing else tells.
package struct UnfinishedRestore {
    private let path: String

    /// - Parameter stateDirectory: of the stores.
    package init(stateDirectory: String) { path = "\(stateDirectory)/restoring" }

    /// The directory of the backup; nil: each restore ended.
    package var backup: String? {
        guard access(path, F_OK) == 0 else { return nil }
        // That it is there counts, also where nobody can read which backup it was.
        let text = readWhole(path) ?? ""
        return text.hasSuffix("\n") ? String(text.dropLast()) : text
    }

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

    /// Everything is in its place, or back in it. A file that cannot be removed is said until a restore can.
    package func end() { unlink(path) }
}
