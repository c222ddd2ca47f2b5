import CommandKit
import Contract
import Foundation
import Glibc
import JSON
import Units

/// A copy of the stores somewhere on the disk.
@Record
struct KnownCopy: Record, Equatable {
    /// The directory.
    var path: String = ""
    /// When it was made.
    var made: Instant = 0
}

/// `<state>/backups`: where copies of the stores were put, one line each, so that `forget` can name those
/// that still hold what was forgotten. It has no personal data but the paths.
struct BackupRegistry {
    let stateDirectory: String

    private var path: String { "\(stateDirectory)/backups" }

    /// Those that are still there and have anything in them, each once.
    func present() -> [KnownCopy] {
        var seen: Set<String> = []
        // No file: nothing was ever copied.
        let data = FileManager.default.contents(atPath: path) ?? Data()
        return data.split(separator: 0x0A).compactMap { line in
            // A line that was cut by a power cut names no copy.
            try? KnownCopy.decode([UInt8](line))
        }.filter { copy in
            guard seen.insert(copy.path).inserted else { return false }
            guard FileManager.default.fileExists(atPath: copy.path) else { return false }
            // What cannot be looked into may hold data.
            let names = try? FileManager.default.contentsOfDirectory(atPath: copy.path)
            return names?.isEmpty != true
        }
    }

    func add(_ copy: KnownCopy) throws(CommandError) {
        let descriptor = open(path, O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC | O_NOFOLLOW, 0o600)
        guard descriptor >= 0 else { throw failed() }
        defer { close(descriptor) }
        let line = copy.encoded() + [0x0A]
        guard write(descriptor, line, line.count) == line.count, fsync(descriptor) == 0 else {
            throw failed()
        }
    }

    private func failed() -> CommandError {
        CommandError(
            ExitCode.temporary, "noting the copy in '\(path)' failed: \(String(cString: strerror(errno)))",
            remedy: "Check the disk and the permissions of the state directory.")
    }
}
