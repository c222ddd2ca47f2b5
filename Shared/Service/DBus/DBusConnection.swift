import CSystemd
import Glibc
import Time

/// What an event loop must poll for one connection.
package struct DBusInterest: Equatable {
    /// Owned by the connection: poll it, never close it. Nil while not connected.
    package let fileDescriptor: Int32?
    /// Event flags of poll(2).
    package let events: Int16
    /// Milliseconds until `process()` must run even if nothing arrives; -1 for never.
    package let timeout_ms: Int32

    /// A descriptor with its events and deadline.
    package init(fileDescriptor: Int32?, events: Int16, timeout_ms: Int32) {
        self.fileDescriptor = fileDescriptor
        self.events = events
        self.timeout_ms = timeout_ms
    }
}

/// One connection to a message bus (session or system) over sd-bus, without its variadic functions and
/// callbacks. Synchronous and for one thread: poll the descriptor, then call `receive()`. It causes no
/// wake-ups when idle.
package final class DBusConnection {
    /// The library's connection, closed without waiting on deinit.
    private struct Handle: ~Copyable {
        let raw: OpaquePointer
        deinit { sd_bus_close_unref(raw) }
    }

    private let address: String
    private var handle: Handle?

    /// - Parameter address: a D-Bus address, as in DBUS_SESSION_BUS_ADDRESS. Nothing is opened before
    ///   `connect()`.
    package init(address: String) { self.address = address }

    /// Whether a connection exists; it may still be authenticating.
    package var isConnected: Bool { handle != nil }

    /// Opens a new connection and drops the old one. Does not wait for the bus: authentication and Hello run
    /// inside `receive()`, and calls may be queued at once.
    package func connect() throws(DBusError) {
        handle = nil
        guard !address.isEmpty else { throw .addressMissing }
        // sd-bus skips unknown transports and then reports that nobody answered.
        let isKnown = address.split(separator: ";").contains { $0.hasPrefix("unix:") || $0.hasPrefix("tcp:") }
        guard isKnown else { throw .addressInvalid(address: address) }
        var made: OpaquePointer?
        let created = sd_bus_new(&made)
        guard created >= 0, let made else {
            throw .callFailed(step: "preparing a connection", code: -created)
        }
        let fresh = Handle(raw: made)
        guard sd_bus_set_address(fresh.raw, address) >= 0 else { throw .addressInvalid(address: address) }
        let client = sd_bus_set_bus_client(fresh.raw, 1)
        guard client >= 0 else { throw .callFailed(step: "setting client mode", code: -client) }
        sd_bus_negotiate_fds(fresh.raw, 1)  // a bus without descriptor passing is detected by its callers
        let started = sd_bus_start(fresh.raw)
        guard started != -EINVAL else { throw .addressInvalid(address: address) }
        guard started >= 0 else { throw .unreachable(address: address, code: -started) }
        handle = consume fresh
    }

    /// Id of the bus; another bus at the same address has another id. Read it only after the bus answered,
    /// because the library blocks until then.
    package var busID: String? {
        guard let raw = handle?.raw else { return nil }
        var id = sd_id128_t()
        guard sd_bus_get_bus_id(raw, &id) >= 0 else { return nil }
        return withUnsafeBytes(of: id) { bytes in
            bytes.map { byte in (byte < 16 ? "0" : "") + String(byte, radix: 16) }.joined()
        }
    }

    /// Closes without waiting. Queued messages that are not written yet are dropped.
    package func disconnect() { handle = nil }

    /// What to poll. `timeout_ms` is the library's own deadline (during authentication only), else -1.
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

    /// Sends a method call without waiting and returns its cookie, which the reply carries.
    package func call(_ target: DBusTarget, _ member: String, _ arguments: [DBusValue] = []) throws(DBusError)
        -> UInt64
    {
        guard let raw = handle?.raw else { throw .notConnected }
        var made: OpaquePointer?
        let created = sd_bus_message_new_method_call(
            raw, &made, target.destination, target.path, target.interface, member)
        guard created >= 0, let made else { throw .callFailed(step: "preparing \(member)", code: -created) }
        let message = DBusMessageHandle(owning: made)
        for argument in arguments { try message.append(argument) }
        var cookie: UInt64 = 0
        let sent = sd_bus_send(raw, message.raw, &cookie)
        guard sent != -ENOBUFS, sent != -ENOMEM else { throw .queueFull(code: -sent) }
        guard ![-ECONNRESET, -ENOTCONN, -EPIPE].contains(sent) else { throw .notConnected }
        guard sent >= 0 else { throw .callFailed(step: "sending \(member)", code: -sent) }
        return cookie
    }

    /// Sends a signal to whoever subscribed to it, without waiting.
    package func emit(
        _ path: String, _ interface: String, _ member: String, _ arguments: [DBusValue] = []
    ) throws(DBusError) {
        guard let raw = handle?.raw else { throw .notConnected }
        var made: OpaquePointer?
        let created = sd_bus_message_new_signal(raw, &made, path, interface, member)
        guard created >= 0, let made else { throw .callFailed(step: "preparing \(member)", code: -created) }
        let message = DBusMessageHandle(owning: made)
        for argument in arguments { try message.append(argument) }
        let sent = sd_bus_send(raw, message.raw, nil)
        guard sent >= 0 else { throw .callFailed(step: "sending \(member)", code: -sent) }
    }

    /// Our name on the bus. Read it only after the bus answered, because the library blocks until then.
    package var uniqueName: String? {
        guard let raw = handle?.raw else { return nil }
        var name: UnsafePointer<CChar>?
        return sd_bus_get_unique_name(raw, &name) >= 0 ? name.map { String(cString: $0) } : nil
    }

    /// Reads and writes without waiting. Returns what arrived among at most `limit` messages, calls excepted;
    /// if there are more, `pollInterest` reports it. After a lost connection `isConnected` is false.
    /// - Parameter answer: called for each method call. By default there are no objects.
    package func receive(
        limit: Int, answer: (DBusCall) -> DBusAnswer = { .nobody($0.path) }
    ) -> [DBusMessage] {
        var messages: [DBusMessage] = []
        var count = 0
        while count < limit, let raw = handle?.raw {
            var arrived: OpaquePointer?
            let result = sd_bus_process(raw, &arrived)
            count += 1
            if let arrived {
                let message = DBusMessageHandle(owning: arrived)
                if let value = message.read() {
                    messages.append(value)
                } else if let call = message.readCall() {
                    reply(to: message, answer(call))
                    // Whoever answers may have closed the connection.
                    guard isConnected else { break }
                }
            }
            if result < 0 || sd_bus_is_open(raw) <= 0 { handle = nil }
            if result <= 0 { break }
        }
        return messages
    }

    /// If this fails, the caller's own timeout applies.
    private func reply(to call: borrowing DBusMessageHandle, _ answer: DBusAnswer) {
        guard sd_bus_message_get_expect_reply(call.raw) > 0 else { return }
        switch answer {
        case .values(let values):
            var made: OpaquePointer?
            guard sd_bus_message_new_method_return(call.raw, &made) >= 0, let made else { return }
            let message = DBusMessageHandle(owning: made)
            do throws(DBusError) { for value in values { try message.append(value) } } catch {
                return fail(call, .invalidArguments, error.description)
            }
            _ = sd_bus_send(nil, message.raw, nil)
        case .failure(let name, let text): fail(call, name, text)
        }
    }

    private func fail(_ call: borrowing DBusMessageHandle, _ name: DBusFailure, _ text: String) {
        var error = sd_bus_error()
        sd_bus_error_set(&error, name.rawValue, text)
        _ = sd_bus_reply_method_error(call.raw, &error)
        sd_bus_error_free(&error)
    }

    /// Rounded up, so that a loop does not spin during the last millisecond.
    private func remaining_ms(_ until_us: UInt64) -> Int32 {
        guard until_us != .max else { return -1 }
        let now_us = UInt64(clamping: monotonicNow_us())
        return until_us <= now_us ? 0 : Int32(clamping: (until_us - now_us + 999) / 1000)
    }
}

/// CLOCK_MONOTONIC in microseconds, the clock of sd-bus deadlines.
package func monotonicNow_us() -> Int64 { MonotonicClock.nowNs / 1_000 }
