internal import CZeroMQ
import Glibc
import Loop

extension Reactor {
    /// Calls `handler` while the socket is readable and, if `wantsToSend` returns true, while it is writable.
    /// Unregister the socket before closing it.
    func watch(
        socket: borrowing Socket, wantsToSend: @escaping @LoopActor () -> Bool = { false },
        _ handler: @escaping @LoopActor () -> Void
    ) -> Token {
        let (raw, usage) = (socket.raw, socket.usage)
        let isReady: @LoopActor (Bool) -> Bool = { isSignalled in
            // The first call of the handler reads the state, too.
            if isSignalled { usage.isUsed = true }
            guard !isSignalled, usage.isUsed else { return isSignalled }
            let wanted = wantsToSend() ? ZMQ_POLLIN | ZMQ_POLLOUT : ZMQ_POLLIN
            usage.isUsed = option(ZMQ_EVENTS, of: raw) & Int32(wanted) != 0
            return usage.isUsed
        }
        return watch(readinessDescriptor: option(ZMQ_FD, of: raw), isReady: isReady, handler)
    }
}

/// Reads an option that every open socket has. Reading ZMQ_EVENTS also clears the readiness that ZMQ_FD
/// signals (zmq_getsockopt(3)).
private func option(_ name: Int32, of raw: UnsafeMutableRawPointer) -> Int32 {
    var value: Int32 = 0
    var size = MemoryLayout<Int32>.size
    while zmq_getsockopt(raw, name, &value, &size) != 0 {
        precondition(
            zmq_errno() == EINTR, "a closed socket was polled: \(String(cString: zmq_strerror(zmq_errno())))")
    }
    return value
}
