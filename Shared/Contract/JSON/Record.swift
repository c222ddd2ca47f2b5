/// A message, or a part of one: an object of JSON with named fields. The type lists its fields once, in
/// `fields`; reading, writing and the schema follow from that.
///
/// Reading ignores unknown fields (but checks them), in any order; `decodeStrictly` refuses them. Writing
/// keeps the order of `fields`.
@usableFromInline
package protocol Record: FieldValue, Equatable {
    /// A value with any content; `fields` fills it.
    init()
    /// The name of the definition in a schema, unique among all messages. Default: the type's name.
    static var title: String { get }
    /// Calls `visitor.field` for each field, always the same in the same order, and throws only what it
    /// throws.
    mutating func fields<V: FieldVisitor>(_ visitor: inout V) throws(JSONError)
}

/// Walks the fields of a record, to read, to write or to describe them.
@usableFromInline
package protocol FieldVisitor {
    /// A field that has to be there. `name`: snake_case, no escapes. `doc`: for the schema; a sentence.
    mutating func field<T: FieldValue>(_ name: StaticString, _ value: inout T, _ doc: StaticString)
        throws(JSONError)
    /// A field that may be absent or null, both nil; nil is not written.
    mutating func field<T: FieldValue>(_ name: StaticString, _ value: inout T?, _ doc: StaticString)
        throws(JSONError)
    /// The same, for text; `mark`: what it may tell a program. Visitors that do not judge that see a field.
    mutating func field<T: FieldValue>(
        _ name: StaticString, _ value: inout T, _ doc: StaticString, _ mark: FieldMark
    ) throws(JSONError)
    mutating func field<T: FieldValue>(
        _ name: StaticString, _ value: inout T?, _ doc: StaticString, _ mark: FieldMark
    ) throws(JSONError)
    /// An integer that has to be there, and has a range of its own.
    mutating func field<T: IntegerValue>(
        _ name: StaticString, _ value: inout T, in range: ClosedRange<Int64>, _ doc: StaticString
    ) throws(JSONError)
    /// An integer that may be absent or null, and has a range of its own.
    mutating func field<T: IntegerValue>(
        _ name: StaticString, _ value: inout T?, in range: ClosedRange<Int64>, _ doc: StaticString
    ) throws(JSONError)
}

// Visitors that neither read nor describe see a field.
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
    package static var title: String { String(describing: Self.self) }

    @usableFromInline
    package static func schema(_ builder: inout SchemaBuilder) -> JSONValue { builder.record(Self.self) }

    /// Its fields have their own marks.
    @usableFromInline package static var isFreeText: Bool { false }

    @usableFromInline
    package mutating func visitFields<V: FieldVisitor>(_ visitor: inout V) throws(JSONError) {
        try fields(&visitor)
    }

    /// First in the order of `fields`, reading each value in place. When the document has another order or
    /// more fields, what was read is kept and the rest is looked up by name; so no value is read twice, and
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
    @inlinable
    package mutating func field<T: FieldValue>(_ name: StaticString, _ value: inout T, _ doc: StaticString) {
        key(name)
        value.write(&self)
    }

    @inlinable
    package mutating func field<T: FieldValue>(_ name: StaticString, _ value: inout T?, _ doc: StaticString) {
        guard let value else { return }
        key(name)
        value.write(&self)
    }
}
