import Units

/// Time that is left, and passes only while it runs.
struct RunningTime: Equatable {
    private var rest: Milliseconds
    private var since: Milliseconds?

    /// Stands still at first.
    init(left: Milliseconds) { rest = left }

    var isRunning: Bool { since != nil }

    /// - Parameter now: of the monotonic clock.
    func left(at now: Milliseconds) -> Milliseconds {
        max(0, rest - (since.map { now - $0 } ?? 0))
    }

    mutating func run(_ runs: Bool, at now: Milliseconds) {
        rest = left(at: now)
        since = runs ? now : nil
    }
}
