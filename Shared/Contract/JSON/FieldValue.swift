/// A Swift value that a field of a message can hold: it reads itself, writes itself, and says its JSON
/// Schema.
@usableFromInline
package protocol FieldValue: Sendable {
    /// Takes the next value from `reader`.
    static func read(_ reader: inout JSONReader) throws(JSONError) -> Self
    func write(_ writer: inout JSONWriter)
    /// The schema of all values; types with a title add themselves to `builder` and return a `$ref`.
    static func schema(_ builder: inout SchemaBuilder) -> JSONValue
    /// Whether values can have text that the contract does not list; a field of such a type needs a mark
    /// where programs see it (``FieldMark``). Default true.
    static var isFreeText: Bool { get }
    /// Shows `visitor` the fields of the records inside. Default: there are none.
    mutating func visitFields<V: FieldVisitor>(_ visitor: inout V) throws(JSONError)
}

extension FieldValue {
    @usableFromInline package static var isFreeText: Bool { true }
    @usableFromInline
    package mutating func visitFields<V: FieldVisitor>(_ visitor: inout V) throws(JSONError) {}
}

/// One whole number on the wire, within ``JSONLimits/integers`` unless the field says another range.
@usableFromInline
package protocol IntegerValue: FieldValue {
    init(integer: Int64)
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

// Not inlinable on purpose: these call `read` and `write` through the conformance, whose code was specialised
// in the module of the type. Inlined elsewhere they would specialise `Record.read` there, around an
// unspecialised `fields`.
extension FieldValue {
    /// The value as one JSON document, without white space.
    package func encoded() -> [UInt8] {
        var writer = JSONWriter()
        write(&writer)
        return writer.finish()
    }

    /// Reads one document, all of it: only white space may follow.
    package static func decode(_ bytes: [UInt8]) throws(JSONError) -> Self {
        try bytes.withUnsafeBufferPointer { buffer throws(JSONError) in try decode(buffer) }
    }

    package static func decode(_ bytes: UnsafeRawBufferPointer) throws(JSONError) -> Self {
        try bytes.withMemoryRebound(to: UInt8.self) { buffer throws(JSONError) in try decode(buffer) }
    }

    /// As `decode`, and refuses members that no field reads, at any depth: what a request says must not be
    /// passed over, because a misspelt parameter would mean "all".
    package static func decodeStrictly(_ bytes: [UInt8]) throws(JSONError) -> Self {
        try bytes.withUnsafeBufferPointer { buffer throws(JSONError) in
            try decode(buffer, refusingUnknownFields: true)
        }
    }

    package static func decodeStrictly(_ bytes: UnsafeRawBufferPointer) throws(JSONError) -> Self {
        try bytes.withMemoryRebound(to: UInt8.self) { buffer throws(JSONError) in
            try decode(buffer, refusingUnknownFields: true)
        }
    }

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
