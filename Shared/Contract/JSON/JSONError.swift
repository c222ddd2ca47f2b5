/// Why JSON was refused: what was wrong, at which byte, and in which field.
///
/// The error never quotes values of the document, because they may be private.
@usableFromInline
package struct JSONError: Error, Equatable, Sendable, CustomStringConvertible {
    /// Stable names to branch on; their spelling never changes.
    @usableFromInline
    package enum Code: String, Sendable, CaseIterable {
        /// Nothing but white space.
        case emptyInput = "empty_input"
        /// The bytes begin with a byte order mark, which RFC 8259 part 8.1 forbids.
        case byteOrderMark = "byte_order_mark"
        /// The bytes end inside a value.
        case unexpectedEnd = "unexpected_end"
        /// A byte that the grammar does not allow here.
        case unexpectedByte = "unexpected_byte"
        /// Something other than white space follows the value.
        case trailingBytes = "trailing_bytes"
        /// Nested deeper than `JSONLimits.depthMax`.
        case depthExceeded = "depth_exceeded"
        /// A string or key that is not valid UTF-8.
        case invalidUTF8 = "invalid_utf8"
        /// An unescaped byte below 0x20 inside a string.
        case controlCharacter = "control_character"
        /// A backslash that does not begin an escape.
        case invalidEscape = "invalid_escape"
        /// Half of a surrogate pair, as in `"\ud800"`.
        case loneSurrogate = "lone_surrogate"
        /// Not a number by RFC 8259 part 6, for example `01` or `1.`.
        case invalidNumber = "invalid_number"
        /// A number that the field's type cannot hold.
        case numberOutOfRange = "number_out_of_range"
        /// A fraction or exponent where an integer is expected; also `1.0` and `1e3`.
        case notAnInteger = "not_an_integer"
        /// An object with the same key twice.
        case duplicateKey = "duplicate_key"
        /// A valid value of another kind than the field's.
        case wrongType = "wrong_type"
        /// A required field is absent.
        case missingField = "missing_field"
        /// A member of a request that is no field.
        case unknownField = "unknown_field"
        /// A string that is none of the names this field allows.
        case unknownName = "unknown_name"
    }

    /// The name to branch on.
    package let code: Code
    /// Position in bytes from the start of the input.
    package let offset: Int
    /// Path of the field from the outermost object: `data.items[3].name`. Empty at the top level.
    package private(set) var path: String
    /// What was expected and found, or which names are allowed.
    package let detail: String

    /// An error at a byte; the readers around it add to the path (``inside(_:)``).
    @usableFromInline
    package init(_ code: Code, at offset: Int, path: String = "", _ detail: String) {
        self.code = code
        self.offset = offset
        self.path = path
        self.detail = detail
    }

    /// A sentence for a person: what is wrong and where.
    package var message: String {
        path.isEmpty
            ? "JSON refused at byte \(offset): \(detail)"
            : "JSON refused at byte \(offset), in '\(path)': \(detail)"
    }

    @usableFromInline
    package var description: String { "\(code.rawValue): \(message)" }

    /// The same error with the name of the enclosing member put before its path.
    @usableFromInline @inline(never)
    package func inside(_ name: String) -> JSONError {
        var outer = self
        outer.path = path.isEmpty ? name : path.hasPrefix("[") ? name + path : name + "." + path
        return outer
    }

    @usableFromInline @inline(never)
    /// The same error with the name of the enclosing field put before its path.
    package func inside(_ name: StaticString) -> JSONError { inside(name.description) }

    @usableFromInline @inline(never)
    /// The same error with the index in the enclosing array put before its path.
    package func inside(_ index: Int) -> JSONError { inside("[\(index)]") }
}
