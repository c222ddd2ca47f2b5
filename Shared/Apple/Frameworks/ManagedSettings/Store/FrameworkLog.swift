internal import os

/// Writes errors that Apple's calls cannot throw to the program's log.
package enum FrameworkLog {
    private static let log = Logger(subsystem: "org.screentime.frameworks", category: "calls")

    /// - Parameter message: what failed, why and what to do, without private values.
    package static func error(_ message: String) { log.error("\(message, privacy: .public)") }
}
