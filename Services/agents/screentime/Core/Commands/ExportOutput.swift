import CommandKit
import Contract
import Glibc

/// Where an export goes: standard output, a file that is there whole or not at all, or a device or FIFO.
final class ExportOutput {
    /// Nil: standard output.
    private let path: String?
    /// What takes the place of `path` at the end; nil: it is written to as it is.
    private let partial: String?
    private let descriptor: Int32
    private let isForTerminals: Bool
    private var waiting: [UInt8] = []
    private var isFinished = false

    private static let pieceBytes = 1 << 16

    /// - Parameter path: nil and `-` are standard output. What a symbolic link leads to is replaced, not the
    ///   link.
    init(_ path: String?) throws(CommandError) {
        guard let path, path != "-" else {
            (self.path, partial, descriptor, isForTerminals) = (nil, nil, STDOUT_FILENO, true)
            return
        }
        var facts = stat()
        let isThere = stat(path, &facts) == 0
        guard !isThere || facts.st_mode & S_IFMT != S_IFDIR else { throw Self.failure(path, EISDIR) }
        if isThere, facts.st_mode & S_IFMT != S_IFREG {
            (self.path, partial) = (path, nil)
            descriptor = open(path, O_WRONLY | O_CLOEXEC | O_NOCTTY)
            guard descriptor >= 0 else { throw Self.failure(path, errno) }
            isForTerminals = isatty(descriptor) == 1
            return
        }
        let target = isThere ? Self.target(of: path) : path
        let partial = "\(target).partial-\(getpid())"
        (self.path, self.partial, isForTerminals) = (target, partial, false)
        descriptor = open(partial, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0o600)
        guard descriptor >= 0 else { throw Self.failure(target, errno) }
    }

    private static func target(of path: String) -> String {
        guard let real = realpath(path, nil) else { return path }
        defer { free(real) }
        return String(cString: real)
    }

    deinit {
        guard path != nil, !isFinished else { return }
        close(descriptor)
        if let partial { unlink(partial) }
    }

    func write(_ line: String) throws(CommandError) { try write(bytes: Array(line.utf8)) }

    /// A line. Where a terminal may show it, it is escaped as JSON escapes; a file has it as it is.
    func write(bytes line: [UInt8]) throws(CommandError) {
        waiting += isForTerminals ? VisibleText.escapedJSON(line) : line
        waiting.append(UInt8(ascii: "\n"))
        if waiting.count >= Self.pieceBytes { try flush() }
    }

    /// Puts the file in its place.
    func finish() throws(CommandError) {
        try flush()
        guard let path else { return }
        if let partial {
            guard fsync(descriptor) == 0, rename(partial, path) == 0 else { throw Self.failure(path, errno) }
        }
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
