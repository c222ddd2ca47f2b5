import DBus
import Units

extension DBusTarget {
    static let notificationsName = "org.freedesktop.Notifications"
    static let notificationsPath = "/org/freedesktop/Notifications"

    /// The daemon at `destination`: the well-known name, which starts one, or a unique name, which does not.
    static func daemon(_ destination: String = notificationsName) -> DBusTarget {
        DBusTarget(destination: destination, path: notificationsPath, interface: notificationsName)
    }
}

/// Calls and their deadlines.
extension DesktopNotifications {
    var flights: [NotifyFlight] {
        calls.values.compactMap { call in
            if case .notify(let flight) = call { flight } else { nil }
        }
    }

    /// Subscribes before it asks, so that a change in between is reported by a signal.
    func follow() throws(DBusError) {
        let name = DBusTarget.notificationsName
        let rules = [
            "type='signal',sender='org.freedesktop.DBus',interface='org.freedesktop.DBus',"
                + "member='NameOwnerChanged',arg0='\(name)'",
            "type='signal',sender='org.freedesktop.DBus',interface='org.freedesktop.DBus',"
                + "member='ActivatableServicesChanged'",
            "type='signal',sender='\(name)',path='\(DBusTarget.notificationsPath)',interface='\(name)'",
        ]
        for rule in rules { calls[try bus.call(.driver, "AddMatch", [.string(rule)])] = .match }
        try askActivatable()
        calls[try bus.call(.driver, "GetNameOwner", [.string(name)])] = .owner
    }

    func askActivatable() throws(DBusError) {
        calls[try bus.call(.driver, "ListActivatableNames")] = .activatable
    }

    /// Sends what can be sent. Asks a new daemon for its capabilities first, because escaping depends on
    /// them.
    func sendWaiting() {
        guard !waiting.isEmpty, bus.isConnected else { return }
        guard let known, known.owner == owner else { return askCapabilities() }
        var held: [WaitingNotification] = []
        for entry in waiting {
            let identifier = entry.content.identifier
            let isOnItsWay = flights.contains { $0.identifier == identifier && !$0.isLate }
            if isOnItsWay { held.append(entry) } else { sendNotify(entry, to: known.owner) }
        }
        waiting = held
    }

    private func askCapabilities() {
        let isAsking = calls.values.contains { if case .capabilities = $0 { true } else { false } }
        guard !isAsking else { return }
        do { calls[try bus.call(.daemon(), "GetCapabilities")] = .capabilities } catch {
            refuseWaiting(error.refusal)
        }
    }

    private func sendNotify(_ entry: WaitingNotification, to owner: String) {
        let content = entry.content
        do {
            let cookie = try bus.call(.daemon(owner), "Notify", arguments(of: content))
            calls[cookie] = .notify(
                NotifyFlight(identifier: content.identifier, content: content, since_us: entry.since_us))
        } catch {
            events.append(.refused(identifier: content.identifier, reason: error.refusal))
        }
    }

    private func arguments(of content: NotificationContent) -> [DBusValue] {
        typealias Text = DesktopNotificationsText
        let isMarkup = known?.capabilities.contains("body-markup") ?? false
        var hints: [(key: String, value: DBusValue)] = [("urgency", .byte(content.urgency.rawValue))]
        switch content.sound {
        case nil: break
        case "none": hints.append(("suppress-sound", .bool(true)))
        case let name?: hints.append(("sound-name", .string(Text.sound(name))))
        }
        if let path = content.imagePath { hints.append(("image-path", .string(Text.line(path)))) }
        // A foreign number, or one of a former daemon, could replace another program's notification.
        let replaced = content.replaces.flatMap { screen.identifier(of: $0) == nil ? nil : $0 }
        return [
            .string(Text.line(content.appName)),
            .uint32(replaced ?? screen.serverID(of: content.identifier) ?? 0),
            .string(""), .string(Text.line(content.summary)),
            .string(Text.body(content.body, isMarkup: isMarkup)),
            .strings(content.actions.flatMap { [Text.line($0.key), Text.line($0.label)] }),
            .dictionary(hints), .int32(content.expireTimeout_ms),
        ]
    }

    /// Best effort: if it cannot be sent, the notification and its entry stay.
    func sendClose(_ serverID: UInt32) {
        guard let owner, let cookie = try? bus.call(.daemon(owner), "CloseNotification", [.uint32(serverID)])
        else { return }
        calls[cookie] = .close(serverID: serverID)
    }

    func withdrawInFlight(_ identifier: String) {
        for (cookie, call) in calls {
            guard case .notify(var flight) = call, flight.identifier == identifier else { continue }
            flight.isWithdrawn = true
            calls[cookie] = .notify(flight)
        }
    }

    func refuseWaiting(_ reason: NotificationRefusal) {
        for entry in waiting { events.append(.refused(identifier: entry.content.identifier, reason: reason)) }
        waiting = []
    }

    // MARK: deadlines

    /// A daemon that the bus is starting gets more time than a running one.
    private var waitingLimit: Milliseconds {
        owner == nil && isActivatable ? max(answer, DesktopNotificationLimits.activation) : answer
    }

    func passDeadlines() {
        let now_us = monotonicNow_us()
        let limit = waitingLimit
        waiting.removeAll { entry in
            guard entry.since_us + limit.count * 1000 <= now_us else { return false }
            let reason = NotificationRefusal.noAnswer(afterMilliseconds: limit)
            events.append(.refused(identifier: entry.content.identifier, reason: reason))
            return true
        }
        for (cookie, call) in calls.sorted(by: { $0.key < $1.key }) {
            guard case .notify(var flight) = call, !flight.isLate,
                flight.since_us + answer.count * 1000 <= now_us
            else { continue }
            flight.isLate = true
            calls[cookie] = .notify(flight)
            let reason = NotificationRefusal.noAnswer(afterMilliseconds: answer)
            events.append(.refused(identifier: flight.identifier, reason: reason))
        }
    }

    /// For a socket whose listener does not speak D-Bus.
    func giveUpOnSilentBus() {
        guard let since_us = connectingSince_us, since_us + connectLimit.count * 1000 <= monotonicNow_us()
        else { return }
        bus.disconnect()
    }

    /// Milliseconds, rounded up, to the next deadline of this class; -1 if there is none.
    func nextDeadline_ms() -> Int32 {
        let flying = flights.filter { !$0.isLate }.map { $0.since_us + answer.count * 1000 }
        let resting = waiting.map { $0.since_us + waitingLimit.count * 1000 }
        let connecting = connectingSince_us.map { [$0 + connectLimit.count * 1000] } ?? []
        guard let next_us = (flying + resting + connecting).min() else { return -1 }
        return Int32(clamping: (max(0, next_us - monotonicNow_us()) + 999) / 1000)
    }
}

extension DBusError {
    /// The error as the reason why a notification was not shown.
    var refusal: NotificationRefusal {
        if case .notConnected = self { return .disconnected }
        return .daemonFailed(name: "session bus", text: description)
    }
}
