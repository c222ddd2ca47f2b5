internal import os

/// What the frameworks say in the program's log: refusals that Apple's calls cannot throw.
package enum FrameworkLog {
    private static let log = Logger(subsystem: "org.screentime.frameworks", category: "calls")

    /// - Parameter message: what was tried, what was wrong, what to do; no private value in it.
    package static func error(_ message: String) { log.error("\(message, privacy: .public)") }
}
