internal import CAccept
internal import CZeroMQ

/// One accepted connection of a bound socket. The number tells whether its descriptor was reused since.
package struct Connection: Equatable, Sendable {
    /// Its descriptor; another connection may get it later.
    package let descriptor: Int32
    /// Never used again.
    package let number: UInt64

    /// A connection of a transport.
    package init(descriptor: Int32, number: UInt64) {
        self.descriptor = descriptor
        self.number = number
    }
}

extension Frame {
    /// The connection that delivered this frame. Nil if it is closed by now or was not accepted by this
    /// process.
    mutating func connection() -> Connection? {
        let descriptor = zmq_msg_get(&message, ZMQ_SRCFD)
        let number = accept_connection(descriptor)
        return number == 0 ? nil : Connection(descriptor: descriptor, number: number)
    }
}
