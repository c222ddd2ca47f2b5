import Glibc
package import Loop
import Units

/// A connection to a message bus in the event loop. It delivers replies and signals as they arrive, and
/// retries a missing bus after a pause.
@LoopActor package final class DBusLink {
    /// Receives the reply's values; nil if the call failed or the connection was lost.
    package typealias Answer = @LoopActor ([DBusValue]?) -> Void
    /// One received signal.
    package struct Signal {
        /// Object path of the sender.
        package let path: String
        /// Interface of the signal.
        package let interface: String
        /// Name of the signal.
        package let member: String
        /// Unique name of the sender, set by the bus.
        package let sender: String
        /// Arguments of the signal.
        package let body: [DBusValue]
    }

    private let connection: DBusConnection
    private let watch = DBusWatch()
    private var reconnect: TimerToken?
    private var open: [UInt64: Answer] = [:]
    private var isClosed = false
    /// Called when a connection is made; the place to subscribe and query.
    private let connected: @LoopActor () -> Void
    private let signalled: @LoopActor (Signal) -> Void
    /// Called when a connection is lost.
    private let lost: @LoopActor () -> Void
    /// Answers calls; nil: no objects are exported.
    private let answer: (@LoopActor (DBusCall) -> DBusAnswer)?
    private var pace: DBusPace?
    /// Until which nothing is read.
    private var rest: TimerToken?
    /// Why there is no connection; nil if there is one.
    package private(set) var problem: DBusError?

    /// Milliseconds between attempts to connect, and until the first one after others sent too much.
    private static let pause: Milliseconds = 30_000
    private static let floodPause: Milliseconds = 5_000
    private static let messagesPerTurnMax = 64

    /// - Parameters:
    ///   - address: as in DBUS_SESSION_BUS_ADDRESS.
    ///   - pace: how fast is read what others send; nil: as fast as it comes.
    ///   - answer: answers method calls of others, at once; nil: no objects are exported.
    package init(
        address: String, pace: DBusPace? = nil, connected: @escaping @LoopActor () -> Void,
        lost: @escaping @LoopActor () -> Void, signalled: @escaping @LoopActor (Signal) -> Void,
        answer: (@LoopActor (DBusCall) -> DBusAnswer)? = nil
    ) {
        self.pace = pace
        self.answer = answer
        connection = DBusConnection(address: address)
        self.connected = connected
        self.lost = lost
        self.signalled = signalled
    }

    /// Connects; retries until ``close()``.
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

    /// Disconnects for good.
    package func close() {
        isClosed = true
        watch.close()
        for timer in [reconnect, rest].compactMap(\.self) { EventLoop.main.cancel(timer) }
        connection.disconnect()
    }

    /// Calls a method. `answer` runs exactly once, later.
    package func call(
        _ target: DBusTarget, _ member: String, _ arguments: [DBusValue] = [],
        _ answer: @escaping Answer = { _ in }
    ) {
        do throws(DBusError) {
            open[try connection.call(target, member, arguments)] = answer
            arm()
        } catch {
            EventLoop.main.after(0) { answer(nil) }
        }
    }

    /// Sends a signal. One that cannot be sent is lost, as its receivers are.
    package func emit(
        _ path: String, _ interface: String, _ member: String, _ arguments: [DBusValue] = []
    ) {
        // Why there is no connection is in `problem`.
        try? connection.emit(path, interface, member, arguments)
        arm()
    }

    /// Our name on the bus; nil before the first answer.
    package private(set) var uniqueName: String?

    /// Subscribes to signals by a D-Bus match rule.
    package func match(_ rule: String) {
        call(.driver, "AddMatch", [.string("type='signal'," + rule)])
    }

    /// Reads a property.
    package func property(
        _ destination: String, _ path: String, _ interface: String, _ name: String, _ answer: @escaping Answer
    ) {
        let target = DBusTarget(
            destination: destination, path: path, interface: "org.freedesktop.DBus.Properties")
        call(target, "Get", [.string(interface), .string(name)], answer)
    }

    private func startLater(_ pause: Milliseconds = DBusLink.pause) {
        guard reconnect == nil, !isClosed else { return }
        reconnect = EventLoop.main.after(pause) { [weak self] in self?.start() }
    }

    private func process() {
        guard !isClosed else { return }
        var calls = 0
        let messages = connection.receive(limit: Self.messagesPerTurnMax) { call in
            calls += 1
            return answer?(call) ?? .nobody(call.path)
        }
        for message in messages { receive(message) }
        let isFlooded = rest(after: messages.count + calls)
        if !connection.isConnected, reconnect == nil {
            problem = .notConnected
            let waiting = open.values
            open = [:]
            waiting.forEach { $0(nil) }
            uniqueName = nil
            lost()
            startLater(isFlooded ? Self.floodPause : Self.pause)
        }
        arm()
    }

    /// Reads nothing for a time if others send too fast. Returns whether the connection was given up for it.
    private func rest(after count: Int) -> Bool {
        guard count > 0, !isClosed else { return false }
        switch pace?.next(after: count, at: EventLoop.main.now) {
        case nil, .goesOn: return false
        case .isGivenUp:
            connection.disconnect()
            return true
        case .rests(let pause):
            watch.close()
            rest = EventLoop.main.after(pause) { [weak self] in
                self?.rest = nil
                self?.process()
            }
            return false
        }
    }

    private func receive(_ message: DBusMessage) {
        switch message.kind {
        case .reply(let cookie):
            if uniqueName == nil { uniqueName = connection.uniqueName }
            open.removeValue(forKey: cookie)?(message.body)
        case .failure(let cookie, _, _): open.removeValue(forKey: cookie)?(nil)
        case .signal(let path, let interface, let member):
            signalled(
                Signal(
                    path: path, interface: interface, member: member, sender: message.sender,
                    body: message.body))
        }
    }

    private func arm() {
        guard !isClosed, rest == nil else { return }
        watch.follow(connection.pollInterest) { [weak self] in self?.process() }
    }
}
