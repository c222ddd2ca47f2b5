/// Why the session bus cannot be used. Each description says what was tried, what failed and what to do.
package enum DBusError: Error, Equatable, CustomStringConvertible {
    /// No address was given: this process does not run inside a desktop session.
    case addressMissing
    /// The address is not valid for D-Bus (`unix:path=…`, several separated by `;`).
    case addressInvalid(address: String)
    /// Nothing listens at the address; `code` is the errno of the last attempt.
    case unreachable(address: String, code: Int32)
    /// The connection was lost or does not exist yet.
    case notConnected
    /// The outgoing queue is full because the bus does not read, or there is no memory.
    case queueFull(code: Int32)
    /// A library call failed for a reason without a case of its own.
    case callFailed(step: String, code: Int32)

    package var description: String {
        switch self {
        case .addressMissing:
            "cannot reach the session bus: DBUS_SESSION_BUS_ADDRESS is not set. "
                + "Start the notifier inside the desktop session, or set it to the session's address."
        case .addressInvalid(let address):
            "cannot reach the session bus at '\(address)': not a D-Bus address. "
                + "Set DBUS_SESSION_BUS_ADDRESS to one like unix:path=/run/user/1000/bus."
        case .unreachable(let address, let code):
            "cannot reach the session bus at '\(address)': nothing listens there (errno \(code)). "
                + "Check that the desktop session still runs and that the socket may be opened."
        case .notConnected:
            "not connected to the session bus. Call connect() first."
        case .queueFull(let code):
            "cannot send on the session bus: its queue is full (errno \(code)). Send again later."
        case .callFailed(let step, let code):
            "\(step) failed on the session bus (errno \(code)). Reconnect."
        }
    }
}
