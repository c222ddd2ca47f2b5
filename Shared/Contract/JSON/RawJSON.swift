/// The bytes of one valid JSON value, read and written verbatim. For data that is passed on without decoding.
package struct RawJSON: FieldValue, Equatable {
    /// Exactly one valid value, without white space around it.
    package private(set) var bytes: [UInt8]

    /// `null`.
    package init() { bytes = Array("null".utf8) }

    /// Validates that `bytes` are one value, and stores it without the white space around it.
    package init(bytes: [UInt8]) throws(JSONError) { self = try Self.decode(bytes) }

    private init(valid bytes: [UInt8]) { self.bytes = bytes }

    /// The encoding of `value`.
    package init(encoding value: some FieldValue) { self.init(valid: value.encoded()) }

    /// Decodes the value as a type.
    package func decoded<T: FieldValue>(as type: T.Type = T.self) throws(JSONError) -> T {
        try T.decode(bytes)
    }

    package static func read(_ reader: inout JSONReader) throws(JSONError) -> RawJSON {
        RawJSON(valid: Array(reader.bytes[try reader.skipValue()]))
    }

    package func write(_ writer: inout JSONWriter) { writer.raw(bytes) }

    /// Allows any value.
    package static func schema(_ builder: inout SchemaBuilder) -> JSONValue { [:] }
}
