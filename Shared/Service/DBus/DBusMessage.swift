import CSystemd
import Glibc

/// Values of D-Bus, copied out of the library's memory.
package enum DBusValue: Equatable {
    case string(String)
    case uint32(UInt32)
    case int32(Int32)
    case byte(UInt8)
    case bool(Bool)
    case strings([String])
    /// `a{sv}`, in the order given; read also from other dictionaries whose keys are strings.
    case dictionary([(key: String, value: DBusValue)])
    /// Read only: the wider numbers, and a descriptor, which is the reader's to close.
    case number(Int64)
    case double(Double)
    case descriptor(Int32)
    /// Read only: an array of anything else, or a structure.
    case list([DBusValue])

    package static func == (left: DBusValue, right: DBusValue) -> Bool {
        switch (left, right) {
        case (.string(let a), .string(let b)): a == b
        case (.uint32(let a), .uint32(let b)): a == b
        case (.int32(let a), .int32(let b)): a == b
        case (.byte(let a), .byte(let b)): a == b
        case (.bool(let a), .bool(let b)): a == b
        case (.strings(let a), .strings(let b)): a == b
        case (.number(let a), .number(let b)): a == b
        case (.double(let a), .double(let b)): a == b
        case (.descriptor(let a), .descriptor(let b)): a == b
        case (.list(let a), .list(let b)): a == b
        case (.dictionary(let a), .dictionary(let b)):
            a.count == b.count && zip(a, b).allSatisfy { $0.key == $1.key && $0.value == $1.value }
        default: false
        }
    }

    /// The text of a string, a path or a signature.
    package var text: String? { if case .string(let text) = self { text } else { nil } }
    package var flag: Bool? { if case .bool(let flag) = self { flag } else { nil } }
    package var items: [DBusValue] { if case .list(let items) = self { items } else { [] } }

    /// The value of a dictionary's key.
    package subscript(key: String) -> DBusValue? {
        guard case .dictionary(let entries) = self else { return nil }
        return entries.first { $0.key == key }?.value
    }
}

/// Where a method lives.
package struct DBusTarget {
    package let destination: String
    package let path: String
    package let interface: String

    package init(destination: String, path: String, interface: String) {
        self.destination = destination
        self.path = path
        self.interface = interface
    }

    package static let driver = DBusTarget(
        destination: "org.freedesktop.DBus", path: "/org/freedesktop/DBus", interface: "org.freedesktop.DBus")
}

/// One message that arrived. `body` holds the leading values of known types.
package struct DBusMessage {
    package enum Kind: Equatable {
        /// The answer to the call that `DBusConnection.call` numbered `cookie`.
        case reply(cookie: UInt64)
        case failure(cookie: UInt64, name: String, text: String)
        case signal(path: String, interface: String, member: String)
    }
    package let kind: Kind
    /// The unique name (`:1.7`) that the bus itself put on the message; it cannot be forged.
    package let sender: String
    package let body: [DBusValue]
}

/// The only owner of one message of the library.
package struct DBusMessageHandle: ~Copyable {
    package let raw: OpaquePointer
    /// Takes over the reference that the library gave.
    package init(owning raw: OpaquePointer) { self.raw = raw }
    deinit { sd_bus_message_unref(raw) }

    // MARK: writing

    package func append(_ value: DBusValue) throws(DBusError) {
        switch value {
        case .string(let text): try append(text)
        case .uint32(var number): try appendBasic("u", &number)
        case .int32(var number): try appendBasic("i", &number)
        case .byte(var number): try appendBasic("y", &number)
        case .bool(let flag):
            var number: CInt = flag ? 1 : 0  // sd-bus reads a C int for 'b'
            try appendBasic("b", &number)
        case .strings(let texts):
            try inside("a", "s") { () throws(DBusError) in
                for text in texts { try append(text) }
            }
        case .dictionary(let entries):
            try inside("a", "{sv}") { () throws(DBusError) in
                for entry in entries { try append(entry) }
            }
        case .number, .double, .descriptor, .list:
            preconditionFailure("nobody we call takes such a value")
        }
    }

    private func append(_ entry: (key: String, value: DBusValue)) throws(DBusError) {
        try inside("e", "sv") { () throws(DBusError) in
            try append(entry.key)
            try inside("v", entry.value.signature) { () throws(DBusError) in try append(entry.value) }
        }
    }

    private func append(_ text: String) throws(DBusError) {
        let result = text.withCString { sd_bus_message_append_basic(raw, letter("s"), $0) }
        guard result >= 0 else { throw .callFailed(step: "to append a string", code: -result) }
    }

    private func appendBasic(_ type: Unicode.Scalar, _ value: UnsafeRawPointer) throws(DBusError) {
        let result = sd_bus_message_append_basic(raw, letter(type), value)
        guard result >= 0 else { throw .callFailed(step: "to append a number", code: -result) }
    }

    private func inside(
        _ type: Unicode.Scalar, _ contents: String, _ body: () throws(DBusError) -> Void
    ) throws(DBusError) {
        let opened = sd_bus_message_open_container(raw, letter(type), contents)
        guard opened >= 0 else { throw .callFailed(step: "to open a container", code: -opened) }
        try body()
        let closed = sd_bus_message_close_container(raw)
        guard closed >= 0 else { throw .callFailed(step: "to close a container", code: -closed) }
    }

    // MARK: reading

    /// The message as a value; nil for a method call, which nobody has a reason to send us.
    package func read() -> DBusMessage? {
        var type: UInt8 = 0
        guard sd_bus_message_get_type(raw, &type) >= 0 else { return nil }
        var cookie: UInt64 = 0
        sd_bus_message_get_reply_cookie(raw, &cookie)  // stays 0, which is nobody's, for a signal
        let kind: DBusMessage.Kind
        switch Int(type) {
        case Int(SD_BUS_MESSAGE_METHOD_RETURN): kind = .reply(cookie: cookie)
        case Int(SD_BUS_MESSAGE_METHOD_ERROR):
            let error = sd_bus_message_get_error(raw)?.pointee
            kind = .failure(cookie: cookie, name: text(error?.name), text: text(error?.message))
        case Int(SD_BUS_MESSAGE_SIGNAL):
            kind = .signal(
                path: text(sd_bus_message_get_path(raw)), interface: text(sd_bus_message_get_interface(raw)),
                member: text(sd_bus_message_get_member(raw)))
        default: return nil
        }
        return DBusMessage(kind: kind, sender: text(sd_bus_message_get_sender(raw)), body: readBody())
    }

    private func readBody() -> [DBusValue] {
        var body: [DBusValue] = []
        while let value = readValue() { body.append(value) }
        return body
    }

    /// The next value; nil at the end.
    private func readValue() -> DBusValue? {
        var type: CChar = 0
        var contents: UnsafePointer<CChar>?
        guard sd_bus_message_peek_type(raw, &type, &contents) > 0 else { return nil }
        switch type {
        case letter("s"), letter("o"), letter("g"): return readString(type).map(DBusValue.string)
        case letter("u"): return readBasic(type, UInt32(0)).map(DBusValue.uint32)
        case letter("i"): return readBasic(type, Int32(0)).map(DBusValue.int32)
        case letter("y"): return readBasic(type, UInt8(0)).map(DBusValue.byte)
        // sd-bus writes a C int for 'b'.
        case letter("b"): return readBasic(type, CInt(0)).map { .bool($0 != 0) }
        case letter("n"): return readBasic(type, Int16(0)).map { .number(Int64($0)) }
        case letter("q"): return readBasic(type, UInt16(0)).map { .number(Int64($0)) }
        case letter("x"): return readBasic(type, Int64(0)).map(DBusValue.number)
        case letter("t"): return readBasic(type, UInt64(0)).map { .number(Int64(clamping: $0)) }
        case letter("d"): return readBasic(type, Double(0)).map(DBusValue.double)
        // The message closes its own.
        case letter("h"): return readBasic(type, Int32(0)).map { .descriptor(fcntl($0, F_DUPFD_CLOEXEC, 3)) }
        case letter("v"): return inside(type, contents) { $0.readValue() }
        case letter("r"): return inside(type, contents) { .list($0.readBody()) }
        case letter("a"): return readArray(contents)
        default: return nil
        }
    }

    private func readArray(_ contents: UnsafePointer<CChar>?) -> DBusValue? {
        let kind = text(contents)
        return inside(letter("a"), contents) { message in
            if kind == "s" { return .strings(message.readStrings()) }
            guard kind.hasPrefix("{s") || kind.hasPrefix("{o") else { return .list(message.readBody()) }
            var entries: [(key: String, value: DBusValue)] = []
            while let entry = message.readEntry(String(kind.dropFirst().dropLast())) { entries.append(entry) }
            return .dictionary(entries)
        }
    }

    private func readEntry(_ contents: String) -> (key: String, value: DBusValue)? {
        guard sd_bus_message_enter_container(raw, letter("e"), contents) > 0 else { return nil }
        guard let key = readValue()?.text, let value = readValue() else { return nil }
        return sd_bus_message_exit_container(raw) >= 0 ? (key, value) : nil
    }

    private func inside(
        _ type: CChar, _ contents: UnsafePointer<CChar>?, _ body: (borrowing DBusMessageHandle) -> DBusValue?
    ) -> DBusValue? {
        guard sd_bus_message_enter_container(raw, type, contents) > 0, let value = body(self)
        else { return nil }
        return sd_bus_message_exit_container(raw) >= 0 ? value : nil
    }

    private func readBasic<Value: BitwiseCopyable>(_ type: CChar, _ zero: Value) -> Value? {
        var value = zero
        return sd_bus_message_read_basic(raw, type, &value) > 0 ? value : nil
    }

    private func readString(_ type: CChar) -> String? {
        var pointer: UnsafePointer<CChar>?
        guard sd_bus_message_read_basic(raw, type, &pointer) > 0 else { return nil }
        return text(pointer)
    }

    private func readStrings() -> [String] {
        var texts: [String] = []
        while let text = readString(letter("s")) { texts.append(text) }
        return texts
    }
}

extension DBusValue {
    /// The D-Bus signature, for the inside of a variant.
    fileprivate var signature: String {
        switch self {
        case .string: "s"
        case .uint32: "u"
        case .int32: "i"
        case .byte: "y"
        case .bool: "b"
        case .strings: "as"
        case .dictionary: "a{sv}"
        case .number, .double, .descriptor, .list: preconditionFailure("nobody we call takes such a value")
        }
    }
}

/// D-Bus type codes are ASCII letters, so the conversion always fits.
private func letter(_ scalar: Unicode.Scalar) -> CChar { CChar(truncatingIfNeeded: scalar.value) }

private func text(_ pointer: UnsafePointer<CChar>?) -> String { pointer.map { String(cString: $0) } ?? "" }
