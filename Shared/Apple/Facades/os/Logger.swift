internal import ProgramLog

/// Writes messages to the log of this program: one JSON line each on standard error, which `screentime logs`
/// shows.
public struct Logger: Sendable {
    private let log: OSLog

    /// Messages without subsystem and category.
    public init() { log = .default }
    /// - Parameters:
    ///   - subsystem: by custom a bundle identifier.
    ///   - category: a part of the program.
    public init(subsystem: String, category: String) { log = OSLog(subsystem: subsystem, category: category) }
    /// Writes to an existing log.
    public init(_ logObj: OSLog) { log = logObj }

    /// Level `info` in the JSON line, as Apple's default level.
    public func log(_ message: OSLogMessage) { log.write(.default, message.text) }
    /// Writes a message of the given type.
    public func log(level: OSLogType, _ message: OSLogMessage) { log.write(level, message.text) }
    /// Level `debug`.
    public func trace(_ message: OSLogMessage) { log.write(.debug, message.text) }
    /// Level `debug`.
    public func debug(_ message: OSLogMessage) { log.write(.debug, message.text) }
    /// Level `info`.
    public func info(_ message: OSLogMessage) { log.write(.info, message.text) }
    /// Level `info`.
    public func notice(_ message: OSLogMessage) { log.write(.default, message.text) }
    /// Level `warning`.
    public func warning(_ message: OSLogMessage) { log.write(.error, message.text, as: .warning) }
    /// Level `error`.
    public func error(_ message: OSLogMessage) { log.write(.error, message.text) }
    /// Level `error` with the type `fault`.
    public func critical(_ message: OSLogMessage) { log.write(.fault, message.text) }
    /// Level `error` with the type `fault`.
    public func fault(_ message: OSLogMessage) { log.write(.fault, message.text) }
}

/// The severity of a message.
public struct OSLogType: Equatable, Hashable, RawRepresentable, Sendable {
    /// Apple's numbers.
    public let rawValue: UInt8
    /// Unknown numbers are written as `info`.
    public init(rawValue: UInt8) { self.rawValue = rawValue }
    /// Same as ``init(rawValue:)``.
    public init(_ rawValue: UInt8) { self.rawValue = rawValue }

    /// Written as `info`.
    public static let `default` = OSLogType(0)
    /// Written as `info`.
    public static let info = OSLogType(1)
    /// Written as `debug`.
    public static let debug = OSLogType(2)
    /// Written as `error`.
    public static let error = OSLogType(16)
    /// Written as `error` with the type `fault`.
    public static let fault = OSLogType(17)
}

/// A destination of messages with a subsystem and a category.
public final class OSLog: Sendable {
    private let names: [(String, String)]
    private let isOn: Bool

    /// The names appear in each JSON line.
    public init(subsystem: String, category: String) {
        names = [("subsystem", subsystem), ("category", category)]
        isOn = true
    }
    private init(isOn: Bool) {
        names = []
        self.isOn = isOn
    }

    /// Without subsystem and category.
    public static let `default` = OSLog(isOn: true)
    /// Writes nothing.
    public static let disabled = OSLog(isOn: false)

    /// True for every type, except in ``disabled``. The reader of the log filters levels.
    public func isEnabled(type: OSLogType) -> Bool { isOn }

    func write(_ type: OSLogType, _ message: String, as level: ProgramLog.Level? = nil) {
        guard isOn else { return }
        let (usual, isFault): (ProgramLog.Level, Bool) =
            switch type {
            case .debug: (.debug, false)
            case .error: (.error, false)
            case .fault: (.error, true)
            default: (.info, false)
            }
        ProgramLog.write(level ?? usual, message, names + (isFault ? [("type", "fault")] : []))
    }
}
