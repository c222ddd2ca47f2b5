import Contract
import Glibc

/// Where an export goes: standard output, or a file that is there whole or not at all.
final class ExportOutput {
    private let path: String?
    private let partial: String
    private let descriptor: Int32
    private var waiting: [UInt8] = []
    private var isFinished = false

    private static let pieceBytes = 1 << 16

    /// - Parameter path: nil and `-` are standard output.
    init(_ path: String?) throws(CommandError) {
        self.path = path == "-" ? nil : path
        partial = "\(path ?? "").partial-\(getpid())"
        guard self.path != nil else {
            descriptor = STDOUT_FILENO
            return
        }
        descriptor = open(partial, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0o600)
        guard descriptor >= 0 else { throw Self.failure(partial, errno) }
    }

    deinit {
        guard path != nil, !isFinished else { return }
        close(descriptor)
        unlink(partial)
    }

    func write(_ line: String) throws(CommandError) { try write(bytes: Array(line.utf8)) }

    /// A line. On standard output, which may be a terminal, it is escaped as JSON escapes; a file has it as
    /// it is.
    func write(bytes line: [UInt8]) throws(CommandError) {
        waiting += path == nil ? VisibleText.escapedJSON(line) : line
        waiting.append(UInt8(ascii: "\n"))
        if waiting.count >= Self.pieceBytes { try flush() }
    }

    /// Puts the file in its place.
    func finish() throws(CommandError) {
        try flush()
        guard let path else { return }
        guard fsync(descriptor) == 0, rename(partial, path) == 0 else { throw Self.failure(path, errno) }
        isFinished = true
        close(descriptor)
    }

    private func flush() throws(CommandError) {
        var done = 0
        while done < waiting.count {
            let count = waiting[done...].withUnsafeBytes { Glibc.write(descriptor, $0.baseAddress, $0.count) }
            if count < 0, errno == EINTR { continue }
            guard count > 0 else { throw Self.failure(path ?? "standard output", errno) }
            done += count
        }
        waiting.removeAll(keepingCapacity: true)
    }

    private static func failure(_ path: String, _ code: Int32) -> CommandError {
        CommandError(
            ExitCode.refused, "'\(path)' cannot be written: \(String(cString: strerror(code)))",
            remedy: "Choose another place with -o.")
    }
}
