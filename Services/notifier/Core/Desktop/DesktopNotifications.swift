package import DBus
package import Units

/// A client of org.freedesktop.Notifications (specification 1.2) for one thread with an event loop: poll
/// `pollInterest`, then call `process()`. No call blocks; a daemon that hangs causes one refusal.
package final class DesktopNotifications {
    let bus: DBusConnection
    let answer: Milliseconds
    let connectLimit: Milliseconds

    /// The daemon's unique name; only its signals are accepted.
    var owner: String?
    var isActivatable = false
    /// Set from `connect()` until the bus answered; a bus that never answers is disconnected.
    var connectingSince_us: Int64?
    /// Capabilities of the daemon with this name. Nil until it answered, and again when another one replaces
    /// it.
    var known: (owner: String, capabilities: Set<String>)?
    /// Accepted by `show` but not sent: the capabilities are unknown, or the same identifier is being sent.
    var waiting: [WaitingNotification] = []
    /// Calls without an answer, by their cookie.
    var calls: [UInt64: OpenCall] = [:]
    var screen = NotificationsOnScreen()
    /// Signals about numbers that an open Notify call may return: a daemon may close a notification, or
    /// report an action, before it answers.
    var early: [EarlySignal] = []
    var events: [DesktopNotificationEvent] = []
    private var announcedPresence = false

    /// - Parameter address: the value of DBUS_SESSION_BUS_ADDRESS. Nothing is opened before `connect()`.
    package init(
        address: String, answerDeadline: Milliseconds = DesktopNotificationLimits.answer,
        connectDeadline: Milliseconds = DesktopNotificationLimits.connectMax
    ) {
        bus = DBusConnection(address: address)
        answer = answerDeadline
        connectLimit = connectDeadline
    }

    /// Whether there is a connection to the bus; it may still be authenticating.
    package var isConnected: Bool { bus.isConnected }

    /// Whether a call would reach a daemon: one owns the name, or the bus can start one.
    package var daemonPresent: Bool { owner != nil || isActivatable }

    /// Whether the bus is connected and has not answered yet whether there is a daemon.
    package var isAskingForDaemon: Bool {
        bus.isConnected
            && calls.values.contains {
                switch $0 {
                case .owner, .activatable: true
                default: false
                }
            }
    }

    /// Capabilities of the present daemon (`actions`, `body-markup`, …); nil before the first `show`.
    package var capabilities: Set<String>? { known?.capabilities }

    /// Connects or reconnects; notifications of an earlier connection end as `.lost`. If there is a daemon,
    /// `process()` returns `.daemonAppeared`. `show` may be called immediately.
    package func connect() throws(DBusError) {
        if bus.isConnected { bus.disconnect() }
        forgetConnection()
        try bus.connect()
        connectingSince_us = monotonicNow_us()
        do { try follow() } catch {
            bus.disconnect()
            connectingSince_us = nil
            throw error
        }
    }

    /// Requests a notification. The result is an event of `process()`, even if the content is invalid.
    package func show(_ content: NotificationContent) {
        if let reason = content.refusal ?? refusalNow(for: content) {
            events.append(.refused(identifier: content.identifier, reason: reason))
            return
        }
        let entry = WaitingNotification(content: content, since_us: monotonicNow_us())
        if let index = waiting.firstIndex(where: { $0.content.identifier == content.identifier }) {
            waiting[index] = entry
        } else {
            waiting.append(entry)
        }
        sendWaiting()
    }

    /// Identifies the running daemon permanently: its unique name, which is never reused, and the bus id. Nil
    /// while none runs.
    package var daemon: String? {
        guard let owner, let busID = bus.busID else { return nil }
        return "\(owner)@\(busID)"
    }

    /// Adopts a notification that an earlier process showed: showing its identifier again replaces it, and
    /// `close` closes it. Daemons report buttons only to the process that showed them, so show one with
    /// buttons again.
    /// - Parameters:
    ///   - daemon: the value of ``daemon`` when it was shown. If it differs from the present one, nothing
    ///     happens.
    package func adopt(_ identifier: String, serverID: UInt32, of daemon: String) {
        guard daemon == self.daemon, screen.identifier(of: serverID) == nil,
            screen.serverID(of: identifier) == nil, screen.count < DesktopNotificationLimits.shownMax
        else { return }
        screen.insert(serverID, identifier)
    }

    /// Closes a notification, or prevents that it is shown. Does nothing if it is unknown or closed. The
    /// result is `.closed`, or `.refused(.withdrawn)` if it was not sent yet.
    package func close(_ identifier: String) {
        if let index = waiting.firstIndex(where: { $0.content.identifier == identifier }) {
            waiting.remove(at: index)
            events.append(.refused(identifier: identifier, reason: .withdrawn))
        }
        withdrawInFlight(identifier)
        if let serverID = screen.serverID(of: identifier) { sendClose(serverID) }
    }

    /// Reads messages, checks deadlines and sends what can be sent, without blocking. Returns the events
    /// since the last call.
    package func process() -> [DesktopNotificationEvent] {
        let wasConnected = bus.isConnected
        for message in bus.receive(limit: DesktopNotificationLimits.messagesPerRoundMax) { receive(message) }
        giveUpOnSilentBus()
        if wasConnected, !bus.isConnected {
            events.append(.disconnected)
            forgetConnection()
        }
        passDeadlines()
        sendWaiting()
        defer { events.removeAll() }
        return events
    }

    /// What to poll; read it again after each call of a method of this class.
    package var pollInterest: DBusInterest {
        let interest = bus.pollInterest
        let own_ms = events.isEmpty ? nextDeadline_ms() : 0
        let theirs_ms = interest.timeout_ms
        let timeout_ms = own_ms < 0 ? theirs_ms : theirs_ms < 0 ? own_ms : min(own_ms, theirs_ms)
        return DBusInterest(
            fileDescriptor: interest.fileDescriptor, events: interest.events, timeout_ms: timeout_ms)
    }

    /// Adds an event if `daemonPresent` changed.
    func announcePresence() {
        guard daemonPresent != announcedPresence else { return }
        announcedPresence = daemonPresent
        events.append(announcedPresence ? .daemonAppeared : .daemonVanished)
    }

    /// Ends everything that depends on the connection, each with its event.
    private func forgetConnection() {
        owner = nil
        isActivatable = false
        known = nil
        connectingSince_us = nil
        announcePresence()
        for identifier in screen.removeAll() { events.append(.closed(identifier: identifier, reason: .lost)) }
        for (_, call) in calls.sorted(by: { $0.key < $1.key }) {
            if case .notify(let flight) = call, !flight.isLate {
                events.append(.refused(identifier: flight.identifier, reason: .disconnected))
            }
        }
        for entry in waiting {
            events.append(.refused(identifier: entry.content.identifier, reason: .disconnected))
        }
        calls = [:]
        waiting = []
        early = []
    }

    private func refusalNow(for content: NotificationContent) -> NotificationRefusal? {
        guard bus.isConnected else { return .disconnected }
        let limit = DesktopNotificationLimits.pendingMax
        let isUpdate = waiting.contains { $0.content.identifier == content.identifier }
        return !isUpdate && waiting.count + flights.count >= limit ? .tooManyPending(limit: limit) : nil
    }
}

extension NotificationContent {
    /// Why no daemon could show this; nil if one could.
    var refusal: NotificationRefusal? {
        typealias Limits = DesktopNotificationLimits
        guard !DesktopNotificationsText.isBlank(summary) else { return .blankSummary }
        guard actions.count <= Limits.actionsMax else { return .tooManyActions(limit: Limits.actionsMax) }
        guard actions.allSatisfy({ !DesktopNotificationsText.isBlank($0.key) }) else {
            return .blankActionKey
        }
        var fields = [
            ("summary", summary, Limits.summaryBytesMax), ("body", body, Limits.bodyBytesMax),
            ("name of the app", appName, Limits.actionBytesMax),
        ]
        for action in actions {
            fields.append(("key of an action", action.key, Limits.actionBytesMax))
            fields.append(("label of an action", action.label, Limits.actionBytesMax))
        }
        let excess = fields.first { $0.1.utf8.count > $0.2 }
        return excess.map { .tooLong(field: $0.0, limit_bytes: $0.2) }
    }
}
