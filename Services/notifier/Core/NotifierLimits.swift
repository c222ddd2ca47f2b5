/// Every limit of this service. Going over one is an error that names it, never silence.
enum NotifierLimits {
    /// Notifications kept; the oldest that wait for nothing go first.
    static let recordsKept = 1_000
    /// Notifications that may be pending at once, of all together.
    static let pendingMax = 1_000
    /// Of one client, so that no app crowds out the others.
    static let pendingPerClientMax = 100
    static let actionsMax = DesktopNotificationLimits.actionsMax
    /// Bytes of an action's key or label.
    static let actionBytesMax = DesktopNotificationLimits.actionBytesMax
    /// Handed to the daemon at once and not yet answered.
    static let flightsMax = 16
    /// Notifications one `notification.list` tells, unless it asks for fewer or more.
    static let listedDefault: Int64 = 100
    /// Errors of the daemon about one notification before it is given up.
    static let attemptsMax = 5
    /// The first and the longest pause before the bus or a silent daemon is tried again, milliseconds.
    static let pauseMs: Int64 = 1_000
    static let pauseMsMax: Int64 = 60_000
}

/// A pause that doubles each time it is taken.
struct BackOff {
    private var nextMs = NotifierLimits.pauseMs

    mutating func take() -> Int64 {
        defer { nextMs = min(nextMs * 2, NotifierLimits.pauseMsMax) }
        return nextMs
    }

    mutating func reset() { nextMs = NotifierLimits.pauseMs }
}
