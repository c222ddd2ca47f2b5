/// An enumeration that is a string on the wire, one of a fixed list of names. Other names are refused.
@usableFromInline
package protocol NameEnum: FieldValue, RawRepresentable, CaseIterable where RawValue == String {}

extension NameEnum {
    /// False: the contract enumerates all names.
    @usableFromInline package static var isFreeText: Bool { false }

    /// Reads a name; the error for another one lists the allowed names.
    @inlinable
    package static func read(_ reader: inout JSONReader) throws(JSONError) -> Self {
        let name = try reader.string()
        if let value = Self(rawValue: name) { return value }
        let allowed = allCases.map(\.rawValue).joined(separator: ", ")
        throw JSONError(.unknownName, at: reader.position, "the name is none of: \(allowed)")
    }

    @inlinable
    package func write(_ writer: inout JSONWriter) { writer.string(rawValue) }

    @usableFromInline
    package static func schema(_ builder: inout SchemaBuilder) -> JSONValue {
        ["type": "string", "enum": .array(allCases.map { .string($0.rawValue) })]
    }
}
