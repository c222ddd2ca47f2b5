import Contract
import Glibc

/// A file that the person named: a regular one and not larger than allowed, or standard input.
package struct InputFile: ~Copyable {
    package let path: String
    /// Bytes that are read at most.
    let bytesMax: Int
    private let descriptor: Int32
    private var taken = 0

    /// What the person can do about a file that is too large.
    private let remedy: String

    /// - Parameters:
    ///   - path: `-` is standard input, which may be anything, up to `bytesMax`.
    ///   - remedy: what to do about a file that is too large.
    /// - Throws: `noInput` when it cannot be opened or is a FIFO, a device, a directory or a socket: reading
    ///   those never ends, or changes something. `badData` when it is too large.
    package static func open(
        _ path: String, bytesMax: Int, remedy: String
    ) throws(CommandError) -> InputFile {
        guard path != "-" else {
            return InputFile(path: path, bytesMax: bytesMax, remedy: remedy, descriptor: STDIN_FILENO)
        }
        // Opening a FIFO waits for its writer, and a terminal would become ours.
        let descriptor = Glibc.open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY)
        guard descriptor >= 0 else { throw unreadable(path, errno) }
        let file = InputFile(path: path, bytesMax: bytesMax, remedy: remedy, descriptor: descriptor)
        var status = stat()
        guard fstat(descriptor, &status) == 0 else { throw unreadable(path, errno) }
        guard status.st_mode & S_IFMT == S_IFREG else {
            throw CommandError(
                ExitCode.noInput, "'\(path)' is \(kind(status.st_mode)) and no regular file",
                remedy: "Name a regular file, or hand its content in with '-'.")
        }
        guard status.st_size <= bytesMax else { throw file.tooLarge }
        return file
    }

    private init(path: String, bytesMax: Int, remedy: String, descriptor: Int32) {
        self.path = path
        self.bytesMax = bytesMax
        self.remedy = remedy
        self.descriptor = descriptor
    }

    deinit { if descriptor > STDIN_FILENO { close(descriptor) } }

    /// Fills `piece` from its start.
    /// - Returns: how many bytes; 0 at the end.
    package mutating func read(_ piece: inout [UInt8]) throws(CommandError) -> Int {
        while true {
            let count = Glibc.read(descriptor, &piece, piece.count)
            if count < 0, errno == EINTR { continue }
            guard count >= 0 else { throw Self.unreadable(path, errno) }
            taken += count
            guard taken <= bytesMax else { throw tooLarge }
            return count
        }
    }

    /// All of a file.
    package static func whole(_ path: String, bytesMax: Int, remedy: String) throws(CommandError) -> [UInt8] {
        var file = try open(path, bytesMax: bytesMax, remedy: remedy)
        var bytes: [UInt8] = []
        var piece = [UInt8](repeating: 0, count: 1 << 20)
        while true {
            let count = try file.read(&piece)
            guard count > 0 else { return bytes }
            bytes += piece[..<count]
        }
    }

    private var tooLarge: CommandError {
        CommandError(
            ExitCode.badData, "'\(path)' has more than \(bytesMax) bytes (bytesMax)", remedy: remedy)
    }

    private static func kind(_ mode: mode_t) -> String {
        switch mode & S_IFMT {
        case S_IFDIR: "a directory"
        case S_IFIFO: "a FIFO"
        case S_IFSOCK: "a socket"
        case S_IFCHR, S_IFBLK: "a device"
        default: "something else"
        }
    }

    package static func unreadable(_ path: String, _ code: Int32) -> CommandError {
        CommandError(
            ExitCode.noInput, "'\(path)' cannot be read: \(String(cString: strerror(code)))",
            remedy: "Check the path and its permissions.")
    }
}
