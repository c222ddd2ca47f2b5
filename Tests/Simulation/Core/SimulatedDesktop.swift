import Loop
import NotifierCore

/// The notification daemon of a simulation: it shows everything.
@LoopActor final class SimulatedDesktop: DesktopChannel {
    var onEvent: (@LoopActor (DesktopNotificationEvent) -> Void)?
    var onDecided: (@LoopActor () -> Void)?
    private(set) var daemonPresent = false
    var daemon: String? { daemonPresent ? "simulated" : nil }
    private(set) var isAsking = false
    var trouble: String? { daemonPresent ? nil : "there is no notification daemon" }
    private let simulator: Simulator
    private weak var process: SimulatedProcess?
    private var lastID: UInt32 = 0
    /// Identifiers of what this process has shown, and not closed.
    private var shown: Set<String> = []
    private let violate: @LoopActor (String) -> Void

    /// - Parameter violate: called with what a service must not ask.
    init(_ process: SimulatedProcess, violate: @escaping @LoopActor (String) -> Void) {
        simulator = process.simulator
        self.process = process
        self.violate = violate
    }

    func open() {
        isAsking = true
        later { [self] in
            isAsking = false
            daemonPresent = true
            onEvent?(.daemonAppeared)
            onDecided?()
        }
    }

    func close() { (onEvent, onDecided) = (nil, nil) }

    func show(_ content: NotificationContent) {
        if !shown.insert(content.identifier).inserted {
            // After the client and a NUL.
            let name = content.identifier.split(separator: "\u{0}").last ?? ""
            violate("the notification '\(name)' was shown twice")
        }
        later { [self] in
            lastID += 1
            onEvent?(.shown(identifier: content.identifier, serverID: lastID))
        }
    }

    func close(_ identifier: String) {
        shown.remove(identifier)
        later { [self] in onEvent?(.closed(identifier: identifier, reason: .closedByCall)) }
    }

    func adopt(_ identifier: String, serverID: UInt32, of daemon: String) {}

    private func later(_ body: @escaping @LoopActor () -> Void) {
        process?.after(simulator.random.time(50_000...5_000_000), body)
    }
}
