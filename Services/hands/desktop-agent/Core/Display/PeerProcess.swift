import CPosix
import Glibc

/// Who sits at the other end of a local socket, as the kernel knows it.
enum PeerProcess {
    /// The process that listened on the socket `descriptor` is connected to (SO_PEERCRED of socket(7));
    /// nil when the socket is not local.
    static func pid(of descriptor: Int32) -> Int32? {
        // struct ucred of unix(7): pid, uid and gid, 32 bits each; glibc shows it only to GNU sources.
        var credentials: [Int32] = [0, 0, 0]
        var length = socklen_t(12)
        guard getsockopt(descriptor, SOL_SOCKET, SO_PEERCRED, &credentials, &length) == 0,
            credentials[0] > 0
        else { return nil }
        return credentials[0]
    }

    /// Connects to a local stream socket, asks who listens, and hangs up.
    /// - Parameter path: a file, or `@name` for the abstract name space.
    static func pid(listeningAt path: String) -> Int32? {
        var address = sockaddr_un()
        address.sun_family = sa_family_t(AF_UNIX)
        var name = Array(path.utf8)
        if name.first == UInt8(ascii: "@") { name[0] = 0 }
        guard name.count < MemoryLayout.size(ofValue: address.sun_path) else { return nil }
        withUnsafeMutableBytes(of: &address.sun_path) { $0.copyBytes(from: name) }
        let descriptor = socket(AF_UNIX, Int32(SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue), 0)
        guard descriptor >= 0 else { return nil }
        defer { close(descriptor) }
        // An abstract name has no terminator: its length says where it ends.
        let length = name.first == 0 ? 2 + name.count : MemoryLayout<sockaddr_un>.size
        let connected = withUnsafePointer(to: &address) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                connect(descriptor, $0, socklen_t(length))
            }
        }
        return connected == 0 ? pid(of: descriptor) : nil
    }
}

package enum SessionBus {
    /// The process that listens on the session bus.
    /// - Parameter address: DBUS_SESSION_BUS_ADDRESS, `unix:path=…` or `unix:abstract=…`; the first of a
    ///   list that answers counts. Nil when none does.
    package static func pid(address: String) -> Int32? {
        for entry in address.split(separator: ";") where entry.hasPrefix("unix:") {
            for pair in entry.dropFirst(5).split(separator: ",") {
                let parts = pair.split(separator: "=", maxSplits: 1)
                guard parts.count == 2 else { continue }
                let path = parts[0] == "abstract" ? "@" + parts[1] : String(parts[1])
                guard parts[0] == "abstract" || parts[0] == "path" else { continue }
                if let pid = PeerProcess.pid(listeningAt: path) { return pid }
            }
        }
        return nil
    }
}
