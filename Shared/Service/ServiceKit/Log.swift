internal import Bus
package import Contract
import Glibc
internal import JSON
import Time
package import Units

/// The log of one process: JSON lines in `<log directory>/<name>.log`, constant messages, data as keys.
/// Levels: error (a person must act), warning (degraded), info (started, stopped, decided), debug (each
/// message by type and id). Nothing private above debug. Rotated at ``bytesMax`` to `.1`, `.2` and `.3`.
package final class Log {
    package enum Level: Int, Sendable, Comparable {
        case error, warning, info, debug

        package init?(name: String) {
            switch name {
            case "error": self = .error
            case "warning": self = .warning
            case "info": self = .info
            case "debug": self = .debug
            default: return nil
            }
        }
        var name: String { ["error", "warning", "info", "debug"][rawValue] }
        package static func < (left: Level, right: Level) -> Bool { left.rawValue < right.rawValue }
    }

    /// A value beside a message.
    package enum Value: Sendable, ExpressibleByStringLiteral, ExpressibleByIntegerLiteral {
        case text(String)
        case number(Int64)
        package init(stringLiteral value: String) { self = .text(value) }
        package init(integerLiteral value: Int64) { self = .number(value) }
    }

    /// Bytes of one file before it is rotated: 8 MiB.
    package static let bytesMax = 8 << 20
    static let filesKept = 3

    package let path: String
    private let name: String
    private let level: Level
    private var descriptor: Int32
    private var bytesWritten: Int
    private var seenOnce: Set<String> = []
    /// The last message of level error or warning, and when.
    package private(set) var lastError: (message: String, at: Instant)?

    /// Opens or creates the file, mode 0600; a symbolic link is not followed.
    package init(name: String, directory: String, level: Level) throws(ServiceError) {
        self.name = name
        self.level = level
        path = "\(directory)/\(name).log"
        descriptor = try openPrivateFile(path, O_WRONLY | O_CREAT | O_APPEND)
        bytesWritten = Int(lseek(descriptor, 0, SEEK_END))
    }

    deinit { close(descriptor) }

    package func error(_ message: StaticString, _ data: [(String, Value)] = []) {
        write(.error, message, data)
    }
    package func warning(_ message: StaticString, _ data: [(String, Value)] = []) {
        write(.warning, message, data)
    }
    package func info(_ message: StaticString, _ data: [(String, Value)] = []) { write(.info, message, data) }
    package func debug(
        _ message: @autoclosure () -> StaticString, _ data: @autoclosure () -> [(String, Value)] = []
    ) {
        if level >= .debug { write(.debug, message(), data()) }
    }

    /// Warns the first time something happens; later ones are only counted by the caller.
    package func warnOnce(_ key: String, _ message: StaticString, _ data: [(String, Value)] = []) {
        if seenOnce.insert(key).inserted { write(.warning, message, data) }
    }

    private func write(_ level: Level, _ message: StaticString, _ data: [(String, Value)]) {
        let now = WallTime.now
        if level <= .warning { lastError = ("\(message)", now) }
        guard level <= self.level else { return }
        var writer = JSONWriter(capacity: 256)
        writer.beginObject()
        for (key, text) in [("time", UTCTime.text(now)), ("level", level.name), ("service", name)] {
            writer.key(key)
            writer.string(text)
        }
        writer.key("pid")
        writer.integer(Int64(getpid()))
        writer.key("message")
        writer.string("\(message)")
        for (key, value) in data {
            writer.key(key)
            switch value {
            case .text(let text): writer.string(text)
            case .number(let number): writer.integer(number)
            }
        }
        writer.endObject()
        append(writer.finish() + [UInt8(ascii: "\n")])
    }

    private func append(_ line: [UInt8]) {
        if bytesWritten + line.count > Self.bytesMax { rotate() }
        // A full disk must not stop a service from answering; the line is lost, the state is not.
        let written = Glibc.write(descriptor, line, line.count)
        if written > 0 { bytesWritten += written }
    }

    /// After lines were taken out of the file: it is as long as it is now.
    func measure() { bytesWritten = Int(lseek(descriptor, 0, SEEK_END)) }

    private func rotate() {
        for index in stride(from: Self.filesKept - 1, through: 1, by: -1) {
            rename("\(path).\(index)", "\(path).\(index + 1)")
        }
        bytesWritten = 0
        guard setLogAside(path, descriptor) else {
            return warning(
                "the lines before this one were dropped: the log could not be renamed",
                [("to", .text(path + ".1"))])
        }
        // Without a new file it goes on in the renamed one.
        guard let next = try? openPrivateFile(path, O_WRONLY | O_CREAT | O_APPEND) else { return }
        close(descriptor)
        descriptor = next
    }
}
