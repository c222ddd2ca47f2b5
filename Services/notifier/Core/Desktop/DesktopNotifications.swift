package import DBus
package import Units

/// Speaks org.freedesktop.Notifications (specification 1.2) for one thread with an event loop: poll
/// `pollInterest`, then call `process()`. Nothing here waits; a daemon that hangs costs one refusal.
package final class DesktopNotifications {
    let bus: DBusConnection
    let answer: Milliseconds
    let connectLimit: Milliseconds

    /// The daemon's unique name; signals are believed from it alone.
    var owner: String?
    var isActivatable = false
    /// Set from `connect()` until the bus answered; a bus that never does is given up.
    var connectingSince_us: Int64?
    /// What the daemon of this name can do; nil until it was asked, again nil when another one takes over.
    var known: (owner: String, capabilities: Set<String>)?
    /// Accepted by `show`, not sent: the capabilities are not known or the same identifier is on its way.
    var waiting: [WaitingNotification] = []
    /// Calls without an answer, by the number the answer will carry.
    var calls: [UInt64: OpenCall] = [:]
    var screen = NotificationsOnScreen()
    /// Signals about numbers that an open Notify may turn out to be about: a daemon may close or act on a
    /// notification before its answer is out.
    var early: [EarlySignal] = []
    var events: [DesktopNotificationEvent] = []
    private var announcedPresence = false

    /// `address`: the value of DBUS_SESSION_BUS_ADDRESS. Nothing is opened before `connect()`.
    package init(
        address: String, answerDeadline: Milliseconds = DesktopNotificationLimits.answer,
        connectDeadline: Milliseconds = DesktopNotificationLimits.connectMax
    ) {
        bus = DBusConnection(address: address)
        answer = answerDeadline
        connectLimit = connectDeadline
    }

    package var isConnected: Bool { bus.isConnected }

    /// True when a call would reach a daemon: one owns the name, or the bus can start one.
    package var daemonPresent: Bool { owner != nil || isActivatable }

    /// Connected, and the bus has not said yet whether there is a daemon.
    package var isAskingForDaemon: Bool {
        bus.isConnected
            && calls.values.contains {
                switch $0 {
                case .owner, .activatable: true
                default: false
                }
            }
    }

    /// What the present daemon can do (`actions`, `body-markup`, …); nil before the first `show`.
    package var capabilities: Set<String>? { known?.capabilities }

    /// Connects, or connects anew; what an older connection had on the screen is `.lost`. `.daemonAppeared`
    /// follows from `process()` when there is one. `show` may be called at once.
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

    /// Asks for a notification. The outcome is an event of `process()`, refusals of the content included.
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

    /// Names the running daemon for ever: its name on the bus, which is never given twice, and the bus. Nil
    /// while none runs.
    package var daemon: String? {
        guard let owner, let busID = bus.busID else { return nil }
        return "\(owner)@\(busID)"
    }

    /// Takes over what an earlier process of ours showed: showing the identifier again replaces it, `close`
    /// closes it. Daemons tell a button to who showed it, so show one with buttons again.
    /// - Parameters:
    ///   - daemon: as it was told then; of another one the number means nothing, and nothing happens.
    package func adopt(_ identifier: String, serverID: UInt32, of daemon: String) {
        guard daemon == self.daemon, screen.identifier(of: serverID) == nil,
            screen.serverID(of: identifier) == nil, screen.count < DesktopNotificationLimits.shownMax
        else { return }
        screen.insert(serverID, identifier)
    }

    /// Takes a notification off the screen, or keeps it from getting there. Without effect on one that is
    /// unknown or closed already. The outcome is `.closed`, or `.refused(.withdrawn)` if it was not sent yet.
    package func close(_ identifier: String) {
        if let index = waiting.firstIndex(where: { $0.content.identifier == identifier }) {
            waiting.remove(at: index)
            events.append(.refused(identifier: identifier, reason: .withdrawn))
        }
        withdrawInFlight(identifier)
        if let serverID = screen.serverID(of: identifier) { sendClose(serverID) }
    }

    /// Reads what came, lets deadlines pass, sends what can go. Never waits. Returns the events since last
    /// time.
    package func process() -> [DesktopNotificationEvent] {
        let wasConnected = bus.isConnected
        for message in bus.receive(limit: DesktopNotificationLimits.messagesPerRoundMax) { take(message) }
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

    /// What the event loop waits for; ask again after each call of any method here.
    package var pollInterest: DBusInterest {
        let interest = bus.pollInterest
        let own_ms = events.isEmpty ? nextDeadline_ms() : 0
        let theirs_ms = interest.timeout_ms
        let timeout_ms = own_ms < 0 ? theirs_ms : theirs_ms < 0 ? own_ms : min(own_ms, theirs_ms)
        return DBusInterest(
            fileDescriptor: interest.fileDescriptor, events: interest.events, timeout_ms: timeout_ms)
    }

    /// Puts a change of `daemonPresent` among the events.
    func announcePresence() {
        guard daemonPresent != announcedPresence else { return }
        announcedPresence = daemonPresent
        events.append(announcedPresence ? .daemonAppeared : .daemonVanished)
    }

    /// Ends everything that hung on the connection, each with its event.
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
    /// Why this could not be shown by any daemon; nil when it could.
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
