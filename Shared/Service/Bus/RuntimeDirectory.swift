package import Contract
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

/// An exclusive flock(2) on a file that names its holder's pid; the kernel lets go of it when the process
/// ends.
package struct FileLock: ~Copyable, Sendable {
    private let descriptor: Int32

    package init(path: String, holder: String) throws(ServiceError) {
        let opened = try openPrivateFile(path, O_RDWR | O_CREAT)
        guard flock(opened, LOCK_EX | LOCK_NB) == 0 else {
            let holderPid = Self.readPid(opened)
            close(opened)
            throw ServiceError(
                .alreadyExists, "\(holder) already runs here (pid \(holderPid)); '\(path)' is locked",
                remedy: "Use the running one, stop it, or set another SCREENTIME_RUNTIME_DIR and "
                    + "SCREENTIME_STATE_DIR.")
        }
        descriptor = opened
        let text = Array("\(getpid())\n".utf8)
        // The pid is a courtesy for the error above; the lock holds without it.
        _ = ftruncate(descriptor, 0)
        _ = pwrite(descriptor, text, text.count, 0)
    }

    private static func readPid(_ descriptor: Int32) -> String {
        var buffer = [UInt8](repeating: 0, count: 16)
        let count = pread(descriptor, &buffer, buffer.count, 0)
        let digits = buffer.prefix(max(0, count)).prefix { (48...57).contains($0) }
        return digits.isEmpty ? "unknown" : String(decoding: digits, as: UTF8.self)
    }

    /// The holder ends in order, and is not missed: whoever reads the pid of a lock that nobody holds knows
    /// that its holder was killed.
    package func markLeft() { _ = ftruncate(descriptor, 0) }

    deinit {
        // A child between fork and exec shares the lock; closing alone would leave it locked until the exec.
        _ = flock(descriptor, LOCK_UN)
        close(descriptor)
    }
}
