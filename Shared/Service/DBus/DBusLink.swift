import Glibc
package import Loop
import Units

/// A connection to a message bus in the event loop: answers and signals are handed over as they come, and a
/// bus that is gone is asked again after a pause.
@LoopActor package final class DBusLink {
    /// The answer's values; nil: it was refused, or the bus went.
    package typealias Answer = @LoopActor ([DBusValue]?) -> Void
    package struct Signal {
        package let path: String
        package let interface: String
        package let member: String
        package let sender: String
        package let body: [DBusValue]
    }

    private let connection: DBusConnection
    private let watch = DBusWatch()
    private var reconnect: TimerToken?
    private var open: [UInt64: Answer] = [:]
    private var isClosed = false
    /// Runs when a connection is made: subscribe and ask here.
    private let connected: @LoopActor () -> Void
    private let signalled: @LoopActor (Signal) -> Void
    /// Runs when a connection is lost.
    private let lost: @LoopActor () -> Void
    /// Why there is no connection; nil: there is one.
    package private(set) var problem: DBusError?

    /// Milliseconds until a bus that is not there is asked again.
    private static let pause: Milliseconds = 30_000
    private static let messagesPerTurnMax = 64

    /// - Parameter address: as in DBUS_SESSION_BUS_ADDRESS.
    package init(
        address: String, connected: @escaping @LoopActor () -> Void, lost: @escaping @LoopActor () -> Void,
        signalled: @escaping @LoopActor (Signal) -> Void
    ) {
        connection = DBusConnection(address: address)
        self.connected = connected
        self.lost = lost
        self.signalled = signalled
    }

    package func start() {
        reconnect = nil
        guard !isClosed else { return }
        do throws(DBusError) {
            try connection.connect()
            problem = nil
            connected()
        } catch {
            problem = error
            startLater()
        }
        arm()
    }

    package func close() {
        isClosed = true
        watch.close()
        if let reconnect { Reactor.shared.cancel(reconnect) }
        connection.disconnect()
    }

    /// Calls a method; `answer` runs once, later.
    package func call(
        _ target: DBusTarget, _ member: String, _ arguments: [DBusValue] = [],
        _ answer: @escaping Answer = { _ in }
    ) {
        do throws(DBusError) {
            open[try connection.call(target, member, arguments)] = answer
            arm()
        } catch {
            Reactor.shared.after(0) { answer(nil) }
        }
    }

    /// Asks the bus for signals that match a rule of D-Bus.
    package func match(_ rule: String) {
        call(.driver, "AddMatch", [.string("type='signal'," + rule)])
    }

    /// Asks for a property.
    package func property(
        _ destination: String, _ path: String, _ interface: String, _ name: String, _ answer: @escaping Answer
    ) {
        let target = DBusTarget(
            destination: destination, path: path, interface: "org.freedesktop.DBus.Properties")
        call(target, "Get", [.string(interface), .string(name)], answer)
    }

    private func startLater() {
        guard reconnect == nil, !isClosed else { return }
        reconnect = Reactor.shared.after(Self.pause) { [weak self] in self?.start() }
    }

    private func process() {
        guard !isClosed else { return }
        for message in connection.receive(limit: Self.messagesPerTurnMax) { take(message) }
        if !connection.isConnected, reconnect == nil {
            problem = .notConnected
            let waiting = open.values
            open = [:]
            waiting.forEach { $0(nil) }
            lost()
            startLater()
        }
        arm()
    }

    private func take(_ message: DBusMessage) {
        switch message.kind {
        case .reply(let cookie): open.removeValue(forKey: cookie)?(message.body)
        case .failure(let cookie, _, _): open.removeValue(forKey: cookie)?(nil)
        case .signal(let path, let interface, let member):
            signalled(
                Signal(
                    path: path, interface: interface, member: member, sender: message.sender,
                    body: message.body))
        }
    }

    private func arm() {
        guard !isClosed else { return }
        watch.follow(connection.pollInterest) { [weak self] in self?.process() }
    }
}
