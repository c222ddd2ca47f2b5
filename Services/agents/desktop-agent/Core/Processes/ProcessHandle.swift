import CPosix
import Glibc

/// The result of sending a signal.
enum SignalResult: Equatable {
    case delivered
    /// The process has exited, or its id was reused. Nothing was signalled.
    case gone
    /// The kernel refused; the number is its errno (EPERM: no permission).
    case refused(errno: Int32)
}

/// A descriptor that refers to one process, never to a later one with the same id (pidfd_open(2)). The start
/// time is checked after opening, so that an outdated identity never matches another process.
struct ProcessHandle: ~Copyable {
    private let descriptor: Int32

    private init(descriptor: Int32) { self.descriptor = descriptor }

    deinit { close(descriptor) }

    /// Sends `signal` to exactly the process of `identity`.
    static func send(_ signal: Int32, to identity: ProcessIdentity) -> SignalResult {
        let descriptor = pidfd_open(identity.pid, 0)
        guard descriptor >= 0 else {
            let code = errno
            return code == ESRCH || code == EINVAL ? .gone : .refused(errno: code)
        }
        let handle = ProcessHandle(descriptor: descriptor)
        guard ProcessRecord(pid: identity.pid)?.identity == identity else { return .gone }
        return handle.send(signal)
    }

    private func send(_ signal: Int32) -> SignalResult {
        if pidfd_send_signal(descriptor, signal, nil, 0) == 0 { return .delivered }
        let code = errno
        return code == ESRCH ? .gone : .refused(errno: code)
    }
}
