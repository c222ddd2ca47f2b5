import Units

/// Limits of this service. Exceeding one gives an error that names it.
enum NotifierLimits {
    /// Number of stored notifications; the oldest that are not pending are deleted first.
    static let recordsKept = 1_000
    /// Pending notifications of all clients together.
    static let pendingMax = 1_000
    /// Of one client, so that no app crowds out others.
    static let pendingPerClientMax = 100
    /// Scheduled notifications of one client; all are stored (Apple keeps the 64 that are due first).
    static let scheduledPerClientMax = 100
    static let scheduledMax = 1_000
    /// Bytes of a subtitle, so that a subtitle and a body fit into a daemon's body.
    static let subtitleBytesMax = 1_024
    static let userInfoBytesMax = 65_536
    static let attachmentsMax = 8
    /// Bytes of all pictures on the screen; the oldest are deleted first.
    static let picturesBytesMax = 32 << 20
    static let categoriesMax = 100
    /// Apple's shortest interval of a repeating trigger (UNTimeIntervalNotificationTrigger).
    static let repeatMin: Milliseconds = 60_000
    /// A hundred years.
    static let afterMax: Milliseconds = 3_155_760_000_000
    /// A notification that is later than this mentions when it was due.
    static let lateMin: Milliseconds = 60_000
    static let actionsMax = DesktopNotificationLimits.actionsMax
    /// Bytes of an action's key or label.
    static let actionBytesMax = DesktopNotificationLimits.actionBytesMax
    /// Notifications sent to the daemon and not answered yet.
    static let flightsMax = 16
    /// Notifications in one answer of `notification.list`, unless the request sets a limit.
    static let listedDefault: Int64 = 100
    /// Errors of the daemon for one notification before it is given up.
    static let attemptsMax = 5
    /// How long the desktop-agent may take to say whether it shows a warning as a banner: a little longer
    /// than it waits for the banner.
    static let banner: Milliseconds = 6_000
    /// Reports about one member that wait for one channel.
    static let outgoingMax = 4
    /// Pause after the first failed attempt, doubled after each, the longest, and after how long a report is
    /// given up.
    static let outgoingPause: Milliseconds = 60_000
    static let outgoingPauseMax: Milliseconds = 21_600_000
    static let outgoingAge: Milliseconds = 259_200_000
    /// How long sendmail or curl may take.
    static let program: Milliseconds = 60_000
    static let programOutputMax = 65_536
    /// First and longest pause before the bus or an unresponsive daemon is tried again.
    static let pause: Milliseconds = 1_000
    static let pauseMax: Milliseconds = 60_000
}

/// A pause that doubles each time it is used.
struct BackOff {
    private var next = NotifierLimits.pause

    mutating func take() -> Milliseconds {
        defer { next = min(next * 2, NotifierLimits.pauseMax) }
        return next
    }

    mutating func reset() { next = NotifierLimits.pause }
}
