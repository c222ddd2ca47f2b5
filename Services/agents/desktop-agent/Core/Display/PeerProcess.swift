import CPosix
import Glibc

/// Identifies the process at the other end of a local socket, by the kernel.
enum PeerProcess {
    /// The process that listened on the socket to which `descriptor` is connected (SO_PEERCRED of socket(7)).
    /// Nil if the socket is not local.
    static func pid(of descriptor: Int32) -> Int32? {
        // struct ucred of unix(7): pid, uid and gid, 32 bits each; glibc declares it for GNU sources only.
        var credentials: [Int32] = [0, 0, 0]
        var length = socklen_t(12)
        guard getsockopt(descriptor, SOL_SOCKET, SO_PEERCRED, &credentials, &length) == 0,
            credentials[0] > 0
        else { return nil }
        return credentials[0]
    }

    /// The process that listens on a local stream socket; connects to it and disconnects.
    /// - Parameter path: a file, or `@name` in the abstract namespace.
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
        // An abstract name has no terminator; its length delimits it.
        let length = name.first == 0 ? 2 + name.count : MemoryLayout<sockaddr_un>.size
        let connected = withUnsafePointer(to: &address) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                connect(descriptor, $0, socklen_t(length))
            }
        }
        return connected == 0 ? pid(of: descriptor) : nil
    }
}

/// Identifies the session bus.
package enum SessionBus {
    /// The process that listens on the session bus.
    /// - Parameter address: DBUS_SESSION_BUS_ADDRESS, `unix:path=…` or `unix:abstract=…`. In a list the first
    ///   that answers is used; nil if none does.
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
