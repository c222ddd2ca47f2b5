import Glibc

/// Who is at the other end of an ipc connection, by the kernel (SO_PEERCRED): libzmq hands it out as the
/// message property `Peer-Address`, `localhost:UID:GID:PID`. A pid can be reused, so it names a connection,
/// not a right.
package struct Peer: Equatable, Sendable {
    package var uid: UInt32
    package var gid: UInt32
    package var pid: Int32

    package init(uid: UInt32, gid: UInt32, pid: Int32) {
        self.uid = uid
        self.gid = gid
        self.pid = pid
    }

    /// Whether the process has ended. It may have handed its connection to another, whom the kernel does not
    /// name.
    package var isGone: Bool { Self.isGone(pid) }

    package static func isGone(_ pid: Int32) -> Bool { pid > 0 && kill(pid, 0) != 0 && errno == ESRCH }

    /// Nil when the text has another form (a tcp address, for example).
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

    /// This process, asked once: each message is held against it.
    package static let own = Peer(uid: getuid(), gid: getgid(), pid: getpid())
}
