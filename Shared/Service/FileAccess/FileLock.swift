import Glibc

/// An exclusive flock(2) on a file whose first bytes are the decimal pid of its holder; the kernel lets go of
/// it when the process ends, however it ends.
package struct FileLock: ~Copyable, Sendable {
    /// Stays open as long as the lock is held.
    package let descriptor: Int32

    /// Why there is no lock.
    package enum Failure: Error, Equatable, Sendable {
        /// By the process whose pid the file names; nil: it did not write it yet.
        case held(by: String?)
        case system(errno: Int32)
    }

    /// - Parameter descriptor: of a file that is open for reading and writing. It is the lock's from now on;
    ///   where it cannot be had it is closed.
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
        // A child between fork and exec shares the lock; closing alone would leave it locked until the exec.
        _ = flock(descriptor, LOCK_UN)
        close(descriptor)
    }
}
