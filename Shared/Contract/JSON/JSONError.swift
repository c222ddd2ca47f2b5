/// Why some bytes were refused: what was wrong, where in the bytes, and in which field.
///
/// Values of the document are never quoted: they may be private.
@usableFromInline
package struct JSONError: Error, Equatable, Sendable, CustomStringConvertible {
    /// Stable names to branch on; their spelling does not change between versions.
    @usableFromInline
    package enum Code: String, Sendable, CaseIterable {
        /// Nothing but white space.
        case emptyInput = "empty_input"
        /// The bytes begin with a byte order mark, which RFC 8259 part 8.1 forbids.
        case byteOrderMark = "byte_order_mark"
        /// The bytes end inside a value.
        case unexpectedEnd = "unexpected_end"
        /// A byte that cannot stand here.
        case unexpectedByte = "unexpected_byte"
        /// Something other than white space follows the value.
        case trailingBytes = "trailing_bytes"
        /// Nested deeper than `JSONLimits.depthMax`.
        case depthExceeded = "depth_exceeded"
        /// A string or key that is not UTF-8.
        case invalidUTF8 = "invalid_utf8"
        /// A byte below 0x20 inside a string; it has to be escaped.
        case controlCharacter = "control_character"
        /// A backslash followed by something that is no escape.
        case invalidEscape = "invalid_escape"
        /// Half of a surrogate pair, as in `"\ud800"`.
        case loneSurrogate = "lone_surrogate"
        /// Not a number by RFC 8259 part 6, as `01` or `1.`.
        case invalidNumber = "invalid_number"
        /// A number that the field's type cannot hold.
        case numberOutOfRange = "number_out_of_range"
        /// A fraction or exponent where an integer is expected; `1.0` and `1e3` count.
        case notAnInteger = "not_an_integer"
        /// An object that says the same key twice.
        case duplicateKey = "duplicate_key"
        /// A valid value of another kind than the field has.
        case wrongType = "wrong_type"
        /// A field that has to be there is not.
        case missingField = "missing_field"
        /// A member of a request that no field has.
        case unknownField = "unknown_field"
        /// A string that is none of the names allowed in this field.
        case unknownName = "unknown_name"
    }

    package let code: Code
    /// Where, in bytes from the start of the input.
    package let offset: Int
    /// The field, from the outside in, as `data.items[3].name`; empty at the top level.
    package private(set) var path: String
    /// What was expected, what was found, or which names are allowed.
    package let detail: String

    @usableFromInline
    package init(_ code: Code, at offset: Int, path: String = "", _ detail: String) {
        self.code = code
        self.offset = offset
        self.path = path
        self.detail = detail
    }

    /// A sentence for a person: what was wrong and where.
    package var message: String {
        path.isEmpty
            ? "JSON refused at byte \(offset): \(detail)"
            : "JSON refused at byte \(offset), in '\(path)': \(detail)"
    }

    @usableFromInline
    package var description: String { "\(code.rawValue): \(message)" }

    /// The same error, seen from the value around it.
    @usableFromInline @inline(never)
    package func inside(_ name: String) -> JSONError {
        var outer = self
        outer.path = path.isEmpty ? name : path.hasPrefix("[") ? name + path : name + "." + path
        return outer
    }

    @usableFromInline @inline(never)
    package func inside(_ name: StaticString) -> JSONError { inside(name.description) }

    @usableFromInline @inline(never)
    package func inside(_ index: Int) -> JSONError { inside("[\(index)]") }
}
