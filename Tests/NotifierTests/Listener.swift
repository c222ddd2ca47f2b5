import Glibc
import NotifierCore

/// The class under test and all it has said.
final class Listener {
    let desktop: DesktopNotifications
    private(set) var heard: [DesktopNotificationEvent] = []

    /// The session stays as long as somebody listens to it.
    private let world: DesktopWorld

    init(
        _ world: DesktopWorld, answerDeadline_ms: Int64 = DesktopNotificationLimits.answer_ms,
        connectDeadline_ms: Int64 = DesktopNotificationLimits.connect_ms
    ) throws {
        self.world = world
        desktop = DesktopNotifications(
            address: world.address, answerDeadline_ms: answerDeadline_ms,
            connectDeadline_ms: connectDeadline_ms)
        try desktop.connect()
    }

    /// Runs the event loop until `wanted` says yes to an event not returned before; fails after the deadline.
    @discardableResult
    func next(
        deadline_ms: Int64 = 20_000, _ wanted: (DesktopNotificationEvent) -> Bool = { _ in true }
    ) throws -> DesktopNotificationEvent {
        let until_ms = now_ms() + deadline_ms
        while now_ms() < until_ms {
            if let index = unread.firstIndex(where: wanted) { return unread.remove(at: index) }
            turn(at_most_ms: until_ms - now_ms())
        }
        throw TestFailure(description: "the event did not come; heard: \(heard)")
    }

    /// The next event must be this one: nothing else may come before it.
    func expect(_ event: DesktopNotificationEvent, deadline_ms: Int64 = 20_000) throws {
        let first = try next(deadline_ms: deadline_ms)
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
    func turn(besides other: Int32 = -1, at_most_ms: Int64) {
        let interest = desktop.pollInterest
        var descriptors = [
            pollfd(fd: interest.fileDescriptor ?? -1, events: interest.events, revents: 0),
            pollfd(fd: other, events: Int16(POLLIN), revents: 0),
        ]
        let own_ms = interest.timeout_ms < 0 ? at_most_ms : min(at_most_ms, Int64(interest.timeout_ms))
        poll(&descriptors, 2, Int32(clamping: max(0, own_ms)))
        let events = desktop.process()
        heard += events
        unread += events
    }
}
