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

/// Within ``JSONLimits/integers``; a field that takes other values says which.
extension Int64: FieldValue {
    @usableFromInline package static var isFreeText: Bool { false }
    @usableFromInline package static func read(_ reader: inout JSONReader) throws(JSONError) -> Int64 {
        try reader.integer(in: JSONLimits.integers)
    }
    @usableFromInline package func write(_ writer: inout JSONWriter) { writer.integer(self) }
    @usableFromInline
    package static func schema(_ builder: inout SchemaBuilder) -> JSONValue {
        schema(of: JSONLimits.integers)
    }

    static func schema(of range: ClosedRange<Int64>) -> JSONValue {
        [
            "type": "integer", "format": "int64", "minimum": .integer(range.lowerBound),
            "maximum": .integer(range.upperBound),
        ]
    }
}

/// As `Int64`: every platform served has 64 bits.
extension Int: FieldValue {
    @usableFromInline package static var isFreeText: Bool { false }
    @usableFromInline package static func read(_ reader: inout JSONReader) throws(JSONError) -> Int {
        Int(try reader.integer(in: JSONLimits.integers))
    }
    @usableFromInline package func write(_ writer: inout JSONWriter) { writer.integer(Int64(self)) }
    @usableFromInline package static func schema(_ builder: inout SchemaBuilder) -> JSONValue {
        Int64.schema(&builder)
    }
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
