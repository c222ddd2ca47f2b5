import DBus
import Glibc
import Loop

/// The connection to the desktop's notification daemon, in the event loop. After a loss it reconnects with
/// growing pauses. Without an address it does nothing.
@LoopActor final class DBusChannel: DesktopChannel {
    var onEvent: (@LoopActor (DesktopNotificationEvent) -> Void)?
    var onDecided: (@LoopActor () -> Void)?
    private let desktop: DesktopNotifications?
    private let watch = DBusWatch()
    private var reconnect: TimerToken?
    private var pause = BackOff()
    private var connectError: DBusError?
    private var isClosed = false

    /// - Parameter address: DBUS_SESSION_BUS_ADDRESS; nil if there is none.
    init(address: String?) { desktop = address.map { DesktopNotifications(address: $0) } }

    var daemonPresent: Bool { desktop?.daemonPresent ?? false }
    var daemon: String? { desktop?.daemon }
    var isAsking: Bool { desktop?.isAskingForDaemon ?? false }

    var trouble: String? {
        guard let desktop else { return DBusError.addressMissing.description }
        if desktop.daemonPresent { return nil }
        if desktop.isConnected { return NotificationRefusal.noDaemon.description }
        return connectError?.description
            ?? "the connection to the session bus was lost; it will be restored as soon as the bus answers"
    }

    func open() {
        guard let desktop, !isClosed else { return }
        reconnect = nil
        do throws(DBusError) {
            try desktop.connect()
            connectError = nil
        } catch {
            connectError = error
            reconnectLater()
        }
        arm()
    }

    func close() {
        isClosed = true
        watch.close()
        if let reconnect { EventLoop.main.cancel(reconnect) }
    }

    func show(_ content: NotificationContent) {
        desktop?.show(content)
        arm()
    }

    func close(_ identifier: String) {
        desktop?.close(identifier)
        arm()
    }

    func adopt(_ identifier: String, serverID: UInt32, of daemon: String) {
        desktop?.adopt(identifier, serverID: serverID, of: daemon)
    }

    private func reconnectLater() {
        guard reconnect == nil, !isClosed else { return }
        reconnect = EventLoop.main.after(pause.take()) { [weak self] in self?.open() }
    }

    private func process() {
        guard let desktop, !isClosed else { return }
        let wasAsking = desktop.isAskingForDaemon
        for event in desktop.process() {
            switch event {
            case .disconnected: reconnectLater()
            case .daemonAppeared: pause.reset()
            default: break
            }
            onEvent?(event)
        }
        if wasAsking, !desktop.isAskingForDaemon { onDecided?() }
        arm()
    }

    private func arm() {
        guard let desktop, !isClosed else { return }
        watch.follow(desktop.pollInterest) { [weak self] in self?.process() }
    }
}
