package import Loop

/// The way to the desktop's notification daemon: ``DBusChannel``, or the one of a simulation.
@LoopActor package protocol DesktopChannel: AnyObject {
    /// Called with every event.
    var onEvent: (@LoopActor (DesktopNotificationEvent) -> Void)? { get set }
    /// Called when a bus has answered whether there is a daemon.
    var onDecided: (@LoopActor () -> Void)? { get set }
    /// Whether a daemon can be called now.
    var daemonPresent: Bool { get }
    /// Identifies the running daemon; nil if there is none.
    var daemon: String? { get }
    /// Whether the bus was asked for a daemon and has not answered.
    var isAsking: Bool { get }
    /// Why nothing can be shown, and what to do; nil if there is a daemon.
    var trouble: String? { get }
    /// Connects; after a loss it reconnects by itself.
    func open()
    /// Ends the connection for good.
    func close()
    /// Shows a notification, or replaces the one with its identifier.
    func show(_ content: NotificationContent)
    /// Takes a notification off the screen.
    func close(_ identifier: String)
    /// Continues a notification that an earlier process has shown.
    func adopt(_ identifier: String, serverID: UInt32, of daemon: String)
}
