internal import Bus
package import Contract
import Glibc
internal import JSON
import Time
package import Units

/// The log of one process: JSON lines in `<log directory>/<name>.log`, with constant messages and data as
/// keys. Levels: error (a person must act), warning (degraded), info (started, stopped, decided), debug (each
/// message by type and id). Private data appears at debug only.
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

        /// The name of an error. Its message may name what somebody uses.
        package static func name(of error: any Error) -> Value {
            .text(ServiceError(anything: error).name.rawValue)
        }
    }

    private let name: String
    private let level: Level
    private let sink: any LogSink
    private var seenOnce: Set<String> = []
    /// The last message of level error or warning, and its time.
    package private(set) var lastError: (message: String, at: Instant)?

    /// Opens or creates the file in `directory`; see ``LogFile``.
    package convenience init(name: String, directory: String, level: Level) throws(ServiceError) {
        self.init(name: name, level: level, to: try LogFile("\(directory)/\(name).log"))
    }

    /// - Parameter sink: where the lines go.
    package init(name: String, level: Level, to sink: any LogSink) {
        self.name = name
        self.level = level
        self.sink = sink
    }

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
        guard let obstacle = sink.append(writer.finish() + [UInt8(ascii: "\n")]) else { return }
        warning("the lines before were dropped: the log could not be renamed", [("to", .text(obstacle))])
    }

    /// Removes the lines of what is to be deleted.
    /// - Returns: their number.
    func removeLines(of forgetting: Forgetting) throws(ServiceError) -> Int {
        try sink.removeLines(of: forgetting)
    }
}
