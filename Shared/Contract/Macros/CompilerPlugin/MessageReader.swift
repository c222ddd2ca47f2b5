/// A value in the compiler's messages. (The module `JSON` cannot be used here, because it is built with these
/// macros.)
indirect enum MessageValue {
    case object([String: MessageValue])
    case array([MessageValue])
    case text(String)
    case number(Int)
    case other

    subscript(_ key: String) -> MessageValue? {
        if case .object(let members) = self { members[key] } else { nil }
    }
    var text: String? { if case .text(let text) = self { text } else { nil } }
    var number: Int? { if case .number(let number) = self { number } else { nil } }
}

/// Decodes messages of the compiler, which are always well formed; nil for anything else.
struct MessageReader {
    private let bytes: [UInt8]
    private var place = 0

    static func read(_ bytes: [UInt8]) -> MessageValue? {
        var reader = MessageReader(bytes: bytes)
        return reader.value()
    }

    private init(bytes: [UInt8]) { self.bytes = bytes }

    private mutating func next() -> UInt8? {
        while place < bytes.count, bytes[place] <= 0x20 { place += 1 }
        return place < bytes.count ? bytes[place] : nil
    }

    private mutating func take(_ byte: Character) -> Bool {
        guard next() == byte.asciiValue else { return false }
        place += 1
        return true
    }

    private mutating func value() -> MessageValue? {
        switch next() {
        case UInt8(ascii: "{"): object()
        case UInt8(ascii: "["): array()
        case UInt8(ascii: "\""): string().map { .text($0) }
        default: word()
        }
    }

    private mutating func object() -> MessageValue? {
        var members: [String: MessageValue] = [:]
        guard take("{") else { return nil }
        if take("}") { return .object(members) }
        repeat {
            guard next() == UInt8(ascii: "\""), let key = string(), take(":"), let value = value() else {
                return nil
            }
            members[key] = value
        } while take(",")
        return take("}") ? .object(members) : nil
    }

    private mutating func array() -> MessageValue? {
        var values: [MessageValue] = []
        guard take("[") else { return nil }
        if take("]") { return .array(values) }
        repeat {
            guard let value = value() else { return nil }
            values.append(value)
        } while take(",")
        return take("]") ? .array(values) : nil
    }

    private mutating func word() -> MessageValue? {
        let start = place
        while place < bytes.count, !",]}".utf8.contains(bytes[place]), bytes[place] > 0x20 { place += 1 }
        let word = String(decoding: bytes[start..<place], as: UTF8.self)
        if let number = Int(word) { return .number(number) }
        return word.isEmpty ? nil : .other
    }

    private mutating func string() -> String? {
        guard take("\"") else { return nil }
        var units: [UInt16] = []
        var run = place
        func text(_ range: Range<Int>) -> [UInt16] {
            Array(String(decoding: bytes[range], as: UTF8.self).utf16)
        }
        while place < bytes.count {
            let byte = bytes[place]
            guard byte == UInt8(ascii: "\"") || byte == UInt8(ascii: "\\") else {
                place += 1
                continue
            }
            units += text(run..<place)
            place += 1
            if byte == UInt8(ascii: "\"") { return String(decoding: units, as: UTF16.self) }
            guard let unit = escape() else { return nil }
            units.append(unit)
            run = place
        }
        return nil
    }

    private mutating func escape() -> UInt16? {
        guard place < bytes.count else { return nil }
        defer { place += 1 }
        switch bytes[place] {
        case UInt8(ascii: "n"): return 10
        case UInt8(ascii: "t"): return 9
        case UInt8(ascii: "r"): return 13
        case UInt8(ascii: "b"): return 8
        case UInt8(ascii: "f"): return 12
        case UInt8(ascii: "u"):
            guard place + 4 < bytes.count else { return nil }
            let digits = String(decoding: bytes[place + 1...place + 4], as: UTF8.self)
            place += 4
            return UInt16(digits, radix: 16)
        case let byte: return UInt16(byte)
        }
    }
}
