import CSystemd
import Glibc
import Time

/// What an event loop waits for on our behalf.
package struct DBusInterest: Equatable {
    /// Owned by the connection: poll it, never close it. nil while there is no connection.
    package let fileDescriptor: Int32?
    /// Events in the words of poll(2).
    package let events: Int16
    /// Milliseconds until `process()` must run even when nothing arrives; -1 means never.
    package let timeout_ms: Int32

    package init(fileDescriptor: Int32?, events: Int16, timeout_ms: Int32) {
        self.fileDescriptor = fileDescriptor
        self.events = events
        self.timeout_ms = timeout_ms
    }
}

/// One connection to a message bus, the session's or the system's, over sd-bus without its variadic
/// functions and without callbacks. Synchronous and for one thread: poll the descriptor, then call
/// `receive()`. It asks for no wake-up when idle.
package final class DBusConnection {
    /// The library's connection, closed without waiting when it goes.
    private struct Handle: ~Copyable {
        let raw: OpaquePointer
        deinit { sd_bus_close_unref(raw) }
    }

    private let address: String
    private var handle: Handle?

    /// `address` is a D-Bus address, as in DBUS_SESSION_BUS_ADDRESS. Nothing is opened before `connect()`.
    package init(address: String) { self.address = address }

    package var isConnected: Bool { handle != nil }

    /// Opens the connection anew, dropping an old one. Does not wait for the bus to answer: authentication
    /// and greeting go on inside `receive()`, and calls may be queued at once.
    package func connect() throws(DBusError) {
        handle = nil
        guard !address.isEmpty else { throw .addressMissing }
        // sd-bus passes over what it does not know and then says that nobody answered.
        let isKnown = address.split(separator: ";").contains { $0.hasPrefix("unix:") || $0.hasPrefix("tcp:") }
        guard isKnown else { throw .addressInvalid(address: address) }
        var made: OpaquePointer?
        let created = sd_bus_new(&made)
        guard created >= 0, let made else {
            throw .callFailed(step: "to prepare a connection", code: -created)
        }
        let fresh = Handle(raw: made)
        guard sd_bus_set_address(fresh.raw, address) >= 0 else { throw .addressInvalid(address: address) }
        let client = sd_bus_set_bus_client(fresh.raw, 1)
        guard client >= 0 else { throw .callFailed(step: "to become a client", code: -client) }
        sd_bus_negotiate_fds(fresh.raw, 1)  // what a bus cannot pass is missed by whoever asks for it
        let started = sd_bus_start(fresh.raw)
        guard started != -EINVAL else { throw .addressInvalid(address: address) }
        guard started >= 0 else { throw .unreachable(address: address, code: -started) }
        handle = consume fresh
    }

    /// Names the bus itself: another one at the same address has another id. Ask only after it answered:
    /// before, the library would wait for it.
    package var busID: String? {
        guard let raw = handle?.raw else { return nil }
        var id = sd_id128_t()
        guard sd_bus_get_bus_id(raw, &id) >= 0 else { return nil }
        return withUnsafeBytes(of: id) { bytes in
            bytes.map { byte in (byte < 16 ? "0" : "") + String(byte, radix: 16) }.joined()
        }
    }

    /// Closes without waiting; what was queued and not written is dropped.
    package func disconnect() { handle = nil }

    /// What to wait for; `timeout_ms` is the library's own deadline (during authentication only), else -1.
    package var pollInterest: DBusInterest {
        guard let raw = handle?.raw else {
            return DBusInterest(fileDescriptor: nil, events: 0, timeout_ms: -1)
        }
        var until_us: UInt64 = .max
        let known = sd_bus_get_timeout(raw, &until_us)
        return DBusInterest(
            fileDescriptor: sd_bus_get_fd(raw), events: Int16(truncatingIfNeeded: sd_bus_get_events(raw)),
            timeout_ms: known > 0 ? remaining_ms(until_us) : -1)
    }

    /// Sends a method call without waiting, and returns the number that its answer will carry.
    package func call(_ target: DBusTarget, _ member: String, _ arguments: [DBusValue] = []) throws(DBusError)
        -> UInt64
    {
        guard let raw = handle?.raw else { throw .notConnected }
        var made: OpaquePointer?
        let created = sd_bus_message_new_method_call(
            raw, &made, target.destination, target.path, target.interface, member)
        guard created >= 0, let made else { throw .callFailed(step: "to begin \(member)", code: -created) }
        let message = DBusMessageHandle(owning: made)
        for argument in arguments { try message.append(argument) }
        var cookie: UInt64 = 0
        let sent = sd_bus_send(raw, message.raw, &cookie)
        guard sent != -ENOBUFS, sent != -ENOMEM else { throw .queueFull(code: -sent) }
        guard ![-ECONNRESET, -ENOTCONN, -EPIPE].contains(sent) else { throw .notConnected }
        guard sent >= 0 else { throw .callFailed(step: "to send \(member)", code: -sent) }
        return cookie
    }

    /// Reads and writes what is possible without waiting. Returns at most `limit` messages; more are
    /// announced by `pollInterest`. A lost connection shows as `isConnected == false` afterwards.
    package func receive(limit: Int) -> [DBusMessage] {
        var messages: [DBusMessage] = []
        while messages.count < limit, let raw = handle?.raw {
            var arrived: OpaquePointer?
            let result = sd_bus_process(raw, &arrived)
            if let arrived {
                let message = DBusMessageHandle(owning: arrived)
                if let value = message.read() { messages.append(value) } else { refuse(message) }
            }
            if result < 0 || sd_bus_is_open(raw) <= 0 { handle = nil }
            if result <= 0 { break }
        }
        return messages
    }

    /// We offer no objects. Failing to say so harms only the caller, who has a deadline of his own.
    private func refuse(_ message: borrowing DBusMessageHandle) {
        _ = sd_bus_reply_method_errno(message.raw, ENXIO, nil)
    }

    /// Rounded up, so that a loop does not spin through the last millisecond.
    private func remaining_ms(_ until_us: UInt64) -> Int32 {
        guard until_us != .max else { return -1 }
        let now_us = UInt64(clamping: monotonicNow_us())
        return until_us <= now_us ? 0 : Int32(clamping: (until_us - now_us + 999) / 1000)
    }
}

/// CLOCK_MONOTONIC in microseconds: the clock of sd-bus' deadlines.
package func monotonicNow_us() -> Int64 { MonotonicClock.nowNs / 1_000 }
