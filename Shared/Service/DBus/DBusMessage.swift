import CSystemd
import Glibc

/// A D-Bus value, copied out of the library's memory.
package enum DBusValue: Equatable {
    case string(String)
    case uint32(UInt32)
    case int32(Int32)
    case byte(UInt8)
    case bool(Bool)
    case strings([String])
    /// `a{sv}` in the given order; other dictionaries with string keys are read as this, too.
    case dictionary([(key: String, value: DBusValue)])
    /// Read only: the wider integers, and a descriptor, which the reader must close.
    case number(Int64)
    case double(Double)
    case descriptor(Int32)
    /// Read only: an array of any other type, or a structure.
    case list([DBusValue])
    /// Written only, since they are read as the values inside: an object path, bytes (`ay`), a value in a
    /// variant, a structure, and an array of elements of one type.
    case path(String)
    case bytes([UInt8])
    indirect case variant(DBusValue)
    case structure([DBusValue])
    case array(of: String, [DBusValue])

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
        case (.path(let a), .path(let b)): a == b
        case (.bytes(let a), .bytes(let b)): a == b
        case (.variant(let a), .variant(let b)): a == b
        case (.structure(let a), .structure(let b)): a == b
        case (.array(let a, let inA), .array(let b, let inB)): a == b && inA == inB
        case (.dictionary(let a), .dictionary(let b)):
            a.count == b.count && zip(a, b).allSatisfy { $0.key == $1.key && $0.value == $1.value }
        default: false
        }
    }

    /// The text of a string, a path or a signature.
    package var text: String? { if case .string(let text) = self { text } else { nil } }
    /// A number of 32 bits; nil for other types.
    package var int32: Int32? { if case .int32(let number) = self { number } else { nil } }
    /// Elements of an array of strings; empty for other types.
    package var texts: [String] { if case .strings(let texts) = self { texts } else { [] } }
    /// A boolean; nil for other types.
    package var flag: Bool? { if case .bool(let flag) = self { flag } else { nil } }
    /// Elements of a list; empty for other types.
    package var items: [DBusValue] { if case .list(let items) = self { items } else { [] } }

    /// The value of a dictionary's key; nil if there is none or if this is not a dictionary.
    package subscript(key: String) -> DBusValue? {
        guard case .dictionary(let entries) = self else { return nil }
        return entries.first { $0.key == key }?.value
    }
}

/// The object and interface of a method.
package struct DBusTarget {
    /// Bus name of the owner.
    package let destination: String
    /// Object path.
    package let path: String
    /// Interface that declares the method.
    package let interface: String

    /// A method's place on the bus.
    package init(destination: String, path: String, interface: String) {
        self.destination = destination
        self.path = path
        self.interface = interface
    }

    /// The bus itself.
    package static let driver = DBusTarget(
        destination: "org.freedesktop.DBus", path: "/org/freedesktop/DBus", interface: "org.freedesktop.DBus")
}

/// A received message. `body` holds its values up to the first of an unknown type, or `DBusLimits.valuesMax`.
package struct DBusMessage {
    /// What kind of message it is.
    package enum Kind: Equatable {
        /// The reply to the call that `DBusConnection.call` numbered `cookie`.
        case reply(cookie: UInt64)
        case failure(cookie: UInt64, name: String, text: String)
        case signal(path: String, interface: String, member: String)
    }
    /// Reply, error or signal.
    package let kind: Kind
    /// The sender's unique name (`:1.7`). The bus sets it; it cannot be forged.
    package let sender: String
    /// Its values.
    package let body: [DBusValue]
}

/// Owns one message of the library.
package struct DBusMessageHandle: ~Copyable {
    /// The library's message; valid as long as this value.
    package let raw: OpaquePointer
    private let reading = Reading()
    /// Takes over the caller's reference.
    package init(owning raw: OpaquePointer) { self.raw = raw }
    deinit { sd_bus_message_unref(raw) }

    /// How much of it was read.
    private final class Reading {
        var valuesLeft = DBusLimits.valuesMax
        var textBytesMax = Int.max
    }

    // MARK: writing

    /// Appends one argument. Stops the program for a type that is read only.
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
        case .path(let path): try append(path, "o")
        case .bytes(let bytes):
            let result = sd_bus_message_append_array(raw, letter("y"), bytes, bytes.count)
            guard result >= 0 else { throw .callFailed(step: "appending bytes", code: -result) }
        case .variant(let value):
            try inside("v", value.signature) { () throws(DBusError) in try append(value) }
        case .structure(let values):
            try inside("r", values.map(\.signature).joined()) { () throws(DBusError) in
                for value in values { try append(value) }
            }
        case .array(let type, let values):
            try inside("a", type) { () throws(DBusError) in
                for value in values { try append(value) }
            }
        case .number, .double, .descriptor, .list:
            preconditionFailure("values of this type are read only")
        }
    }

    private func append(_ entry: (key: String, value: DBusValue)) throws(DBusError) {
        try inside("e", "sv") { () throws(DBusError) in
            try append(entry.key)
            try inside("v", entry.value.signature) { () throws(DBusError) in try append(entry.value) }
        }
    }

    private func append(_ text: String, _ type: Unicode.Scalar = "s") throws(DBusError) {
        let result = text.withCString { sd_bus_message_append_basic(raw, letter(type), $0) }
        guard result >= 0 else { throw .callFailed(step: "appending a string", code: -result) }
    }

    private func appendBasic(_ type: Unicode.Scalar, _ value: UnsafeRawPointer) throws(DBusError) {
        let result = sd_bus_message_append_basic(raw, letter(type), value)
        guard result >= 0 else { throw .callFailed(step: "appending a number", code: -result) }
    }

    private func inside(
        _ type: Unicode.Scalar, _ contents: String, _ body: () throws(DBusError) -> Void
    ) throws(DBusError) {
        let opened = sd_bus_message_open_container(raw, letter(type), contents)
        guard opened >= 0 else { throw .callFailed(step: "opening a container", code: -opened) }
        try body()
        let closed = sd_bus_message_close_container(raw)
        guard closed >= 0 else { throw .callFailed(step: "closing a container", code: -closed) }
    }

    // MARK: reading

    /// Decodes a method call; nil for other messages.
    package func readCall() -> DBusCall? {
        guard sd_bus_message_is_method_call(raw, nil, nil) > 0 else { return nil }
        reading.textBytesMax = DBusLimits.callTextBytesMax
        return DBusCall(
            path: text(sd_bus_message_get_path(raw)), interface: text(sd_bus_message_get_interface(raw)),
            member: text(sd_bus_message_get_member(raw)), sender: text(sd_bus_message_get_sender(raw)),
            signature: text(sd_bus_message_get_signature(raw, 1)), body: readBody())
    }

    /// Decodes the message. Nil for a method call.
    package func read() -> DBusMessage? {
        var type: UInt8 = 0
        guard sd_bus_message_get_type(raw, &type) >= 0 else { return nil }
        var cookie: UInt64 = 0
        sd_bus_message_get_reply_cookie(raw, &cookie)  // stays 0, which no call has, for a signal
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

    private func takeOne() -> Bool {
        reading.valuesLeft -= 1
        return reading.valuesLeft >= 0
    }

    private func readBody() -> [DBusValue] {
        var body: [DBusValue] = []
        while let value = readValue() { body.append(value) }
        return body
    }

    /// The next value; nil at the end or for an unknown type.
    private func readValue() -> DBusValue? {
        guard takeOne() else { return nil }
        var type: CChar = 0
        var contents: UnsafePointer<CChar>?
        guard sd_bus_message_peek_type(raw, &type, &contents) > 0 else { return nil }
        switch type {
        case letter("s"), letter("o"), letter("g"): return readString(type).map(DBusValue.string)
        case letter("u"): return readBasic(type, UInt32(0)).map(DBusValue.uint32)
        case letter("i"): return readBasic(type, Int32(0)).map(DBusValue.int32)
        case letter("y"): return readBasic(type, UInt8(0)).map(DBusValue.byte)
        // sd-bus reads a C int for 'b'.
        case letter("b"): return readBasic(type, CInt(0)).map { .bool($0 != 0) }
        case letter("n"): return readBasic(type, Int16(0)).map { .number(Int64($0)) }
        case letter("q"): return readBasic(type, UInt16(0)).map { .number(Int64($0)) }
        case letter("x"): return readBasic(type, Int64(0)).map(DBusValue.number)
        case letter("t"): return readBasic(type, UInt64(0)).map { .number(Int64(clamping: $0)) }
        case letter("d"): return readBasic(type, Double(0)).map(DBusValue.double)
        // The message closes its own descriptor, so the value gets a duplicate.
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
        if let pointer, reading.textBytesMax != .max, strlen(pointer) > reading.textBytesMax { return nil }
        return text(pointer)
    }

    private func readStrings() -> [String] {
        var texts: [String] = []
        while takeOne(), let text = readString(letter("s")) { texts.append(text) }
        return texts
    }
}

extension DBusValue {
    /// The D-Bus signature, for a variant or a structure.
    package var signature: String {
        switch self {
        case .string: "s"
        case .uint32: "u"
        case .int32: "i"
        case .byte: "y"
        case .bool: "b"
        case .strings: "as"
        case .dictionary: "a{sv}"
        case .path: "o"
        case .bytes: "ay"
        case .variant: "v"
        case .structure(let values): "(" + values.map(\.signature).joined() + ")"
        case .array(let type, _): "a" + type
        case .number, .double, .descriptor, .list: preconditionFailure("values of this type are read only")
        }
    }
}

/// D-Bus type codes are ASCII letters, so the conversion always fits.
private func letter(_ scalar: Unicode.Scalar) -> CChar { CChar(truncatingIfNeeded: scalar.value) }

private func text(_ pointer: UnsafePointer<CChar>?) -> String { pointer.map { String(cString: $0) } ?? "" }
