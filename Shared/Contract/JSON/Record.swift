/// A message or a part of one: a JSON object with named fields. The type lists its fields once, in `fields`;
/// decoding, encoding and the schema use that list. ``Record(_:)`` generates it.
///
/// Decoding accepts fields in any order, and validates and ignores unknown ones; `decodeStrictly` refuses
/// them. Encoding keeps the order of `fields`.
@usableFromInline
package protocol Record: FieldValue, Equatable {
    /// A value with arbitrary content, to be filled by `fields`.
    init()
    /// The name of the definition in a schema, unique among all messages. Default: the type's name.
    static var title: String { get }
    /// Calls `visitor.field` for each field, always in the same order, and throws only what that throws.
    mutating func fields<V: FieldVisitor>(_ visitor: inout V) throws(JSONError)
}

/// Visits the fields of a record, to decode, encode or describe them.
@usableFromInline
package protocol FieldVisitor {
    /// A required field. `name`: snake_case, without escapes. `doc`: its description in the schema, a
    /// sentence.
    mutating func field<T: FieldValue>(_ name: StaticString, _ value: inout T, _ doc: StaticString)
        throws(JSONError)
    /// An optional field. Absent and null are both nil; nil is not written.
    mutating func field<T: FieldValue>(_ name: StaticString, _ value: inout T?, _ doc: StaticString)
        throws(JSONError)
    /// A required field with text; `mark`: what it may reveal to a program. Visitors that ignore marks treat
    /// it as any field.
    mutating func field<T: FieldValue>(
        _ name: StaticString, _ value: inout T, _ doc: StaticString, _ mark: FieldMark
    ) throws(JSONError)
    mutating func field<T: FieldValue>(
        _ name: StaticString, _ value: inout T?, _ doc: StaticString, _ mark: FieldMark
    ) throws(JSONError)
    /// A required integer with a range of its own.
    mutating func field<T: IntegerValue>(
        _ name: StaticString, _ value: inout T, in range: ClosedRange<Int64>, _ doc: StaticString
    ) throws(JSONError)
    /// An optional integer with a range of its own.
    mutating func field<T: IntegerValue>(
        _ name: StaticString, _ value: inout T?, in range: ClosedRange<Int64>, _ doc: StaticString
    ) throws(JSONError)
}

// Visitors that neither decode nor describe treat these as any field.
extension FieldVisitor {
    @inlinable
    package mutating func field<T: IntegerValue>(
        _ name: StaticString, _ value: inout T, in range: ClosedRange<Int64>, _ doc: StaticString
    ) throws(JSONError) { try field(name, &value, doc) }

    @inlinable
    package mutating func field<T: IntegerValue>(
        _ name: StaticString, _ value: inout T?, in range: ClosedRange<Int64>, _ doc: StaticString
    ) throws(JSONError) { try field(name, &value, doc) }

    @inlinable
    package mutating func field<T: FieldValue>(
        _ name: StaticString, _ value: inout T, _ doc: StaticString, _ mark: FieldMark
    ) throws(JSONError) { try field(name, &value, doc) }

    @inlinable
    package mutating func field<T: FieldValue>(
        _ name: StaticString, _ value: inout T?, _ doc: StaticString, _ mark: FieldMark
    ) throws(JSONError) { try field(name, &value, doc) }
}

extension Record {
    /// The type's name without its module and enclosing types.
    package static var title: String { String(describing: Self.self) }

    @usableFromInline
    package static func schema(_ builder: inout SchemaBuilder) -> JSONValue { builder.record(Self.self) }

    /// False: its fields have marks of their own.
    @usableFromInline package static var isFreeText: Bool { false }

    /// Visits the record's own fields.
    @usableFromInline
    package mutating func visitFields<V: FieldVisitor>(_ visitor: inout V) throws(JSONError) {
        try fields(&visitor)
    }

    /// Decodes in the order of `fields` first, each value in place. If the document has another order or more
    /// fields, values decoded so far are kept and the others are found by name. No value is decoded twice, so
    /// nested records cannot multiply the work.
    @inlinable
    package static func read(_ reader: inout JSONReader) throws(JSONError) -> Self {
        var value = Self()
        let start = reader
        try reader.beginObject()
        var inOrder = InOrderFields(reader)
        try value.fields(&inOrder)
        if inOrder.finish() {
            reader = inOrder.reader
            return value
        }
        var indexed = try IndexedFields(start, taken: inOrder.taken)
        try value.fields(&indexed)
        try indexed.finish()
        reader = indexed.end
        return value
    }

    @inlinable
    package func write(_ writer: inout JSONWriter) {
        var copy = self
        writer.beginObject()
        do { try copy.fields(&writer) } catch { preconditionFailure("writing never fails: \(error)") }
        writer.endObject()
    }
}

extension JSONWriter: FieldVisitor {
    /// Writes the key and the value.
    @inlinable
    package mutating func field<T: FieldValue>(_ name: StaticString, _ value: inout T, _ doc: StaticString) {
        key(name)
        value.write(&self)
    }

    /// Writes the key and the value, or nothing for nil.
    @inlinable
    package mutating func field<T: FieldValue>(_ name: StaticString, _ value: inout T?, _ doc: StaticString) {
        guard let value else { return }
        key(name)
        value.write(&self)
    }
}
