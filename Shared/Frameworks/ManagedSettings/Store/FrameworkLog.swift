internal import Foundation

/// What the frameworks say in the program's log: refusals that Apple's calls cannot throw.
package enum FrameworkLog {
    /// - Parameter message: what was tried, what was wrong, what to do; no private value in it.
    package static func error(_ message: String) {
        // Without standard error there is nobody to tell.
        try? FileHandle.standardError.write(contentsOf: Data((message + "\n").utf8))
    }
}
