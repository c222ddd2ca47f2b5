package import Contract
import Glibc

/// The socket at which browsers connect: on loopback, never elsewhere.
package struct Listening {
    /// Listening and non-blocking; whoever takes it closes it.
    package let descriptor: Int32
    package let port: UInt16

    /// The socket that systemd opened for this process (sd_listen_fds(3)).
    /// - Returns: nil if systemd opened none.
    /// - Throws: `invalidArgument` if it is not one socket of loopback.
    package static func inherited(
        _ environment: [String: String]
    ) throws(ServiceError) -> Listening? {
        guard environment["LISTEN_PID"] == String(getpid()) else { return nil }
        let first: Int32 = 3
        guard environment["LISTEN_FDS"] == "1", let port = port(of: first) else {
            throw ServiceError(
                .invalidArgument, "systemd passed something else than one TCP socket of 127.0.0.1",
                remedy: "See ListenStream in screentime-console.socket.")
        }
        _ = fcntl(first, F_SETFD, FD_CLOEXEC)
        _ = fcntl(first, F_SETFL, fcntl(first, F_GETFL) | O_NONBLOCK)
        return Listening(descriptor: first, port: port)
    }

    /// Opens one.
    /// - Parameter port: 0: any.
    /// - Throws: `alreadyExists` if the port is taken; `unavailable`.
    package init(port wanted: UInt16) throws(ServiceError) {
        let kind = Int32(SOCK_STREAM.rawValue) | Int32(SOCK_NONBLOCK.rawValue) | Int32(SOCK_CLOEXEC.rawValue)
        let opened = socket(AF_INET, kind, 0)
        guard opened >= 0 else { throw Self.failure("opening a socket", wanted, errno) }
        // A port whose connections have just ended is free.
        var yes: Int32 = 1
        _ = setsockopt(opened, SOL_SOCKET, SO_REUSEADDR, &yes, socklen_t(MemoryLayout<Int32>.size))
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_port = wanted.bigEndian
        address.sin_addr.s_addr = Self.loopback
        let isBound = withUnsafePointer(to: &address) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                bind(opened, $0, socklen_t(MemoryLayout<sockaddr_in>.size)) == 0
            }
        }
        guard isBound, listen(opened, ConsoleLimits.backlog) == 0, let port = Self.port(of: opened) else {
            let code = errno
            close(opened)
            throw Self.failure("listening at port \(wanted) of 127.0.0.1", wanted, code)
        }
        self.init(descriptor: opened, port: port)
    }

    private init(descriptor: Int32, port: UInt16) {
        self.descriptor = descriptor
        self.port = port
    }

    private static let loopback = in_addr_t(0x7f00_0001).bigEndian

    /// Nil unless it is a socket of 127.0.0.1.
    private static func port(of descriptor: Int32) -> UInt16? {
        var address = sockaddr_in()
        var size = socklen_t(MemoryLayout<sockaddr_in>.size)
        let result = withUnsafeMutablePointer(to: &address) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { getsockname(descriptor, $0, &size) }
        }
        guard result == 0, address.sin_family == sa_family_t(AF_INET), address.sin_addr.s_addr == loopback
        else { return nil }
        return UInt16(bigEndian: address.sin_port)
    }

    private static func failure(_ action: String, _ port: UInt16, _ code: Int32) -> ServiceError {
        ServiceError(
            code == EADDRINUSE ? .alreadyExists : .unavailable,
            "\(action) failed: \(String(cString: strerror(code)))",
            remedy: "Set SCREENTIME_CONSOLE_PORT to another port, or to 0 for any.")
    }
}
