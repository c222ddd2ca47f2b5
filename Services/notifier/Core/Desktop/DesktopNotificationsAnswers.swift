import DBus

/// Handling of received messages.
extension DesktopNotifications {
    func receive(_ message: DBusMessage) {
        switch message.kind {
        case .signal(let path, let interface, let member):
            if message.sender == DBusTarget.driver.destination {
                receiveDriverSignal(member, message.body)
            } else if message.sender == owner, path == DBusTarget.notificationsPath,
                interface == DBusTarget.notificationsName
            {
                receiveDaemonSignal(member, message.body)
            }
        case .reply(let cookie):
            if let call = calls.removeValue(forKey: cookie) { receiveReply(to: call, message) }
        case .failure(let cookie, let name, let text):
            if let call = calls.removeValue(forKey: cookie) {
                receiveFailure(of: call, name, text, message.sender)
            }
        }
        if flights.isEmpty { early = [] }
    }

    // MARK: signals

    private func receiveDriverSignal(_ member: String, _ body: [DBusValue]) {
        if member == "ActivatableServicesChanged" {
            // If the queue is full the list stays unchanged; the connection is then useless anyway.
            try? askActivatable()
        } else if member == "NameOwnerChanged", body.count == 3,
            body[0] == .string(DBusTarget.notificationsName),
            case .string(let new) = body[2]
        {
            changeOwner(new.isEmpty ? nil : new)
        }
    }

    /// Numbers belong to a daemon: when it exits, its notifications and open questions are gone.
    private func changeOwner(_ new: String?) {
        guard new != owner else { return }
        owner = new
        known = nil
        for (cookie, call) in calls {
            if case .capabilities = call, new != nil { calls[cookie] = nil }
        }
        let now_us = monotonicNow_us()
        for index in waiting.indices { waiting[index].since_us = now_us }
        announcePresence()
        for identifier in screen.removeAll() { events.append(.closed(identifier: identifier, reason: .lost)) }
    }

    private func receiveDaemonSignal(_ member: String, _ body: [DBusValue]) {
        guard body.count == 2, case .uint32(let serverID) = body[0] else { return }
        let signal: EarlySignal
        switch (member, body[1]) {
        case ("ActionInvoked", .string(let key)): signal = .action(serverID: serverID, key: key)
        case ("NotificationClosed", .uint32(let reason)): signal = .closed(serverID: serverID, reason: reason)
        default: return
        }
        if screen.identifier(of: serverID) != nil {
            apply(signal)
        } else if !flights.isEmpty, early.count < DesktopNotificationLimits.messagesPerRoundMax {
            early.append(signal)
        }
    }

    private func apply(_ signal: EarlySignal) {
        switch signal {
        case .action(let serverID, let key):
            guard let identifier = screen.identifier(of: serverID) else { return }
            events.append(.actionInvoked(identifier: identifier, key: key))
        case .closed(let serverID, let reason):
            guard let identifier = screen.remove(serverID) else { return }
            events.append(.closed(identifier: identifier, reason: NotificationCloseReason(number: reason)))
        }
    }

    // MARK: answers

    private func receiveReply(to call: OpenCall, _ message: DBusMessage) {
        switch (call, message.body.first) {
        case (.owner, .string(let name)):
            connectingSince_us = nil
            changeOwner(name)
        case (.activatable, .strings(let names)):
            isActivatable = names.contains(DBusTarget.notificationsName)
            announcePresence()
        case (.capabilities, .strings(let words)):
            known = (owner: message.sender, capabilities: Set(words))
        case (.notify(let flight), .uint32(let serverID)) where serverID != 0:
            receiveShown(flight, serverID)
        case (.notify(let flight), _):
            if !flight.isLate { events.append(.refused(identifier: flight.identifier, reason: .discarded)) }
        case (.capabilities, _):
            refuseWaiting(.daemonFailed(name: "GetCapabilities", text: "the answer is not a list of words"))
        case (.match, _), (.owner, _), (.activatable, _), (.close, _): break
        }
    }

    private func receiveShown(_ flight: NotifyFlight, _ serverID: UInt32) {
        guard !flight.isLate else {
            // It was refused long ago: buttons without a listener must not stay on the screen.
            if screen.identifier(of: serverID) == nil { sendClose(serverID) }
            return
        }
        if let other = screen.remove(serverID), other != flight.identifier {
            events.append(.closed(identifier: other, reason: .replaced))
        }
        if let former = screen.serverID(of: flight.identifier) {
            _ = screen.remove(former)  // not replaced by the daemon: close it without an event
            sendClose(former)
        }
        if screen.count >= DesktopNotificationLimits.shownMax, let oldest = screen.oldest,
            let identifier = screen.remove(oldest)
        {
            events.append(.closed(identifier: identifier, reason: .lost))
        }
        screen.insert(serverID, flight.identifier)
        events.append(.shown(identifier: flight.identifier, serverID: serverID))
        for signal in early where signal.serverID == serverID { apply(signal) }
        early.removeAll { $0.serverID == serverID }
        if flight.isWithdrawn { close(flight.identifier) }
    }

    private func receiveFailure(of call: OpenCall, _ name: String, _ text: String, _ sender: String) {
        let error = "org.freedesktop.DBus.Error."
        let isAbsent = ["ServiceUnknown", "NameHasNoOwner", "NoReply"].contains { name == error + $0 }
        let reason: NotificationRefusal = isAbsent ? .noDaemon : .daemonFailed(name: name, text: text)
        switch call {
        case .owner: connectingSince_us = nil  // nobody owns the name: the daemon is not started yet
        case .match, .activatable: bus.disconnect()  // a partly subscribed connection is worse than none
        case .capabilities where name == error + "UnknownMethod" && sender == owner:
            known = (owner: sender, capabilities: [])
        case .capabilities: refuseWaiting(reason)
        case .notify(let flight) where flight.isLate: break
        case .notify(let flight) where name == error + "ServiceUnknown" && !flight.isWithdrawn:
            // It exited after its name was read; its successor, or one that the bus starts, gets the
            // notification.
            let newer = waiting.contains { $0.content.identifier == flight.identifier }
            known = nil
            if !newer {
                waiting.insert(WaitingNotification(content: flight.content, since_us: flight.since_us), at: 0)
            }
        case .notify(let flight):
            events.append(.refused(identifier: flight.identifier, reason: reason))
        case .close(let serverID):
            // The specification defines an empty error for a notification that no longer exists.
            guard sender == owner, let identifier = screen.remove(serverID) else { return }
            events.append(.closed(identifier: identifier, reason: .undefined))
        }
    }
}

extension NotificationCloseReason {
    /// The numbers of the specification's NotificationClosed.
    fileprivate init(number: UInt32) {
        switch number {
        case 1: self = .expired
        case 2: self = .dismissed
        case 3: self = .closedByCall
        default: self = .undefined
        }
    }
}
