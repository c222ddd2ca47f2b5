import Glibc

/// A file operation that failed.
package struct FileError: Error, Equatable, Sendable {
    /// The errno.
    package let code: Int32
    /// What was attempted, with the path or name, and why it failed.
    package let message: String

    /// - Parameter action: what was attempted, as "opening".
    package init(_ action: String, _ name: String, code: Int32 = errno) {
        self.code = code
        message = "\(action) '\(name)' failed: \(String(cString: strerror(code)))"
    }

    /// - Parameter message: the complete sentence.
    package init(_ message: String, code: Int32) {
        self.code = code
        self.message = message
    }
}
