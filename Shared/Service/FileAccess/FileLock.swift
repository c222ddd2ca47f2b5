import Glibc

/// An exclusive flock(2) on a file that begins with its holder's pid in decimal. The kernel releases it when
/// the process ends, however it ends.
package struct FileLock: ~Copyable, Sendable {
    /// Open while the lock is held.
    package let descriptor: Int32

    /// Why the lock was not acquired.
    package enum Failure: Error, Equatable, Sendable {
        /// Another process holds it; nil if that process has not written its pid yet.
        case held(by: String?)
        case system(errno: Int32)
    }

    /// - Parameter descriptor: of a file open for reading and writing. The lock owns it; if locking fails, it
    ///   is closed.
    package init(_ descriptor: Int32) throws(Failure) {
        guard flock(descriptor, LOCK_EX | LOCK_NB) == 0 else {
            let code = errno
            defer { close(descriptor) }
            throw code == EWOULDBLOCK ? .held(by: Self.holder(of: descriptor)) : .system(errno: code)
        }
        self.descriptor = descriptor
    }

    private static func holder(of descriptor: Int32) -> String? {
        var buffer = [UInt8](repeating: 0, count: 20)
        let count = pread(descriptor, &buffer, buffer.count, 0)
        let digits = buffer.prefix(max(0, count)).prefix { (48...57).contains($0) }
        return digits.isEmpty ? nil : String(decoding: digits, as: UTF8.self)
    }

    deinit {
        // A child between fork and exec shares the lock. Closing alone would keep the file locked until exec.
        _ = flock(descriptor, LOCK_UN)
        close(descriptor)
    }
}
