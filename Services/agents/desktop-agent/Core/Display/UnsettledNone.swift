import Units

/// How long no other focus must follow before `none` is reported. Window managers pass through `none` between
/// two windows; openbox gives the next one the input focus first, and makes it the active window last.
package struct SettleTimes: Sendable {
    /// While no window has the input focus; then also the time between two looks.
    var none: Milliseconds = 50
    /// While one has: the window manager is between two windows, and gets no processor.
    var noneBesideInput: Milliseconds = 1_000
}

/// A focus of `none` that is not believed yet.
struct UnsettledNone {
    private let since: Milliseconds
    private let times: SettleTimes
    /// When to look again, on the monotonic clock. The input focus is followed by no event.
    private(set) var nextLook: Milliseconds

    init(since: Milliseconds, _ times: SettleTimes) {
        self.since = since
        self.times = times
        nextLook = since
    }

    /// Takes what was seen now.
    /// - Parameter besideInput: whether a window has the input focus.
    /// - Returns: whether none is believed.
    mutating func isBelieved(at now: Milliseconds, besideInput: Bool) -> Bool {
        let end = since + (besideInput ? times.noneBesideInput : times.none)
        nextLook = min(now + times.none, end)
        return now >= end
    }
}
