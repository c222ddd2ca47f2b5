/// A Swift value that a field of a message can have: it decodes and encodes itself, and describes itself as
/// JSON Schema.
@usableFromInline
package protocol FieldValue: Sendable {
    /// Decodes the next value of `reader`.
    static func read(_ reader: inout JSONReader) throws(JSONError) -> Self
    /// Encodes the value as the next value of `writer`.
    func write(_ writer: inout JSONWriter)
    /// The schema of the type. Types with a title add themselves to `builder` and return a `$ref`.
    static func schema(_ builder: inout SchemaBuilder) -> JSONValue
    /// Whether values can contain text that the contract does not enumerate; a field of such a type needs a
    /// mark where programs see it (``FieldMark``). Default true.
    static var isFreeText: Bool { get }
    /// Lets `visitor` visit the fields of records inside the value. By default there are none.
    mutating func visitFields<V: FieldVisitor>(_ visitor: inout V) throws(JSONError)
}

extension FieldValue {
    /// True, so that a new type needs a mark until it declares otherwise.
    @usableFromInline package static var isFreeText: Bool { true }
    /// Visits nothing: most values contain no records.
    @usableFromInline
    package mutating func visitFields<V: FieldVisitor>(_ visitor: inout V) throws(JSONError) {}
}

/// A type that is one integer on the wire, within ``JSONLimits/integers`` unless the field sets another
/// range.
@usableFromInline
package protocol IntegerValue: FieldValue {
    /// The value of a number on the wire, which is within the field's range.
    init(integer: Int64)
    /// The number on the wire.
    var integer: Int64 { get }
}

extension IntegerValue {
    @usableFromInline package static var isFreeText: Bool { false }
    @usableFromInline package static func read(_ reader: inout JSONReader) throws(JSONError) -> Self {
        Self(integer: try reader.integer(in: JSONLimits.integers))
    }
    @usableFromInline package func write(_ writer: inout JSONWriter) { writer.integer(integer) }
    @usableFromInline
    package static func schema(_ builder: inout SchemaBuilder) -> JSONValue {
        Int64.schema(of: JSONLimits.integers)
    }
}

// Not inlinable on purpose: these call `read` and `write` through the conformance, whose code is specialised
// in the module of the type. Inlined into another module they would specialise `Record.read` there, around an
// unspecialised `fields`.
extension FieldValue {
    /// The value as one JSON document, without white space.
    package func encoded() -> [UInt8] {
        var writer = JSONWriter()
        write(&writer)
        return writer.finish()
    }

    /// Encodes the value as the next one of `writer`.
    package func encode(into writer: inout JSONWriter) { write(&writer) }

    /// Decodes the next value of `reader`.
    package static func decodeNext(_ reader: inout JSONReader) throws(JSONError) -> Self { try read(&reader) }

    /// Decodes one document; only white space may follow it.
    package static func decode(_ bytes: [UInt8]) throws(JSONError) -> Self {
        try bytes.withUnsafeBufferPointer { buffer throws(JSONError) in try decode(buffer) }
    }

    /// As `decode([UInt8])`, from borrowed bytes.
    package static func decode(_ bytes: UnsafeRawBufferPointer) throws(JSONError) -> Self {
        try bytes.withMemoryRebound(to: UInt8.self) { buffer throws(JSONError) in try decode(buffer) }
    }

    /// As `decode`, and also refuses members that no field reads, at any depth. Requests are decoded with it:
    /// ignoring a misspelt parameter would mean "all".
    package static func decodeStrictly(_ bytes: [UInt8]) throws(JSONError) -> Self {
        try bytes.withUnsafeBufferPointer { buffer throws(JSONError) in
            try decode(buffer, refusingUnknownFields: true)
        }
    }

    /// As `decodeStrictly([UInt8])`, from borrowed bytes.
    package static func decodeStrictly(_ bytes: UnsafeRawBufferPointer) throws(JSONError) -> Self {
        try bytes.withMemoryRebound(to: UInt8.self) { buffer throws(JSONError) in
            try decode(buffer, refusingUnknownFields: true)
        }
    }

    /// Decodes one document from borrowed bytes.
    /// - Parameter isStrict: refuse members that no field reads.
    package static func decode(
        _ bytes: UnsafeBufferPointer<UInt8>, refusingUnknownFields isStrict: Bool = false
    ) throws(JSONError) -> Self {
        var reader = JSONReader(bytes)
        reader.refusesUnknownFields = isStrict
        let value = try read(&reader)
        try reader.requireEnd()
        return value
    }
}
