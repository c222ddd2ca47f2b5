public import Units

extension String: FieldValue {
    /// A JSON string.
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
    /// `true` or `false`; numbers are refused.
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
    /// Cannot trap: `Int` has 64 bits.
    @usableFromInline package init(integer: Int64) { self = Int(integer) }
    @usableFromInline package var integer: Int64 { Int64(self) }
}

/// On the wire the field's name ends in `_ms`; its property's name does not.
extension Milliseconds: IntegerValue {
    /// The number is milliseconds.
    @usableFromInline package init(integer: Int64) { self.init(integer) }
    @usableFromInline package var integer: Int64 { count }
}

/// As `Milliseconds`: the field's name on the wire ends in `_ms`.
extension Instant: IntegerValue {
    /// The number is UTC milliseconds since 1970.
    @usableFromInline package init(integer: Int64) { self.init(Milliseconds(integer)) }
    @usableFromInline package var integer: Int64 { sinceEpoch.count }
}

extension UInt64: FieldValue {
    @usableFromInline package static var isFreeText: Bool { false }
    /// An integer up to 2^64 - 1, which not every JSON reader represents exactly.
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
    /// Any JSON number; an integer is accepted, too.
    @usableFromInline package static func read(_ reader: inout JSONReader) throws(JSONError) -> Double {
        try reader.number()
    }
    @usableFromInline package func write(_ writer: inout JSONWriter) { writer.number(self) }
    @usableFromInline package static func schema(_ builder: inout SchemaBuilder) -> JSONValue {
        ["type": "number"]
    }
}

extension Array: FieldValue where Element: FieldValue {
    /// A JSON array. Errors have the element's index in their path.
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

    /// True for arrays of text.
    @usableFromInline package static var isFreeText: Bool { Element.isFreeText }

    /// Visits the fields of records in the elements.
    @usableFromInline
    package mutating func visitFields<V: FieldVisitor>(_ visitor: inout V) throws(JSONError) {
        for index in indices {
            do { try self[index].visitFields(&visitor) } catch { throw error.inside(index) }
        }
    }
}

/// Keys are written sorted, so that equal values have equal bytes. Two keys that are equal as Swift strings
/// (by Unicode equivalence) are refused as duplicates, because one would be lost.
extension Dictionary: FieldValue where Key == String, Value: FieldValue {
    /// A JSON object. Errors have the member's key in their path.
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
