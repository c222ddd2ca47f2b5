internal import ProgramLog

/// Writes messages to the log of this program: one JSON line on standard error for each, which
/// `screentime logs` shows.
public struct Logger: Sendable {
    private let log: OSLog

    /// Without names: messages carry neither subsystem nor category.
    public init() { log = .default }
    /// - Parameters:
    ///   - subsystem: a bundle id by custom.
    ///   - category: a part of the program.
    public init(subsystem: String, category: String) { log = OSLog(subsystem: subsystem, category: category) }
    public init(_ logObj: OSLog) { log = logObj }

    public func log(_ message: OSLogMessage) { log.write(.default, message.text) }
    public func log(level: OSLogType, _ message: OSLogMessage) { log.write(level, message.text) }
    public func trace(_ message: OSLogMessage) { log.write(.debug, message.text) }
    public func debug(_ message: OSLogMessage) { log.write(.debug, message.text) }
    public func info(_ message: OSLogMessage) { log.write(.info, message.text) }
    public func notice(_ message: OSLogMessage) { log.write(.default, message.text) }
    public func warning(_ message: OSLogMessage) { log.write(.error, message.text, as: .warning) }
    public func error(_ message: OSLogMessage) { log.write(.error, message.text) }
    public func critical(_ message: OSLogMessage) { log.write(.fault, message.text) }
    public func fault(_ message: OSLogMessage) { log.write(.fault, message.text) }
}

/// How grave a message is.
public struct OSLogType: Equatable, Hashable, RawRepresentable, Sendable {
    public let rawValue: UInt8
    public init(rawValue: UInt8) { self.rawValue = rawValue }
    public init(_ rawValue: UInt8) { self.rawValue = rawValue }

    public static let `default` = OSLogType(0)
    public static let info = OSLogType(1)
    public static let debug = OSLogType(2)
    public static let error = OSLogType(16)
    public static let fault = OSLogType(17)
}

/// Where messages belong.
public final class OSLog: Sendable {
    private let names: [(String, String)]
    private let isOn: Bool

    public init(subsystem: String, category: String) {
        names = [("subsystem", subsystem), ("category", category)]
        isOn = true
    }
    private init(isOn: Bool) {
        names = []
        self.isOn = isOn
    }

    public static let `default` = OSLog(isOn: true)
    /// Writes nothing.
    public static let disabled = OSLog(isOn: false)

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
