import Loop

@testable import NotifierCore
@testable import ServiceKit

/// A desktop whose daemon comes when a test says so, and does what the test says.
@LoopActor final class DirectedDesktop: DesktopChannel {
    var onEvent: (@LoopActor (DesktopNotificationEvent) -> Void)?
    var onDecided: (@LoopActor () -> Void)?
    private(set) var daemonPresent = false
    var daemon: String? { daemonPresent ? "test" : nil }
    let isAsking = false
    var trouble: String? { daemonPresent ? nil : "there is no daemon" }
    /// Identifiers of what was to be shown, in order.
    private(set) var shown: [String] = []
    /// Numbers of what was to be closed, in order; 0 for what no process has adopted.
    private(set) var closed: [UInt32] = []
    /// What the daemon answers instead of showing anything.
    var refusal: NotificationRefusal?
    /// Whether the daemon reports what it has closed.
    var tellsClosing = true
    private var numbers: [String: UInt32] = [:]

    /// The notifier on this desktop.
    func run() throws -> CoreRun {
        try CoreRun(
            WriteCase(name: .notifier, writes: [], reads: []) { [self] configuration in
                let service = try Service(
                    .notifier, configuration: configuration, migrations: NotifierService.migrations)
                let core = NotifierService(service, channel: self)
                try core.start()
                return (service, core)
            })
    }

    /// The notifier on this desktop, whose daemon has come.
    func notifier(_ configuration: Configuration) throws -> NotifierService {
        let service = try Service(
            .notifier, configuration: configuration, migrations: NotifierService.migrations)
        let core = NotifierService(service, channel: self)
        try core.start()
        service.endTurn()
        appear()
        return core
    }

    func appear() {
        daemonPresent = true
        onEvent?(.daemonAppeared)
    }

    /// The notifier has no bus any more.
    func vanish() {
        daemonPresent = false
        for identifier in numbers.keys { onEvent?(.closed(identifier: identifier, reason: .lost)) }
        numbers = [:]
        onEvent?(.disconnected)
    }

    func open() {}
    func close() {}

    func show(_ content: NotificationContent) {
        if let refusal {
            return EventLoop.main.inNextTurn { [self] in
                onEvent?(.refused(identifier: content.identifier, reason: refusal))
            }
        }
        shown.append(name(content.identifier))
        let number = UInt32(shown.count)
        numbers[content.identifier] = number
        EventLoop.main.inNextTurn { [self] in
            onEvent?(.shown(identifier: content.identifier, serverID: number))
        }
    }

    func close(_ identifier: String) {
        guard daemonPresent else { return }
        closed.append(numbers[identifier] ?? 0)
        guard tellsClosing else { return }
        numbers[identifier] = nil
        EventLoop.main.inNextTurn { [self] in
            onEvent?(.closed(identifier: identifier, reason: .closedByCall))
        }
    }

    func adopt(_ identifier: String, serverID: UInt32, of daemon: String) {
        numbers[identifier] = serverID
    }

    /// Without its client.
    private func name(_ identifier: String) -> String {
        String(identifier.split(separator: "\u{0}").last ?? "")
    }
}
