import Glibc

/// An operation on a file failed.
package struct FileError: Error, Equatable, Sendable {
    /// What errno said.
    package let code: Int32
    /// What was tried, with the path or name, and why it failed.
    package let message: String

    /// - Parameter action: what was tried, as "opening".
    package init(_ action: String, _ name: String, code: Int32 = errno) {
        self.code = code
        message = "\(action) '\(name)' failed: \(String(cString: strerror(code)))"
    }

    /// - Parameter message: in the same way.
    package init(_ message: String, code: Int32) {
        self.code = code
        self.message = message
    }
}
