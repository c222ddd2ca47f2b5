internal import CAccept
internal import CZeroMQ

/// One connection to a bound socket, as it was accepted; its descriptor may be another's by now.
struct Connection: Equatable, Sendable {
    let descriptor: Int32
    private let number: UInt64

    /// Nil: it is not one that was counted where connections are accepted.
    init?(descriptor: Int32) {
        number = accept_connection(descriptor)
        guard number != 0 else { return nil }
        self.descriptor = descriptor
    }

    /// Whether the other end is still there.
    var isOpen: Bool { accept_is_open(descriptor, number) != 0 }
}

extension Frame {
    /// Over which it came; nil: that is closed by now, or was none.
    mutating func connection() -> Connection? {
        Connection(descriptor: zmq_msg_get(&message, ZMQ_SRCFD))
    }
}
