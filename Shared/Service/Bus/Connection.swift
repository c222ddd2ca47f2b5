internal import CAccept
internal import CZeroMQ

/// One accepted connection of a bound socket. The number tells whether its descriptor was reused since.
struct Connection: Equatable, Sendable {
    let descriptor: Int32
    private let number: UInt64

    /// Nil if the descriptor was not counted by `accept_connection`, for example because it is closed.
    init?(descriptor: Int32) {
        number = accept_connection(descriptor)
        guard number != 0 else { return nil }
        self.descriptor = descriptor
    }

    /// Whether the peer is still connected.
    var isOpen: Bool { accept_is_open(descriptor, number) != 0 }
}

extension Frame {
    /// The connection that delivered this frame. Nil if it is closed by now or was not accepted by this
    /// process.
    mutating func connection() -> Connection? {
        Connection(descriptor: zmq_msg_get(&message, ZMQ_SRCFD))
    }
}
