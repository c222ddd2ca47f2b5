import Bus
import Contract
import ExtensionKit
import Glibc
import ServiceKit

/// Where each extension's log and journal are.
struct ExtensionFiles {
    private let logDirectory: String
    private let journalDirectory: String

    init(_ configuration: Configuration) throws(ServiceError) {
        logDirectory = configuration.logDirectory
        journalDirectory = "\(configuration.stateDirectory)/\(ServiceName.monitor.rawValue)/returned"
        try makeDirectories(journalDirectory, mode: 0o700)
    }

    /// The file with the last callback that returned; see ``Wire``.
    func journal(_ id: String) -> String { "\(journalDirectory)/\(id)" }

    /// What the program writes on standard output and error. A long one becomes `.1` first.
    func log(_ id: String) -> String {
        let path = "\(logDirectory)/\(id).log"
        var status = stat()
        if stat(path, &status) == 0, status.st_size > MonitorLimits.logBytesMax { rename(path, path + ".1") }
        return path
    }

    /// Whether the program noted that this attempt returned.
    func hasReturned(_ id: String, delivery: Int64, attempt: Int64) -> Bool {
        let descriptor = open(journal(id), O_RDONLY | O_CLOEXEC)
        guard descriptor >= 0 else { return false }
        defer { close(descriptor) }
        var bytes = [UInt8](repeating: 0, count: Wire.journalBytes)
        let count = read(descriptor, &bytes, bytes.count)
        return count == bytes.count && bytes == Wire.journal(delivery: delivery, attempt: attempt)
    }
}
