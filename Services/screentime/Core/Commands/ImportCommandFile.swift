import Engine
import Glibc

/// The file of an import.
enum ImportCommandFile {
    /// Largest file taken: 512 MiB, some ten million rows. All of it is held in memory.
    static let bytesMax = 512 << 20

    /// - Parameter path: `-` is standard input.
    /// - Throws: `noInput` when it cannot be read, `badData` naming line and column when it is not
    ///   what it should be.
    static func parse(_ path: String) throws(CommandError) -> DigitalWellbeing.Log {
        let bytes = try read(path)
        do throws(ImportError) { return try DigitalWellbeing.parse(bytes) } catch {
            throw CommandError(
                ExitCode.badData, "'\(path)', \(error)",
                remedy: "Nothing was imported. Correct the file, or export it again.")
        }
    }

    private static func read(_ path: String) throws(CommandError) -> [UInt8] {
        let descriptor = path == "-" ? STDIN_FILENO : open(path, O_RDONLY | O_CLOEXEC)
        guard descriptor >= 0 else { throw unreadable(path, errno) }
        defer { if descriptor != STDIN_FILENO { close(descriptor) } }
        var bytes: [UInt8] = []
        var piece = [UInt8](repeating: 0, count: 1 << 20)
        while true {
            let count = Glibc.read(descriptor, &piece, piece.count)
            if count < 0, errno == EINTR { continue }
            guard count >= 0 else { throw unreadable(path, errno) }
            guard count > 0 else { return bytes }
            bytes += piece[..<count]
            guard bytes.count <= bytesMax else {
                throw CommandError(
                    ExitCode.badData, "'\(path)' has more than \(bytesMax) bytes (bytesMax)",
                    remedy: "Split it into several files with the same header; the order does not matter.")
            }
        }
    }

    private static func unreadable(_ path: String, _ code: Int32) -> CommandError {
        CommandError(
            ExitCode.noInput, "'\(path)' cannot be read: \(String(cString: strerror(code)))",
            remedy: "Check the path and its permissions.")
    }
}
