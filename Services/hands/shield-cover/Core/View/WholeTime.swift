import Units

/// The server's clock without its wraparound after 49.7 days.
struct WholeTime {
    private var server: Milliseconds, local: Milliseconds

    /// - Parameters:
    ///   - server: a time of the server.
    ///   - local: when it was read, on a monotonic clock.
    init(_ server: UInt32, local: Milliseconds) {
        self.server = Milliseconds(Int64(server))
        self.local = local
    }

    /// A time of the server that is less than 24.8 days from the present.
    mutating func whole(_ time: UInt32, local now: Milliseconds) -> Milliseconds {
        let expected = server + (now - local)
        let distance = Int32(bitPattern: time &- UInt32(truncatingIfNeeded: expected.count))
        (server, local) = (expected, now)
        return expected + Milliseconds(Int64(distance))
    }
}
