package import Units

/// One notification for the desktop. All words are literal, never markup.
package struct NotificationContent: Equatable, Sendable {
    package enum Urgency: UInt8, Sendable {
        case low = 0
        case normal = 1
        case critical = 2
    }

    package struct Action: Equatable, Sendable {
        /// Comes back in `.actionInvoked`; `default` is a click on the notification itself.
        package let key: String
        package let label: String

        package init(key: String, label: String) {
            self.key = key
            self.label = label
        }
    }

    /// Ours, unique among the notifications on the screen; the same one again replaces what it shows.
    package var identifier: String
    package var appName: String
    /// One line, must not be blank.
    package var summary: String
    /// May have line feeds; may be empty.
    package var body: String
    package var urgency: Urgency
    package var actions: [Action]
    /// -1: the daemon decides (default); 0: never; else milliseconds.
    package var expireTimeout_ms: Int32
    /// Stays after an action was chosen, where the daemon knows how.
    package var isResident: Bool
    /// Leaves no trace in the daemon's history.
    package var isTransient: Bool
    /// `default`, `none`, or a name of the sound theme (Sound Naming Specification); nil: the daemon decides.
    package var sound: String?
    /// Absolute path of an image to show with it.
    package var imagePath: String?
    /// The daemon's number of one of our notifications to replace; one that is not on the screen is ignored.
    package var replaces: UInt32?

    package init(
        identifier: String, appName: String, summary: String, body: String = "", urgency: Urgency = .normal,
        actions: [Action] = [], expireTimeout_ms: Int32 = -1, isResident: Bool = false,
        isTransient: Bool = false,
        replaces: UInt32? = nil
    ) {
        self.identifier = identifier
        self.appName = appName
        self.summary = summary
        self.body = body
        self.urgency = urgency
        self.actions = actions
        self.expireTimeout_ms = expireTimeout_ms
        self.isResident = isResident
        self.isTransient = isTransient
        self.replaces = replaces
    }
}

/// What happened, in order. Every `show` ends in exactly one `.shown` or `.refused`, unless a newer content
/// of the same identifier takes its place before it was sent; every `.shown` in exactly one `.closed`.
package enum DesktopNotificationEvent: Equatable, Sendable {
    /// A daemon can be called now (it runs, or the bus can start it).
    case daemonAppeared
    case daemonVanished
    case shown(identifier: String, serverID: UInt32)
    case refused(identifier: String, reason: NotificationRefusal)
    case actionInvoked(identifier: String, key: String)
    case closed(identifier: String, reason: NotificationCloseReason)
    /// The connection to the bus is gone: call `connect()` when you see fit.
    case disconnected
}

package enum NotificationCloseReason: Equatable, Sendable {
    /// The reasons 1 to 4 of the specification; unknown numbers are `undefined`.
    case expired, dismissed, closedByCall, undefined
    /// Another identifier took its place (`replaces`).
    case replaced
    /// The daemon or the bus went away, or too many are on the screen: its fate is unknown.
    case lost
}

package enum NotificationRefusal: Error, Equatable, Sendable, CustomStringConvertible {
    case blankSummary
    case tooLong(field: String, limit_bytes: Int)
    case tooManyActions(limit: Int)
    case blankActionKey
    case tooManyPending(limit: Int)
    /// The bus is not connected or was lost before the answer.
    case disconnected
    /// Nobody owns the name and nobody can be started.
    case noDaemon
    /// The daemon is there and says nothing; should it show the notification later, that one is closed at
    /// once.
    case noAnswer(afterMilliseconds: Milliseconds)
    /// `close` came first.
    case withdrawn
    /// The daemon answered with the number 0: it threw the notification away.
    case discarded
    /// An error in the words of the bus or the daemon.
    case daemonFailed(name: String, text: String)

    package var description: String {
        switch self {
        case .blankSummary: "the summary is blank: give it words"
        case .tooLong(let field, let limit): "the \(field) is longer than \(limit) bytes: shorten it"
        case .tooManyActions(let limit): "more than \(limit) actions: offer fewer"
        case .blankActionKey: "an action has no key: name it"
        case .tooManyPending(let limit): "\(limit) notifications wait for the daemon already: try later"
        case .disconnected: "the session bus is not connected: connect, then show it again"
        case .noDaemon:
            "no notification daemon runs in this session: start one (dunst, mako, a desktop shell)"
        case .noAnswer(let limit): "the notification daemon did not answer within \(limit) ms: restart it"
        case .withdrawn: "it was closed before it was shown"
        case .discarded: "the notification daemon threw it away: look at its rules"
        case .daemonFailed(let name, let text): "the notification daemon answered \(name): \(text)"
        }
    }
}

/// Every bound of the desktop channel, in one place.
package enum DesktopNotificationLimits {
    /// How long the bus may take to let us in; generous, for a machine that is busy logging somebody in.
    package static let connectMax: Milliseconds = 25_000
    /// How long a daemon may take to answer before the notification is refused.
    package static let answer: Milliseconds = 5_000
    /// The same when the bus has to start the daemon first (D-Bus' own habit is 25 s).
    package static let activation: Milliseconds = 25_000
    /// Not yet answered, those refused for silence included, since their late answer is still waited for.
    package static let pendingMax = 64
    /// On the screen at once; the oldest is forgotten as `.lost`.
    package static let shownMax = 1_024
    /// Messages handled in one `process()`, so that a flood does not starve the loop.
    package static let messagesPerRoundMax = 256
    package static let summaryBytesMax = 4_096
    package static let bodyBytesMax = 8_192
    package static let actionBytesMax = 256
    package static let actionsMax = 8
}
