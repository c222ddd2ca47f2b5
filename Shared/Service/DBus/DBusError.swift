/// Why the session bus cannot be used. Each sentence says what was tried, what was wrong, what to do.
package enum DBusError: Error, Equatable, CustomStringConvertible {
    /// No address was given: this process does not run inside a desktop session.
    case addressMissing
    /// The address is not one that D-Bus understands (`unix:path=…`, several separated by `;`).
    case addressInvalid(address: String)
    /// Nobody answers at the address; `code` is the errno of the last attempt.
    case unreachable(address: String, code: Int32)
    /// The connection was lost, or is not made yet.
    case notConnected
    /// The other side takes nothing off the connection and the queue is full (or memory is).
    case queueFull(code: Int32)
    /// A call of the library failed for a reason that has no name of its own.
    case callFailed(step: String, code: Int32)

    package var description: String {
        switch self {
        case .addressMissing:
            "tried to reach the session bus: DBUS_SESSION_BUS_ADDRESS is not set. "
                + "Start the notifier inside the desktop session, or set it to the session's address."
        case .addressInvalid(let address):
            "tried to reach the session bus at '\(address)': this is not a D-Bus address. "
                + "Set DBUS_SESSION_BUS_ADDRESS to one like unix:path=/run/user/1000/bus."
        case .unreachable(let address, let code):
            "tried to reach the session bus at '\(address)': nobody answers (errno \(code)). "
                + "Check that the desktop session still runs and that the socket may be opened."
        case .notConnected:
            "tried to use the session bus: it is not connected. Call connect() first."
        case .queueFull(let code):
            "tried to send on the session bus: its queue is full (errno \(code)). Send again later."
        case .callFailed(let step, let code):
            "tried \(step) on the session bus: it failed (errno \(code)). Reconnect."
        }
    }
}
