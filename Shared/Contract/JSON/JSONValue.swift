/// Any JSON value, for content without a type of its own: schemas, documents, tests.
///
/// The spelling distinguishes integers from other numbers: `1` is `.integer`, `1.0` and `1e0` are `.number`.
/// An integer beyond 64 bits is refused. Values built by a program must have bounded nesting; values that are
/// read have.
@usableFromInline
package enum JSONValue: FieldValue {
    case null
    case bool(Bool)
    case integer(Int64)
    case number(Double)
    case string(String)
    case array([JSONValue])
    /// Members in the order of the document. Values that were read have no duplicate keys.
    case object([(key: String, value: JSONValue)])

    @usableFromInline
    package static func read(_ reader: inout JSONReader) throws(JSONError) -> JSONValue {
        switch try reader.peek() {
        case .null:
            try reader.word("null")
            return .null
        case .boolean: return .bool(try reader.boolean())
        case .number: return try reader.isInteger() ? .integer(reader.integer()) : .number(reader.number())
        case .string: return .string(try reader.string())
        case .array: return .array(try [JSONValue].read(&reader))
        case .object: return try readObject(&reader)
        }
    }

    private static func readObject(_ reader: inout JSONReader) throws(JSONError) -> JSONValue {
        var members: [(key: String, value: JSONValue)] = []
        var keys = KeySet()
        try reader.beginObject()
        while let text = try reader.nextKeyText() {
            try keys.insert(JSON.Key(reader, text), at: text.range.lowerBound)
            let key = reader.text(text)
            do { members.append((key, try read(&reader))) } catch { throw error.inside(key) }
        }
        return .object(members)
    }

    @usableFromInline
    package func write(_ writer: inout JSONWriter) {
        switch self {
        case .null: writer.null()
        case .bool(let value): writer.boolean(value)
        case .integer(let value): writer.integer(value)
        case .number(let value): writer.number(value)
        case .string(let value): writer.string(value)
        case .array(let values): values.write(&writer)
        case .object(let members):
            writer.beginObject()
            for (key, value) in members {
                writer.key(key)
                value.write(&writer)
            }
            writer.endObject()
        }
    }

    /// Allows any value.
    @usableFromInline
    package static func schema(_ builder: inout SchemaBuilder) -> JSONValue { [:] }
}

// MARK: - Looking inside

extension JSONValue {
    /// Nesting of arrays and objects: 0 for other values, 2 for `[[1]]`.
    package var depth: Int {
        switch self {
        case .array(let values): 1 + (values.map(\.depth).max() ?? 0)
        case .object(let members): 1 + (members.map(\.value.depth).max() ?? 0)
        default: 0
        }
    }

    /// The member of an object; nil if it is absent, or this is no object.
    package subscript(key: String) -> JSONValue? {
        guard case .object(let members) = self else { return nil }
        return members.first { $0.key == key }?.value
    }

    /// The element of an array; nil if there is none, or this is no array.
    package subscript(index: Int) -> JSONValue? {
        guard case .array(let values) = self, values.indices.contains(index) else { return nil }
        return values[index]
    }

    /// Whether this is `null`.
    package var isNull: Bool { if case .null = self { true } else { false } }
    /// The boolean; nil for any other kind of value.
    package var boolValue: Bool? { if case .bool(let value) = self { value } else { nil } }
    /// The integer; nil for any other kind of value, also for `1.0`.
    package var integerValue: Int64? { if case .integer(let value) = self { value } else { nil } }
    /// The string; nil for any other kind of value.
    package var stringValue: String? { if case .string(let value) = self { value } else { nil } }
    /// The elements; nil for any other kind of value.
    package var arrayValue: [JSONValue]? { if case .array(let values) = self { values } else { nil } }
    /// The members; nil for any other kind of value.
    package var objectValue: [(key: String, value: JSONValue)]? {
        if case .object(let members) = self { members } else { nil }
    }

    /// The number in either spelling; nil for any other kind of value.
    package var numberValue: Double? {
        switch self {
        case .integer(let value): Double(value)
        case .number(let value): value
        default: nil
        }
    }
}

// MARK: - Equality and literals

extension JSONValue: Equatable {
    /// Objects are equal regardless of the order of their members (RFC 8259 part 4). `1` and `1.0` are not
    /// equal.
    @usableFromInline
    package static func == (left: JSONValue, right: JSONValue) -> Bool {
        switch (left, right) {
        case (.null, .null): return true
        case (.bool(let some), .bool(let other)): return some == other
        case (.integer(let some), .integer(let other)): return some == other
        case (.number(let some), .number(let other)): return some == other
        case (.string(let some), .string(let other)): return some == other
        case (.array(let some), .array(let other)): return some == other
        case (.object(let some), .object(let other)):
            guard some.count == other.count else { return false }
            let pairs = zip(some.sorted { $0.key < $1.key }, other.sorted { $0.key < $1.key })
            return pairs.allSatisfy { $0.key == $1.key && $0.value == $1.value }
        default: return false
        }
    }
}

extension JSONValue: ExpressibleByStringLiteral, ExpressibleByIntegerLiteral, ExpressibleByFloatLiteral,
    ExpressibleByBooleanLiteral, ExpressibleByNilLiteral, ExpressibleByArrayLiteral,
    ExpressibleByDictionaryLiteral
{
    /// `"a"` is `.string`.
    @usableFromInline
    package init(stringLiteral value: String) { self = .string(value) }
    /// `1` is `.integer`.
    @usableFromInline
    package init(integerLiteral value: Int64) { self = .integer(value) }
    /// `1.0` is `.number`.
    @usableFromInline
    package init(floatLiteral value: Double) { self = .number(value) }
    /// `true` is `.bool`.
    @usableFromInline
    package init(booleanLiteral value: Bool) { self = .bool(value) }
    /// `nil` is `.null`.
    @usableFromInline
    package init(nilLiteral: ()) { self = .null }
    /// `[…]` is `.array`.
    @usableFromInline
    package init(arrayLiteral elements: JSONValue...) { self = .array(elements) }
    /// `[key: value]` is `.object`, in this order; the keys must differ.
    @usableFromInline
    package init(dictionaryLiteral elements: (String, JSONValue)...) {
        self = .object(elements.map { (key: $0.0, value: $0.1) })
    }
}
