package import Units

/// What one connection takes from others.
package enum DBusLimits {
    /// Values of one message that are decoded; what follows is left out.
    package static let valuesMax = 20_000
    /// Bytes of one text in a call; a longer one, and what follows it, is left out.
    package static let callTextBytesMax = 4_096
}

/// How many messages a connection reads: what others send faster waits in the bus, which bounds it.
package struct DBusPace {
    private let interval: Milliseconds
    private let burst: Int64
    /// When as much time has passed as what was read takes at one in each interval.
    private var due: Milliseconds = 0

    /// - Parameters:
    ///   - interval: in which one message is read, for long.
    ///   - burst: how many are read at once after a long pause.
    package init(_ interval: Milliseconds, burst: Int64) {
        self.interval = interval
        self.burst = burst
    }

    /// Notes that messages were read.
    /// - Parameter now: of the monotonic clock.
    /// - Returns: how long no more may be read; 0: they may.
    package mutating func pause(after count: Int, at now: Milliseconds) -> Milliseconds {
        due = max(due, now) + Int64(count) * interval
        return max(0, due - burst * interval - now)
    }
}
