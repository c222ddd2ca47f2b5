public import Units

extension String: FieldValue {
    @usableFromInline package static func read(_ reader: inout JSONReader) throws(JSONError) -> String {
        try reader.string()
    }
    @usableFromInline package func write(_ writer: inout JSONWriter) { writer.string(self) }
    @usableFromInline package static func schema(_ builder: inout SchemaBuilder) -> JSONValue {
        ["type": "string"]
    }
}

extension Bool: FieldValue {
    @usableFromInline package static var isFreeText: Bool { false }
    @usableFromInline package static func read(_ reader: inout JSONReader) throws(JSONError) -> Bool {
        try reader.boolean()
    }
    @usableFromInline package func write(_ writer: inout JSONWriter) { writer.boolean(self) }
    @usableFromInline package static func schema(_ builder: inout SchemaBuilder) -> JSONValue {
        ["type": "boolean"]
    }
}

extension Int64: IntegerValue {
    @usableFromInline package init(integer: Int64) { self = integer }
    @usableFromInline package var integer: Int64 { self }

    static func schema(of range: ClosedRange<Int64>) -> JSONValue {
        [
            "type": "integer", "format": "int64", "minimum": .integer(range.lowerBound),
            "maximum": .integer(range.upperBound),
        ]
    }
}

/// As `Int64`: every platform served has 64 bits.
extension Int: IntegerValue {
    @usableFromInline package init(integer: Int64) { self = Int(integer) }
    @usableFromInline package var integer: Int64 { Int64(self) }
}

/// A field of such a type has the ending `_ms` on the wire, which its property's name has not.
extension Milliseconds: IntegerValue {
    @usableFromInline package init(integer: Int64) { self.init(integer) }
    @usableFromInline package var integer: Int64 { count }
}

/// As `Milliseconds`.
extension Instant: IntegerValue {
    @usableFromInline package init(integer: Int64) { self.init(Milliseconds(integer)) }
    @usableFromInline package var integer: Int64 { sinceEpoch.count }
}

extension UInt64: FieldValue {
    @usableFromInline package static var isFreeText: Bool { false }
    @usableFromInline package static func read(_ reader: inout JSONReader) throws(JSONError) -> UInt64 {
        try reader.unsigned()
    }
    @usableFromInline package func write(_ writer: inout JSONWriter) { writer.unsigned(self) }
    @usableFromInline
    package static func schema(_ builder: inout SchemaBuilder) -> JSONValue {
        ["type": "integer", "format": "uint64", "minimum": 0]
    }
}

extension Double: FieldValue {
    @usableFromInline package static var isFreeText: Bool { false }
    @usableFromInline package static func read(_ reader: inout JSONReader) throws(JSONError) -> Double {
        try reader.number()
    }
    @usableFromInline package func write(_ writer: inout JSONWriter) { writer.number(self) }
    @usableFromInline package static func schema(_ builder: inout SchemaBuilder) -> JSONValue {
        ["type": "number"]
    }
}

extension Array: FieldValue where Element: FieldValue {
    @inlinable
    package static func read(_ reader: inout JSONReader) throws(JSONError) -> [Element] {
        var values: [Element] = []
        try reader.beginArray()
        while try reader.nextElement() {
            do { values.append(try Element.read(&reader)) } catch { throw error.inside(values.count) }
        }
        return values
    }

    @inlinable
    package func write(_ writer: inout JSONWriter) {
        writer.beginArray()
        for value in self { value.write(&writer) }
        writer.endArray()
    }

    @usableFromInline
    package static func schema(_ builder: inout SchemaBuilder) -> JSONValue {
        ["type": "array", "items": Element.schema(&builder)]
    }

    @usableFromInline package static var isFreeText: Bool { Element.isFreeText }

    @usableFromInline
    package mutating func visitFields<V: FieldVisitor>(_ visitor: inout V) throws(JSONError) {
        for index in indices {
            do { try self[index].visitFields(&visitor) } catch { throw error.inside(index) }
        }
    }
}

/// Written with its keys sorted, so that equal values are equal bytes. Two keys that Swift holds for the same
/// string (by Unicode's equivalence) are refused as the same key: one of them would be lost.
extension Dictionary: FieldValue where Key == String, Value: FieldValue {
    @inlinable
    package static func read(_ reader: inout JSONReader) throws(JSONError) -> [String: Value] {
        var values: [String: Value] = [:]
        try reader.beginObject()
        while let key = try reader.nextKey() {
            let offset = reader.position
            let value: Value
            do { value = try Value.read(&reader) } catch { throw error.inside(key) }
            guard values.updateValue(value, forKey: key) == nil else {
                throw JSONError(.duplicateKey, at: offset, path: key, "the key is there twice")
            }
        }
        return values
    }

    @inlinable
    package func write(_ writer: inout JSONWriter) {
        writer.beginObject()
        for (key, value) in sorted(by: { $0.key < $1.key }) {
            writer.key(key)
            value.write(&writer)
        }
        writer.endObject()
    }

    @usableFromInline
    package static func schema(_ builder: inout SchemaBuilder) -> JSONValue {
        ["type": "object", "additionalProperties": Value.schema(&builder)]
    }
}
