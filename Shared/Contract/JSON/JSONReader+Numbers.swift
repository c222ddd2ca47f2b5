extension JSONReader {
    /// Reads an integer without fraction or exponent. `-0` is 0.
    @usableFromInline
    package mutating func integer() throws(JSONError) -> Int64 {
        let start = try startOfNumber("an integer")
        let (magnitude, negative) = try wholeNumber()
        if !negative, let value = Int64(exactly: magnitude) { return value }
        if negative, magnitude <= Int64.min.magnitude { return 0 &- Int64(truncatingIfNeeded: magnitude) }
        throw JSONError(.numberOutOfRange, at: start, "an integer beyond 64 bits")
    }

    /// Reads an integer within `range`.
    @usableFromInline
    package mutating func integer(in range: ClosedRange<Int64>) throws(JSONError) -> Int64 {
        if let (value, end) = plainInteger(), range.contains(value) {
            position = end
            return value
        }
        let start = try startOfNumber("an integer")
        let value = try integer()
        guard range.contains(value) else {
            throw JSONError(
                .numberOutOfRange, at: start,
                "an integer that is not between \(range.lowerBound) and \(range.upperBound)")
        }
        return value
    }

    /// The integer at `position` and its end, if it has at most 18 digits and no white space before it.
    @inline(__always)
    private func plainInteger() -> (value: Int64, end: Int)? {
        let isNegative = position < bytes.count && bytes[position] == ASCII.minus
        let first = isNegative ? position &+ 1 : position
        var value: Int64 = 0
        let end = endOfDigits(from: first) { value = value &* 10 &+ Int64($0) }
        let count = end &- first
        guard count >= 1, count <= 18, count == 1 || bytes[first] != ASCII.zero,
            end == bytes.count || !Self.continuesNumber(bytes[end])
        else { return nil }
        return (isNegative ? 0 &- value : value, end)
    }

    /// The index of the first byte at or after `start` that is no digit.
    @inline(__always)
    private func endOfDigits(from start: Int, _ digit: (UInt8) -> Void = { _ in }) -> Int {
        var index = start
        while index < bytes.count {
            let value = bytes[index] &- ASCII.zero
            guard value < 10 else { break }
            digit(value)
            index &+= 1
        }
        return index
    }

    /// Consumes the number at `position`, as ``scanNumber()``.
    @inline(__always)
    mutating func skipNumber() throws(JSONError) {
        let first = bytes[position] == ASCII.minus ? position &+ 1 : position
        let end = endOfDigits(from: first)
        guard end > first, end == first &+ 1 || bytes[first] != ASCII.zero,
            end == bytes.count || !Self.continuesNumber(bytes[end])
        else {
            _ = try scanNumber()
            return
        }
        position = end
    }

    /// Reads an integer from 0 to 2^64 - 1.
    package mutating func unsigned() throws(JSONError) -> UInt64 {
        let start = try startOfNumber("an integer")
        let (magnitude, negative) = try wholeNumber()
        guard !negative || magnitude == 0 else {
            throw JSONError(.numberOutOfRange, at: start, "an integer below 0")
        }
        return magnitude
    }

    /// Reads a number as the nearest `Double`. A number beyond its range is an error; one too small for it is
    /// 0.
    @usableFromInline
    package mutating func number() throws(JSONError) -> Double {
        let start = try startOfNumber("a number")
        let parts = try scanNumber()
        // Both operands are exact up to 2^53 and 10^22, so the one rounding left is the right one
        // (Clinger 1990).
        if parts.mantissa <= 1 << 53, parts.exponent.magnitude <= 22 {
            let power = Self.powersOfTen[Int(parts.exponent.magnitude)]
            let value = parts.exponent < 0 ? Double(parts.mantissa) / power : Double(parts.mantissa) * power
            return parts.isNegative ? -value : value
        }
        let text = String(decoding: UnsafeBufferPointer(rebasing: bytes[start..<position]), as: UTF8.self)
        guard let value = Double(text), value.isFinite else {
            throw JSONError(.numberOutOfRange, at: start, "a number beyond the range of Double")
        }
        return value
    }

    /// Whether the next value is a number written as an integer. Does not consume it.
    func isInteger() throws(JSONError) -> Bool {
        var ahead = self
        _ = try ahead.startOfNumber("a number")
        return try ahead.scanNumber().isInteger
    }

    private mutating func startOfNumber(_ expected: StaticString) throws(JSONError) -> Int {
        guard let byte = next(), byte == ASCII.minus || Self.isDigit(byte) else { throw unexpected(expected) }
        return position
    }

    /// Consumes sign and digits of the integer at `position`.
    private mutating func wholeNumber() throws(JSONError) -> (magnitude: UInt64, negative: Bool) {
        let start = position
        let negative = bytes[position] == ASCII.minus
        let first = negative ? start + 1 : start
        var index = first
        var magnitude: UInt64 = 0
        var overflow = false
        while index < bytes.count, Self.isDigit(bytes[index]) {
            let (product, tooMuch) = magnitude.multipliedReportingOverflow(by: 10)
            let (sum, oneTooMuch) = product.addingReportingOverflow(UInt64(bytes[index] - ASCII.zero))
            magnitude = sum
            overflow = overflow || tooMuch || oneTooMuch
            index += 1
        }
        let isPlain = index > first && (bytes[first] != ASCII.zero || index == first + 1)
        if !isPlain || index < bytes.count && Self.continuesNumber(bytes[index]) {
            guard try scanNumber().isInteger else {
                throw JSONError(
                    .notAnInteger, at: start, "a fraction or exponent where an integer is expected")
            }
        }
        if overflow { throw JSONError(.numberOutOfRange, at: start, "an integer beyond 64 bits") }
        position = index
        return (magnitude, negative)
    }

    /// Consumes the number at `position`, by the grammar of RFC 8259 part 6.
    mutating func scanNumber() throws(JSONError) -> NumberParts {
        let start = position
        var parts = NumberParts()
        var index = position
        if bytes[index] == ASCII.minus {
            parts.isNegative = true
            index += 1
        }
        let leading = index
        index = try digits(from: index, &parts)
        if bytes[leading] == ASCII.zero, index > leading + 1 {
            throw JSONError(.invalidNumber, at: start, "a number with a leading zero")
        }
        if index < bytes.count, bytes[index] == ASCII.dot {
            parts.isInteger = false
            let first = index + 1
            index = try digits(from: first, &parts)
            parts.exponent = first - index
        }
        if index < bytes.count, bytes[index] | 0x20 == UInt8(ascii: "e") {
            parts.isInteger = false
            index += 1
            let sign = index < bytes.count ? bytes[index] : 0
            if sign == ASCII.minus || sign == ASCII.plus { index += 1 }
            var power = NumberParts()
            index = try digits(from: index, &power)
            // Bounded so that it cannot overflow; the bound is larger than the digits of any document could
            // compensate.
            parts.exponent += (sign == ASCII.minus ? -1 : 1) * Int(min(power.mantissa, 1 << 40))
        }
        position = index
        return parts
    }

    /// Consumes one or more digits.
    private func digits(from start: Int, _ parts: inout NumberParts) throws(JSONError) -> Int {
        var index = start
        while index < bytes.count, Self.isDigit(bytes[index]) {
            parts.add(bytes[index] - ASCII.zero)
            index += 1
        }
        guard index > start else { throw JSONError(.invalidNumber, at: start, "a number lacks a digit") }
        return index
    }

    @inline(__always)
    private static func isDigit(_ byte: UInt8) -> Bool { byte &- ASCII.zero < 10 }

    private static func continuesNumber(_ byte: UInt8) -> Bool {
        byte == ASCII.dot || byte | 0x20 == UInt8(ascii: "e")
    }

    private static let powersOfTen: [Double] = [
        1e0, 1e1, 1e2, 1e3, 1e4, 1e5, 1e6, 1e7, 1e8, 1e9, 1e10, 1e11,
        1e12, 1e13, 1e14, 1e15, 1e16, 1e17, 1e18, 1e19, 1e20, 1e21, 1e22,
    ]
}

/// The parts of a number: mantissa times ten to the exponent. They are exact while the mantissa is at most
/// 2^53 and the exponent between -22 and 22. Beyond that they only show that it is not: large values stay
/// large.
struct NumberParts {
    var isNegative = false
    /// No fraction and no exponent.
    var isInteger = true
    /// All digits as one integer; digits that do not fit are dropped.
    var mantissa: UInt64 = 0
    var exponent = 0

    @inline(__always)
    mutating func add(_ digit: UInt8) {
        if mantissa < UInt64.max / 10 - 1 { mantissa = mantissa * 10 + UInt64(digit) }
    }
}

extension JSONReader {
    /// Reads a string of exactly `count` decimal digits as a number, without allocating the string.
    /// - Throws: `wrongType` if it is anything else, or not within `range`.
    package mutating func digitString(
        count: Int, in range: ClosedRange<Int64>
    ) throws(JSONError) -> Int64 {
        guard next() == ASCII.quote else { throw unexpected("a string of digits") }
        let start = position
        let text = try scanString()
        var value: Int64 = 0
        var isWhole = text.range.count == count
        for index in text.range where isWhole {
            let digit = bytes[index] &- 48
            // Overflows only in the last two of twenty digits.
            guard value >= Int64.max / 100 else {
                isWhole = digit < 10
                value = value &* 10 &+ Int64(digit)
                continue
            }
            let (tens, overflow) = value.multipliedReportingOverflow(by: 10)
            let (sum, carry) = tens.addingReportingOverflow(Int64(digit))
            isWhole = digit < 10 && !overflow && !carry
            value = sum
        }
        guard isWhole, range.contains(value) else {
            throw JSONError(
                .wrongType, at: start, "expected \(count) digits, a number up to \(range.upperBound)")
        }
        return value
    }
}
