/// A notification that was not sent yet.
struct WaitingNotification {
    let content: NotificationContent
    /// CLOCK_MONOTONIC; restarts when a daemon takes the name, since starting it may take long.
    var since_us: Int64
}

/// The purpose of an open call.
enum OpenCall {
    /// A subscription; only an error matters.
    case match
    case owner
    case activatable
    case capabilities
    case notify(NotifyFlight)
    case close(serverID: UInt32)
}

/// A Notify without an answer.
struct NotifyFlight {
    let identifier: String
    let content: NotificationContent
    let since_us: Int64
    /// Refused after a timeout; a late answer is still handled, to close what appears.
    var isLate = false
    /// `close` was called before the answer.
    var isWithdrawn = false
}

enum EarlySignal {
    case action(serverID: UInt32, key: String)
    case closed(serverID: UInt32, reason: UInt32)

    var serverID: UInt32 {
        switch self {
        case .action(let serverID, _), .closed(let serverID, _): serverID
        }
    }
}

/// Our notifications that the daemon shows: pairs of number and identifier, each unique, oldest first.
struct NotificationsOnScreen {
    private var identifiers: [UInt32: String] = [:]
    private var serverIDs: [String: UInt32] = [:]
    private var order: [UInt32] = []

    var count: Int { order.count }
    var oldest: UInt32? { order.first }

    func identifier(of serverID: UInt32) -> String? { identifiers[serverID] }
    func serverID(of identifier: String) -> UInt32? { serverIDs[identifier] }

    /// Neither may be in use; see `remove`.
    mutating func insert(_ serverID: UInt32, _ identifier: String) {
        precondition(
            identifiers[serverID] == nil && serverIDs[identifier] == nil, "a notification is shown twice")
        identifiers[serverID] = identifier
        serverIDs[identifier] = serverID
        order.append(serverID)
    }

    /// The removed identifier; nil if the number is not ours.
    mutating func remove(_ serverID: UInt32) -> String? {
        guard let identifier = identifiers.removeValue(forKey: serverID) else { return nil }
        serverIDs[identifier] = nil
        order.removeAll { $0 == serverID }
        return identifier
    }

    /// The removed identifiers, oldest first.
    mutating func removeAll() -> [String] {
        let all = order.compactMap { identifiers[$0] }
        self = NotificationsOnScreen()
        return all
    }
}
