package import Contract
internal import CPosix
import Glibc
package import Loop

/// Signals as a readable descriptor (signalfd(2)): they are handled in the loop between two messages, never
/// during one.
@LoopActor package final class SignalDescriptor {
    private let descriptor: Int32
    private var token: Reactor.Token?

    /// Blocks `signals` for the whole process. Call it before threads start, so that all inherit the mask.
    package init(_ signals: [Int32]) throws(ServiceError) {
        Self.block(signals)
        var set = Self.set(of: signals)
        descriptor = signalfd(-1, &set, Int32(SFD_CLOEXEC | SFD_NONBLOCK))
        guard descriptor >= 0 else {
            throw ServiceError(
                .limitExceeded, "no descriptor for signals: \(String(cString: strerror(errno)))",
                remedy: "Raise the limit of open files (ulimit -n).")
        }
    }

    isolated deinit {
        if let token { Reactor.shared.forget(token) }
        close(descriptor)
    }

    /// Blocks `signals` in this thread and in those that it starts, for a reader of a ``SignalDescriptor``.
    package nonisolated static func block(_ signals: [Int32]) {
        var set = set(of: signals)
        pthread_sigmask(SIG_BLOCK, &set, nil)
    }

    private nonisolated static func set(of signals: [Int32]) -> sigset_t {
        var set = sigset_t()
        sigemptyset(&set)
        for signal in signals { sigaddset(&set, signal) }
        return set
    }

    /// Calls `handler` with each signal that arrives.
    package func watch(_ handler: @escaping @LoopActor (Int32) -> Void) {
        let descriptor = descriptor
        token = Reactor.shared.watch(descriptor: descriptor) {
            var info = signalfd_siginfo()
            while read(descriptor, &info, MemoryLayout<signalfd_siginfo>.size) > 0 {
                handler(Int32(info.ssi_signo))
            }
        }
    }
}
