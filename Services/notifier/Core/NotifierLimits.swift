import Units

/// Every limit of this service. Going over one is an error that names it, never silence.
enum NotifierLimits {
    /// Notifications kept; the oldest that wait for nothing go first.
    static let recordsKept = 1_000
    /// Notifications that may be pending at once, of all together.
    static let pendingMax = 1_000
    /// Of one client, so that no app crowds out the others.
    static let pendingPerClientMax = 100
    /// Scheduled at once by one client; all of them are kept (Apple keeps the 64 that are due soonest).
    static let scheduledPerClientMax = 100
    static let scheduledMax = 1_000
    /// Bytes of a subtitle, so that it and a body fit into what a daemon takes.
    static let subtitleBytesMax = 1_024
    static let userInfoBytesMax = 65_536
    static let attachmentsMax = 8
    /// Bytes of all pictures that are on the screen; the oldest go first.
    static let picturesBytesMax = 32 << 20
    static let categoriesMax = 100
    /// Apple's shortest time between repeats (UNTimeIntervalNotificationTrigger).
    static let repeatMin: Milliseconds = 60_000
    /// A hundred years: longer than anybody waits.
    static let afterMax: Milliseconds = 3_155_760_000_000
    /// From so late on a notification says on the screen when it was due.
    static let lateMin: Milliseconds = 60_000
    static let actionsMax = DesktopNotificationLimits.actionsMax
    /// Bytes of an action's key or label.
    static let actionBytesMax = DesktopNotificationLimits.actionBytesMax
    /// Handed to the daemon at once and not yet answered.
    static let flightsMax = 16
    /// Notifications one `notification.list` tells, unless it asks for fewer or more.
    static let listedDefault: Int64 = 100
    /// Errors of the daemon about one notification before it is given up.
    static let attemptsMax = 5
    /// The first and the longest pause before the bus or a silent daemon is tried again.
    static let pause: Milliseconds = 1_000
    static let pauseMax: Milliseconds = 60_000
}

/// A pause that doubles each time it is taken.
struct BackOff {
    private var next = NotifierLimits.pause

    mutating func take() -> Milliseconds {
        defer { next = min(next * 2, NotifierLimits.pauseMax) }
        return next
    }

    mutating func reset() { next = NotifierLimits.pause }
}
