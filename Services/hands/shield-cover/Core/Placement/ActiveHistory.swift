import Units

/// The active windows of late, oldest first; the present one is the last.
struct ActiveHistory {
    struct Entry {
        let window: UInt32
        /// On the monotonic clock.
        let since: Milliseconds
    }

    private static let entriesMax = 8

    private(set) var entries: [Entry] = []

    /// - Parameter window: 0: none is active.
    mutating func note(_ window: UInt32, at now: Milliseconds) {
        guard window != 0, entries.last?.window != window else { return }
        entries = (entries + [Entry(window: window, since: now)]).suffix(Self.entriesMax)
    }
}
