import Glibc

/// The process at the other end of an ipc connection, as the kernel reports it (SO_PEERCRED). libzmq provides
/// it as the message property `Peer-Address`, `localhost:UID:GID:PID`. Pids are reused, so this identifies a
/// connection and grants no right.
package struct Peer: Equatable, Sendable {
    /// User id.
    package var uid: UInt32
    /// Group id.
    package var gid: UInt32
    /// Process id; 0 if the kernel does not name the process.
    package var pid: Int32

    /// A peer with these ids; only tests and the connection itself make one.
    package init(uid: UInt32, gid: UInt32, pid: Int32) {
        self.uid = uid
        self.gid = gid
        self.pid = pid
    }

    /// Whether the process has exited. It may have passed its connection to another process, which the kernel
    /// does not name.
    package var isGone: Bool { Self.isGone(pid) }

    /// Whether no process has this pid; false for 0.
    package static func isGone(_ pid: Int32) -> Bool { pid > 0 && kill(pid, 0) != 0 && errno == ESRCH }

    /// Nil if the text has another form (a tcp address, for example).
    init?(address: UnsafePointer<CChar>) {
        var fields: (UInt64, UInt64, UInt64) = (0, 0, 0)
        var field = -1
        var digits = 0
        var cursor = address
        while cursor.pointee != 0 {
            let byte = UInt8(bitPattern: cursor.pointee)
            if byte == UInt8(ascii: ":") {
                guard field < 2, field < 0 || digits > 0 else { return nil }
                field += 1
                digits = 0
            } else if field >= 0 {
                guard (48...57).contains(byte), digits < 10 else { return nil }
                let digit = UInt64(byte - 48)
                switch field {
                case 0: fields.0 = fields.0 * 10 + digit
                case 1: fields.1 = fields.1 * 10 + digit
                default: fields.2 = fields.2 * 10 + digit
                }
                digits += 1
            }
            cursor += 1
        }
        guard field == 2, digits > 0 else { return nil }
        uid = UInt32(truncatingIfNeeded: fields.0)
        gid = UInt32(truncatingIfNeeded: fields.1)
        pid = Int32(truncatingIfNeeded: fields.2)
    }

    /// This process. Read once, since each message is compared with it.
    package static let own = Peer(uid: getuid(), gid: getgid(), pid: getpid())
}
