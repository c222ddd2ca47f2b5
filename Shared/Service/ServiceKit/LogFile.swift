internal import Bus
package import Contract
import Glibc

/// Where the lines of a ``Log`` go.
package protocol LogSink: AnyObject {
    /// Appends one line. It may be lost: a full disk must not stop the service.
    /// - Returns: the path that the full log could not get, so that its lines were dropped; else nil.
    func append(_ line: [UInt8]) -> String?
    /// Removes the lines of what is to be deleted.
    /// - Returns: their number.
    func removeLines(of forgetting: Forgetting) throws(ServiceError) -> Int
}

/// A log's file, rotated at ``bytesMax`` to `.1`, `.2` and `.3`.
package final class LogFile: LogSink {
    /// Size at which the file is rotated: 8 MiB.
    package static let bytesMax = 8 << 20
    private static let filesKept = 3

    private let path: String
    private var descriptor: Int32
    private var bytesWritten: Int

    /// Opens or creates the file with mode 0600; refuses a symbolic link.
    package init(_ path: String) throws(ServiceError) {
        self.path = path
        descriptor = try openPrivateFile(path, O_WRONLY | O_CREAT | O_APPEND)
        bytesWritten = Int(lseek(descriptor, 0, SEEK_END))
    }

    deinit { close(descriptor) }

    package func append(_ line: [UInt8]) -> String? {
        let obstacle = bytesWritten + line.count > Self.bytesMax ? rotate() : nil
        let written = write(descriptor, line, line.count)
        if written > 0 { bytesWritten += written }
        return obstacle
    }

    package func removeLines(of forgetting: Forgetting) throws(ServiceError) -> Int {
        var count = 0
        for path in [path] + (1...Self.filesKept).map({ "\(path).\($0)" }) {
            count += try forgetting.removeLines(from: path)
        }
        bytesWritten = Int(lseek(descriptor, 0, SEEK_END))
        return count
    }

    /// - Returns: the path that the file could not get; then it was emptied instead.
    private func rotate() -> String? {
        for index in stride(from: Self.filesKept - 1, through: 1, by: -1) {
            rename("\(path).\(index)", "\(path).\(index + 1)")
        }
        bytesWritten = 0
        guard rotateLog(path, descriptor) else { return path + ".1" }
        // If no new file can be made, logging continues in the renamed one.
        guard let next = try? openPrivateFile(path, O_WRONLY | O_CREAT | O_APPEND) else { return nil }
        close(descriptor)
        descriptor = next
        return nil
    }
}
