internal import Bus
package import Contract
import Glibc
internal import JSON
import Time
package import Units

/// The log of one process: JSON lines in `<log directory>/<name>.log`, with constant messages and data as
/// keys. Levels: error (a person must act), warning (degraded), info (started, stopped, decided), debug (each
/// message by type and id). Private data appears at debug only. Rotated at ``bytesMax`` to `.1`, `.2` and
/// `.3`.
package final class Log {
    /// Severity; a smaller raw value is more severe.
    package enum Level: Int, Sendable, Comparable {
        case error, warning, info, debug

        /// Nil for an unknown name.
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

    /// A value of a log key.
    package enum Value: Sendable, ExpressibleByStringLiteral, ExpressibleByIntegerLiteral {
        case text(String)
        case number(Int64)
        package init(stringLiteral value: String) { self = .text(value) }
        package init(integerLiteral value: Int64) { self = .number(value) }
    }

    /// Size at which the file is rotated: 8 MiB.
    package static let bytesMax = 8 << 20
    static let filesKept = 3

    /// Path of the present file.
    package let path: String
    private let name: String
    private let level: Level
    private var descriptor: Int32
    private var bytesWritten: Int
    private var seenOnce: Set<String> = []
    /// The last message of level error or warning, and its time.
    package private(set) var lastError: (message: String, at: Instant)?

    /// Opens or creates the file with mode 0600; refuses a symbolic link.
    package init(name: String, directory: String, level: Level) throws(ServiceError) {
        self.name = name
        self.level = level
        path = "\(directory)/\(name).log"
        descriptor = try openPrivateFile(path, O_WRONLY | O_CREAT | O_APPEND)
        bytesWritten = Int(lseek(descriptor, 0, SEEK_END))
    }

    deinit { close(descriptor) }

    /// A person must act.
    package func error(_ message: StaticString, _ data: [(String, Value)] = []) {
        write(.error, message, data)
    }
    /// Something works only partly.
    package func warning(_ message: StaticString, _ data: [(String, Value)] = []) {
        write(.warning, message, data)
    }
    /// The process started, stopped or decided something.
    package func info(_ message: StaticString, _ data: [(String, Value)] = []) { write(.info, message, data) }
    /// A message by type and id. The arguments are evaluated only at this level.
    package func debug(
        _ message: @autoclosure () -> StaticString, _ data: @autoclosure () -> [(String, Value)] = []
    ) {
        if level >= .debug { write(.debug, message(), data()) }
    }

    /// Warns the first time `key` occurs; callers count the others.
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
        // A full disk must not stop the service: the line is lost, the state is not.
        let written = Glibc.write(descriptor, line, line.count)
        if written > 0 { bytesWritten += written }
    }

    /// Measures the file again after lines were removed from it.
    func measure() { bytesWritten = Int(lseek(descriptor, 0, SEEK_END)) }

    private func rotate() {
        for index in stride(from: Self.filesKept - 1, through: 1, by: -1) {
            rename("\(path).\(index)", "\(path).\(index + 1)")
        }
        bytesWritten = 0
        guard rotateLog(path, descriptor) else {
            return warning(
                "the lines before this one were dropped: the log could not be renamed",
                [("to", .text(path + ".1"))])
        }
        // If no new file can be made, logging continues in the renamed one.
        guard let next = try? openPrivateFile(path, O_WRONLY | O_CREAT | O_APPEND) else { return }
        close(descriptor)
        descriptor = next
    }
}
