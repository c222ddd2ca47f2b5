package import Contract
package import FileAccess
internal import CPosix
import Glibc

/// The directory with the sockets of one instance of the system: `<service>.events` and `<service>.requests`,
/// each service with a lock file. Its mode 0700 is the access control.
package struct RuntimeDirectory: Equatable, Sendable {
    /// Absolute path, short enough for socket addresses (see ``checkLength()``).
    package var path: String

    /// Does not touch the file system; see ``prepare()``.
    package init(path: String) { self.path = path }

    /// The two sockets of a service.
    package enum SocketKind: String, Sendable { case events, requests }

    /// Path of a service's socket.
    package func socketPath(_ service: ServiceName, _ kind: SocketKind) -> String {
        socketPath(named: service.rawValue, kind)
    }

    /// The same as a libzmq address.
    package func endpoint(_ service: ServiceName, _ kind: SocketKind) -> String {
        endpoint(named: service.rawValue, kind)
    }

    /// The same for an agent. It is no service, since it owns no state, but has a socket for requests.
    package func socketPath(named name: String, _ kind: SocketKind) -> String {
        "\(path)/\(name).\(kind.rawValue)"
    }

    /// The same as a libzmq address.
    package func endpoint(named name: String, _ kind: SocketKind) -> String {
        "ipc://" + socketPath(named: name, kind)
    }

    /// Whether a process has the request socket of a service or agent open; a stopped one counts.
    package func somebodyListens(named name: String) -> Bool {
        // A process that is stopped lets its queue of connections fill: it would be waited for without end.
        let probe = socket(AF_UNIX, Int32(SOCK_STREAM.rawValue) | O_CLOEXEC | O_NONBLOCK, 0)
        guard probe >= 0 else { return false }
        defer { close(probe) }
        var address = sockaddr_un()
        address.sun_family = sa_family_t(AF_UNIX)
        let path = Array(socketPath(named: name, .requests).utf8)
        guard path.count < MemoryLayout.size(ofValue: address.sun_path) else { return false }
        withUnsafeMutableBytes(of: &address.sun_path) { $0.copyBytes(from: path) }
        return withUnsafePointer(to: &address) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                connect(probe, $0, socklen_t(MemoryLayout<sockaddr_un>.size)) == 0 || errno == EAGAIN
            }
        }
    }

    /// - Throws: `limitExceeded` if a socket path is longer than the system allows.
    package func checkLength() throws(ServiceError) {
        let longest = ServiceName.allCases.map { socketPath($0, .requests).utf8.count }.max() ?? 0
        guard longest <= Limits.socketPathBytesMax else {
            throw ServiceError(
                .limitExceeded,
                "the runtime directory '\(path)' makes socket paths of \(longest) bytes; the system allows "
                    + "\(Limits.socketPathBytesMax)",
                remedy: "Set SCREENTIME_RUNTIME_DIR to a shorter path.")
        }
    }

    /// Creates the directory if it is missing, and checks that this user owns it, that others have no access,
    /// and that the path is short enough.
    package func prepare() throws(ServiceError) {
        try checkLength()
        try preparePrivateDirectory(
            path, "runtime directory", key: "SCREENTIME_RUNTIME_DIR", refused: 0o027)
    }

    /// Takes the lock of a service. Needed because libzmq lets a second bind replace an ipc endpoint without
    /// an error.
    package func lock(_ service: ServiceName) throws(ServiceError) -> FileLock {
        try lock(named: service.rawValue)
    }

    /// The same for an agent.
    package func lock(named name: String) throws(ServiceError) -> FileLock {
        let lock = try FileLock(path: lockPath(named: name), holder: name)
        for kind in [SocketKind.events, .requests] { try checkSocketPath(socketPath(named: name, kind)) }
        return lock
    }

    /// libzmq removes whatever file is at a socket's path, so anything but a socket is refused.
    private func checkSocketPath(_ path: String) throws(ServiceError) {
        var status = stat()
        guard lstat(path, &status) == 0, status.st_mode & S_IFMT != S_IFSOCK else { return }
        throw ServiceError(
            .storageFailed, "'\(path)' is not a socket, but has the path of one",
            remedy: "Move it away, or set another SCREENTIME_RUNTIME_DIR.")
    }

    /// Path of the lock file of a service or agent.
    package func lockPath(named name: String) -> String { "\(path)/\(name).lock" }
}

/// Creates `path` and its parents; existing directories keep their modes.
package func makeDirectories(_ path: String, mode: UInt32) throws(ServiceError) {
    var prefix = ""
    for part in path.split(separator: "/", omittingEmptySubsequences: true) {
        prefix += "/" + part
        if mkdir(prefix, mode) != 0, errno != EEXIST, errno != EISDIR, errno != EROFS {
            let reason = String(cString: strerror(errno))
            throw ServiceError(
                .storageFailed, "making the directory '\(prefix)' failed: \(reason)",
                remedy: "Check its permissions, or set SCREENTIME_RUNTIME_DIR and SCREENTIME_STATE_DIR.")
        }
    }
}

extension FileLock {
    /// Creates the file if it is missing and writes this process's pid into it.
    /// - Parameter holder: the service or agent that holds the lock, for the error.
    /// - Throws: `alreadyExists` if another process holds it; `storageFailed`.
    package init(path: String, holder: String) throws(ServiceError) {
        let opened = try openPrivateFile(path, O_RDWR | O_CREAT)
        do throws(Failure) { try self.init(opened) } catch { throw Self.refusal(error, path, holder) }
        let text = Array("\(getpid())\n".utf8)
        // The pid is only for the error message; the lock works without it.
        _ = ftruncate(descriptor, 0)
        _ = pwrite(descriptor, text, text.count, 0)
    }

    private static func refusal(_ failure: Failure, _ path: String, _ holder: String) -> ServiceError {
        switch failure {
        case .held(let pid):
            ServiceError(
                .alreadyExists, "\(holder) already runs here (pid \(pid ?? "unknown")); '\(path)' is locked",
                remedy: "Use the running one, stop it, or set another SCREENTIME_RUNTIME_DIR and "
                    + "SCREENTIME_STATE_DIR.")
        case .system(let code):
            ServiceError(
                .storageFailed, "locking '\(path)' failed: \(String(cString: strerror(code)))",
                remedy: "Check the file system of the runtime directory.")
        }
    }

    /// Empties the file at an orderly exit. A pid in an unlocked file therefore means that its holder was
    /// killed.
    package func markReleased() { _ = ftruncate(descriptor, 0) }
}
