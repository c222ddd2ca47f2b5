package import Units

/// A notification for the desktop. All texts are literal, never markup.
package struct NotificationContent: Equatable, Sendable {
    /// The daemon's urgency levels, with their numbers on the bus.
    package enum Urgency: UInt8, Sendable {
        case low = 0
        case normal = 1
        case critical = 2
    }

    /// A button.
    package struct Action: Equatable, Sendable {
        /// Returned in `.actionInvoked`; `default` is a click on the notification itself.
        package let key: String
        /// Text of the button.
        package let label: String

        /// A button with a key and a text.
        package init(key: String, label: String) {
            self.key = key
            self.label = label
        }
    }

    /// Chosen by us and unique on the screen; showing the same one again replaces it.
    package var identifier: String
    /// Name of the sender as shown.
    package var appName: String
    /// One line, must not be blank.
    package var summary: String
    /// May contain line feeds; may be empty.
    package var body: String
    /// Default: normal.
    package var urgency: Urgency
    /// At most ``DesktopNotificationLimits/actionsMax``.
    package var actions: [Action]
    /// Milliseconds until it closes; 0 for never; -1 (default) lets the daemon decide.
    package var expireTimeout_ms: Int32
    /// `default`, `none`, or a name of the sound theme (Sound Naming Specification). If nil, the daemon
    /// decides.
    package var sound: String?
    /// Absolute path of an image to show.
    package var imagePath: String?
    /// The daemon's number of one of our notifications to replace; ignored if that is not on the screen.
    package var replaces: UInt32?

    /// Unset fields leave the choice to the daemon.
    package init(
        identifier: String, appName: String, summary: String, body: String = "", urgency: Urgency = .normal,
        actions: [Action] = [], expireTimeout_ms: Int32 = -1, replaces: UInt32? = nil
    ) {
        self.identifier = identifier
        self.appName = appName
        self.summary = summary
        self.body = body
        self.urgency = urgency
        self.actions = actions
        self.expireTimeout_ms = expireTimeout_ms
        self.replaces = replaces
    }
}

/// Events in order. Every `show` results in exactly one `.shown` or `.refused`, unless newer content of the
/// same identifier replaces it before it is sent; every `.shown` in exactly one `.closed`.
package enum DesktopNotificationEvent: Equatable, Sendable {
    /// A daemon can be called now: it runs, or the bus can start it.
    case daemonAppeared
    case daemonVanished
    case shown(identifier: String, serverID: UInt32)
    case refused(identifier: String, reason: NotificationRefusal)
    case actionInvoked(identifier: String, key: String)
    case closed(identifier: String, reason: NotificationCloseReason)
    /// The connection to the bus was lost: call `connect()` again.
    case disconnected
}

/// Why a notification is no longer on the screen.
package enum NotificationCloseReason: Equatable, Sendable {
    /// The reasons 1 to 4 of the specification; unknown numbers are `undefined`.
    case expired, dismissed, closedByCall, undefined
    /// Another identifier replaced it (`replaces`).
    case replaced
    /// The daemon or the bus exited, or too many are on the screen: its state is unknown.
    case lost
}

/// Why a notification was not shown.
package enum NotificationRefusal: Error, Equatable, Sendable, CustomStringConvertible {
    case blankSummary
    case tooLong(field: String, limit_bytes: Int)
    case tooManyActions(limit: Int)
    case blankActionKey
    case tooManyPending(limit: Int)
    /// The bus is not connected, or was lost before the answer.
    case disconnected
    /// Nobody owns the name, and the bus cannot start a daemon.
    case noDaemon
    /// The daemon does not answer. If it shows the notification later, that is closed immediately.
    case noAnswer(afterMilliseconds: Milliseconds)
    /// `close` was called first.
    case withdrawn
    /// The daemon answered with the number 0: it discarded the notification.
    case discarded
    /// An error of the bus or the daemon, with its text.
    case daemonFailed(name: String, text: String)

    /// What is wrong and what to do, in one sentence.
    package var description: String {
        switch self {
        case .blankSummary: "the summary is blank: add text"
        case .tooLong(let field, let limit): "the \(field) is longer than \(limit) bytes: shorten it"
        case .tooManyActions(let limit): "more than \(limit) actions: offer fewer"
        case .blankActionKey: "an action has no key: name it"
        case .tooManyPending(let limit): "\(limit) notifications already wait for the daemon: try later"
        case .disconnected: "the session bus is not connected: connect, then show it again"
        case .noDaemon:
            "no notification daemon runs in this session: start one (dunst, mako, a desktop shell)"
        case .noAnswer(let limit): "the notification daemon did not answer within \(limit) ms: restart it"
        case .withdrawn: "it was closed before it was shown"
        case .discarded: "the notification daemon discarded it: check its rules"
        case .daemonFailed(let name, let text): "the notification daemon answered \(name): \(text)"
        }
    }
}

/// Limits of the desktop channel.
package enum DesktopNotificationLimits {
    /// How long authentication with the bus may take; long, for a machine that is busy at login.
    package static let connectMax: Milliseconds = 25_000
    /// How long a daemon may take to answer before the notification is refused.
    package static let answer: Milliseconds = 5_000
    /// The same if the bus must start the daemon first (25 s as in D-Bus).
    package static let activation: Milliseconds = 25_000
    /// Unanswered calls, including timed-out ones, whose late answers are still handled.
    package static let pendingMax = 64
    /// Notifications on the screen; the oldest is forgotten as `.lost`.
    package static let shownMax = 1_024
    /// Messages handled per `process()`, so that a flood does not block the loop.
    package static let messagesPerRoundMax = 256
    /// Bytes of a summary.
    package static let summaryBytesMax = 4_096
    /// Bytes of a body.
    package static let bodyBytesMax = 8_192
    /// Bytes of an action's key or label, and of the app's name.
    package static let actionBytesMax = 256
    /// Buttons of one notification.
    package static let actionsMax = 8
}
