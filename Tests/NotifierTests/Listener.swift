import Glibc
import NotifierCore
import Units

/// The class under test and all its events.
final class Listener {
    let desktop: DesktopNotifications
    private(set) var heard: [DesktopNotificationEvent] = []

    /// The session lives as long as somebody listens to it.
    private let world: DesktopWorld

    init(
        _ world: DesktopWorld, answerDeadline: Milliseconds = DesktopNotificationLimits.answer,
        connectDeadline: Milliseconds = DesktopNotificationLimits.connectMax
    ) throws {
        self.world = world
        desktop = DesktopNotifications(
            address: world.address, answerDeadline: answerDeadline,
            connectDeadline: connectDeadline)
        try desktop.connect()
    }

    /// Runs the event loop until `wanted` accepts an event not returned before; fails after the deadline.
    @discardableResult
    func next(
        deadline: Milliseconds = 20_000, _ wanted: (DesktopNotificationEvent) -> Bool = { _ in true }
    ) throws -> DesktopNotificationEvent {
        let until = now() + deadline
        while now() < until {
            if let index = unread.firstIndex(where: wanted) { return unread.remove(at: index) }
            turn(at_most: until - now())
        }
        throw TestFailure(description: "the event did not come; heard: \(heard)")
    }

    /// The next event must be this one: nothing else may come before it.
    func expect(_ event: DesktopNotificationEvent, deadline: Milliseconds = 20_000) throws {
        let first = try next(deadline: deadline)
        guard first == event else { throw TestFailure(description: "expected \(event), heard \(first)") }
    }

    /// The daemon's number, once it is shown.
    func shown(_ identifier: String) throws -> UInt32 {
        let event = try next()
        guard case .shown(identifier, let serverID) = event else {
            throw TestFailure(description: "expected \(identifier) to be shown, heard \(event)")
        }
        return serverID
    }

    private var unread: [DesktopNotificationEvent] = []

    /// One turn of an event loop; ends early when `other` has something to read.
    func turn(besides other: Int32 = -1, at_most: Milliseconds) {
        let interest = desktop.pollInterest
        var descriptors = [
            pollfd(fd: interest.fileDescriptor ?? -1, events: interest.events, revents: 0),
            pollfd(fd: other, events: Int16(POLLIN), revents: 0),
        ]
        let own =
            interest.timeout_ms < 0
            ? at_most : min(at_most, Milliseconds(Int64(interest.timeout_ms)))
        poll(&descriptors, 2, Int32(clamping: max(0, own).count))
        let events = desktop.process()
        heard += events
        unread += events
    }
}
