package import Units

/// What one connection takes from others.
package enum DBusLimits {
    /// Values of one message that are decoded; what follows is left out.
    package static let valuesMax = 20_000
    /// Bytes of one text in a call; a longer one, and what follows it, is left out.
    package static let callTextBytesMax = 4_096
}

/// How many messages a connection reads. What others send faster waits in the bus; if that goes on, the
/// connection is given up, with all that waits, and made again under another name.
package struct DBusPace {
    private let interval: Milliseconds
    private let burst: Int64
    /// Rests in a row.
    private var rests = 0
    /// After so many rests in a row the connection is given up.
    private static let restsMax = 5
    /// What becomes of reading.
    package enum Next: Equatable { case goesOn, rests(Milliseconds), isGivenUp }
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
    package mutating func next(after count: Int, at now: Milliseconds) -> Next {
        due = max(due, now) + Int64(count) * interval
        let pause = due - burst * interval - now
        rests = pause > 0 ? rests + 1 : 0
        guard pause > 0 else { return .goesOn }
        guard rests > Self.restsMax else { return .rests(pause) }
        (rests, due) = (0, now)
        return .isGivenUp
    }
}
