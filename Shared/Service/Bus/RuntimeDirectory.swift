package import Contract
package import FileAccess
internal import CPosix
import Glibc

/// The directory that holds the sockets of one instance of the system: `<service>.events` and
/// `<service>.requests`, a lock beside each. Mode 0700: the file permissions are the door.
package struct RuntimeDirectory: Equatable, Sendable {
    package var path: String

    package init(path: String) { self.path = path }

    package enum Door: String, Sendable { case events, requests }

    package func socketPath(_ service: ServiceName, _ door: Door) -> String {
        socketPath(named: service.rawValue, door)
    }

    package func endpoint(_ service: ServiceName, _ door: Door) -> String {
        endpoint(named: service.rawValue, door)
    }

    /// The same for a hand, which is no service: it owns no state, but answers for itself.
    package func socketPath(named name: String, _ door: Door) -> String {
        "\(path)/\(name).\(door.rawValue)"
    }

    package func endpoint(named name: String, _ door: Door) -> String {
        "ipc://" + socketPath(named: name, door)
    }

    /// Throws `limitExceeded` when the system cannot hold the paths of the sockets.
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

    /// Makes the directory if it is missing, and checks that it is ours, closed to others, and short enough.
    package func prepare() throws(ServiceError) {
        try checkLength()
        try preparePrivateDirectory(
            path, "runtime directory", key: "SCREENTIME_RUNTIME_DIR", refused: 0o027)
    }

    /// Takes the lock beside a socket: libzmq lets a second bind steal an ipc endpoint in silence.
    package func lock(_ service: ServiceName) throws(ServiceError) -> FileLock {
        try lock(named: service.rawValue)
    }

    package func lock(named name: String) throws(ServiceError) -> FileLock {
        let lock = try FileLock(path: lockPath(named: name), holder: name)
        for door in [Door.events, .requests] { try checkSocketPath(socketPath(named: name, door)) }
        return lock
    }

    /// libzmq removes what is in the way of a socket, if it can: only a socket may be.
    private func checkSocketPath(_ path: String) throws(ServiceError) {
        var status = stat()
        guard lstat(path, &status) == 0, status.st_mode & S_IFMT != S_IFSOCK else { return }
        throw ServiceError(
            .storageFailed, "'\(path)' is no socket, and a socket belongs there",
            remedy: "Move it away, or set another SCREENTIME_RUNTIME_DIR.")
    }

    package func lockPath(named name: String) -> String { "\(path)/\(name).lock" }
}

/// Makes `path` and its parents; existing ones are left as they are.
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
    /// Makes the file where it is missing, and writes this process's pid into it.
    /// - Parameter holder: what runs where the lock is held, for the error.
    /// - Throws: `alreadyExists` when another process has it; `storageFailed`.
    package init(path: String, holder: String) throws(ServiceError) {
        let opened = try openPrivateFile(path, O_RDWR | O_CREAT)
        do throws(Failure) { try self.init(opened) } catch { throw Self.refusal(error, path, holder) }
        let text = Array("\(getpid())\n".utf8)
        // The pid is a courtesy for the error; the lock holds without it.
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

    /// The holder ends in order, and is not missed: whoever reads the pid of a lock that nobody holds knows
    /// that its holder was killed.
    package func markLeft() { _ = ftruncate(descriptor, 0) }
}
