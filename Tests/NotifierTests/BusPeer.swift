import Units
import CSystemd
import DBus
import Glibc

@testable import NotifierCore

/// Another program on the session bus: a daemon that follows a test's script, or one that pretends to be it.
final class BusPeer {
    private let bus: OpaquePointer
    /// The unique name of the last caller.
    private(set) var caller = ""

    init(_ world: DesktopWorld, ownsName: Bool) throws {
        var made: OpaquePointer?
        guard sd_bus_new(&made) >= 0, let made else { throw TestFailure(description: "no bus") }
        bus = made
        guard sd_bus_set_address(bus, world.address) >= 0, sd_bus_set_bus_client(bus, 1) >= 0,
            sd_bus_start(bus) >= 0,
            !ownsName || sd_bus_request_name(bus, DBusTarget.notificationsName, 0) >= 0
        else { throw TestFailure(description: "the peer cannot reach the bus") }
    }

    deinit { sd_bus_close_unref(bus) }

    func releaseName() { sd_bus_release_name(bus, DBusTarget.notificationsName) }

    /// Waits for the next call, which must be this one, while the listener's loop runs. Answer it with
    /// `answer`.
    func take(_ member: String, from listener: Listener, deadline: Milliseconds = 20_000) throws
        -> DBusMessageHandle
    {
        let until = now() + deadline
        while now() < until {
            var arrived: OpaquePointer?
            let result = sd_bus_process(bus, &arrived)
            guard result >= 0 else { throw TestFailure(description: "the peer lost the bus: \(result)") }
            if let arrived {
                let message = DBusMessageHandle(owning: arrived)
                guard sd_bus_message_is_method_call(message.raw, nil, member) > 0 else {
                    guard sd_bus_message_is_method_call(message.raw, nil, nil) > 0 else { continue }
                    let other = sd_bus_message_get_member(message.raw).map { String(cString: $0) } ?? "?"
                    throw TestFailure(description: "expected a call of \(member), got \(other)")
                }
                caller = sd_bus_message_get_sender(message.raw).map { String(cString: $0) } ?? ""
                return message
            }
            if result == 0 { listener.turn(besides: sd_bus_get_fd(bus), at_most: until - now()) }
        }
        throw TestFailure(description: "nobody called \(member)")
    }

    func answer(_ call: borrowing DBusMessageHandle, _ values: DBusValue...) throws {
        var made: OpaquePointer?
        guard sd_bus_message_new_method_return(call.raw, &made) >= 0, let made else {
            throw TestFailure(description: "no answer")
        }
        try send(DBusMessageHandle(owning: made), values)
    }

    func fail(_ call: borrowing DBusMessageHandle, _ name: String) {
        var error = sd_bus_error()
        sd_bus_error_set(&error, name, "scripted")
        sd_bus_reply_method_error(call.raw, &error)
        sd_bus_error_free(&error)
        sd_bus_flush(bus)
    }

    /// Sends a signal to `receiver` alone, as any program may, and returns when the bus has passed it on.
    func signal(_ member: String, to receiver: String, _ values: DBusValue...) throws {
        var made: OpaquePointer?
        let result = sd_bus_message_new_signal(
            bus, &made, DBusTarget.notificationsPath, DBusTarget.notificationsName, member)
        guard result >= 0, let made else { throw TestFailure(description: "no signal") }
        let message = DBusMessageHandle(owning: made)
        sd_bus_message_set_destination(message.raw, receiver)
        try send(message, values)
        // Its own question after it is answered only when the signal is through.
        try askDriver("GetId")
    }

    private func askDriver(_ member: String) throws {
        var made: OpaquePointer?
        let driver = DBusTarget.driver
        sd_bus_message_new_method_call(bus, &made, driver.destination, driver.path, driver.interface, member)
        guard let made else { throw TestFailure(description: "no call") }
        let message = DBusMessageHandle(owning: made)
        var reply: OpaquePointer?
        guard sd_bus_call(bus, message.raw, 0, nil, &reply) >= 0, let reply else {
            throw TestFailure(description: "the bus does not answer")
        }
        _ = DBusMessageHandle(owning: reply)
    }

    private func send(_ message: borrowing DBusMessageHandle, _ values: [DBusValue]) throws {
        for value in values { try message.append(value) }
        guard sd_bus_send(bus, message.raw, nil) >= 0, sd_bus_flush(bus) >= 0 else {
            throw TestFailure(description: "cannot send")
        }
    }
}
