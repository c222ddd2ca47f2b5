import CSystemd

/// The few D-Bus types that notifications are made of, copied out of the library's memory.
enum BusValue: Equatable {
    case string(String)
    case uint32(UInt32)
    case int32(Int32)
    case byte(UInt8)
    case bool(Bool)
    case strings([String])
    /// `a{sv}`, in the order given. Written only: nothing we listen to sends one.
    case dictionary([(key: String, value: BusValue)])

    static func == (left: BusValue, right: BusValue) -> Bool {
        switch (left, right) {
        case (.string(let a), .string(let b)): a == b
        case (.uint32(let a), .uint32(let b)): a == b
        case (.int32(let a), .int32(let b)): a == b
        case (.byte(let a), .byte(let b)): a == b
        case (.bool(let a), .bool(let b)): a == b
        case (.strings(let a), .strings(let b)): a == b
        case (.dictionary(let a), .dictionary(let b)):
            a.count == b.count && zip(a, b).allSatisfy { $0.key == $1.key && $0.value == $1.value }
        default: false
        }
    }
}

/// Where a method lives.
struct BusTarget {
    let destination: String
    let path: String
    let interface: String

    static let driver = BusTarget(
        destination: "org.freedesktop.DBus", path: "/org/freedesktop/DBus", interface: "org.freedesktop.DBus")
}

/// One message that arrived. `body` holds the leading values of known types.
struct BusMessage {
    enum Kind: Equatable {
        /// The answer to the call that `SessionBus.call` numbered `cookie`.
        case reply(cookie: UInt64)
        case failure(cookie: UInt64, name: String, text: String)
        case signal(path: String, interface: String, member: String)
    }
    let kind: Kind
    /// The unique name (`:1.7`) that the bus itself put on the message; it cannot be forged.
    let sender: String
    let body: [BusValue]
}

/// The only owner of one message of the library.
struct BusMessageHandle: ~Copyable {
    let raw: OpaquePointer
    /// Takes over the reference that the library gave.
    init(owning raw: OpaquePointer) { self.raw = raw }
    deinit { sd_bus_message_unref(raw) }

    // MARK: writing

    func append(_ value: BusValue) throws(SessionBusError) {
        switch value {
        case .string(let text): try append(text)
        case .uint32(var number): try appendBasic("u", &number)
        case .int32(var number): try appendBasic("i", &number)
        case .byte(var number): try appendBasic("y", &number)
        case .bool(let flag):
            var number: CInt = flag ? 1 : 0  // sd-bus reads a C int for 'b'
            try appendBasic("b", &number)
        case .strings(let texts):
            try inside("a", "s") { () throws(SessionBusError) in
                for text in texts { try append(text) }
            }
        case .dictionary(let entries):
            try inside("a", "{sv}") { () throws(SessionBusError) in
                for entry in entries { try append(entry) }
            }
        }
    }

    private func append(_ entry: (key: String, value: BusValue)) throws(SessionBusError) {
        try inside("e", "sv") { () throws(SessionBusError) in
            try append(entry.key)
            try inside("v", entry.value.signature) { () throws(SessionBusError) in try append(entry.value) }
        }
    }

    private func append(_ text: String) throws(SessionBusError) {
        let result = text.withCString { sd_bus_message_append_basic(raw, letter("s"), $0) }
        guard result >= 0 else { throw .callFailed(step: "to append a string", code: -result) }
    }

    private func appendBasic(_ type: Unicode.Scalar, _ value: UnsafeRawPointer) throws(SessionBusError) {
        let result = sd_bus_message_append_basic(raw, letter(type), value)
        guard result >= 0 else { throw .callFailed(step: "to append a number", code: -result) }
    }

    private func inside(
        _ type: Unicode.Scalar, _ contents: String, _ body: () throws(SessionBusError) -> Void
    ) throws(SessionBusError) {
        let opened = sd_bus_message_open_container(raw, letter(type), contents)
        guard opened >= 0 else { throw .callFailed(step: "to open a container", code: -opened) }
        try body()
        let closed = sd_bus_message_close_container(raw)
        guard closed >= 0 else { throw .callFailed(step: "to close a container", code: -closed) }
    }

    // MARK: reading

    /// The message as a value; nil for a method call, which nobody has a reason to send us.
    func read() -> BusMessage? {
        var type: UInt8 = 0
        guard sd_bus_message_get_type(raw, &type) >= 0 else { return nil }
        var cookie: UInt64 = 0
        sd_bus_message_get_reply_cookie(raw, &cookie)  // stays 0, which is nobody's, for a signal
        let kind: BusMessage.Kind
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
        return BusMessage(kind: kind, sender: text(sd_bus_message_get_sender(raw)), body: readBody())
    }

    private func readBody() -> [BusValue] {
        var body: [BusValue] = []
        while let value = readValue() { body.append(value) }
        return body
    }

    /// The next value, or nil at the end or before a type that we do not know.
    private func readValue() -> BusValue? {
        var type: CChar = 0
        var contents: UnsafePointer<CChar>?
        guard sd_bus_message_peek_type(raw, &type, &contents) > 0 else { return nil }
        switch type {
        case letter("s"): return readString().map(BusValue.string)
        case letter("u"):
            var number: UInt32 = 0
            return sd_bus_message_read_basic(raw, type, &number) > 0 ? .uint32(number) : nil
        case letter("a"): return text(contents) == "s" ? readStrings() : nil
        default: return nil
        }
    }

    private func readString() -> String? {
        var pointer: UnsafePointer<CChar>?
        guard sd_bus_message_read_basic(raw, letter("s"), &pointer) > 0 else { return nil }
        return text(pointer)
    }

    private func readStrings() -> BusValue? {
        guard sd_bus_message_enter_container(raw, letter("a"), "s") > 0 else { return nil }
        var texts: [String] = []
        while let text = readString() { texts.append(text) }
        return sd_bus_message_exit_container(raw) >= 0 ? .strings(texts) : nil
    }
}

extension BusValue {
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
        }
    }
}

/// D-Bus type codes are ASCII letters, so the conversion always fits.
private func letter(_ scalar: Unicode.Scalar) -> CChar { CChar(truncatingIfNeeded: scalar.value) }

private func text(_ pointer: UnsafePointer<CChar>?) -> String { pointer.map { String(cString: $0) } ?? "" }
