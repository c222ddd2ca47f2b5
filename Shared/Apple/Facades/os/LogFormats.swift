import Glibc

/// How a whole number is formatted.
public struct OSLogIntegerFormatting: Sendable {
    let radix: Int
    var hasPlus = false
    var prefix = ""
    var isUppercase = false
    var minDigits = 0

    /// Decimal digits.
    public static var decimal: OSLogIntegerFormatting { OSLogIntegerFormatting(radix: 10) }
    /// Decimal digits, optionally with a plus sign.
    public static func decimal(explicitPositiveSign: Bool = false) -> OSLogIntegerFormatting {
        OSLogIntegerFormatting(radix: 10, hasPlus: explicitPositiveSign)
    }
    /// Decimal digits, padded with zeros to at least `minDigits`.
    public static func decimal(
        explicitPositiveSign: Bool = false, minDigits: @autoclosure () -> Int
    ) -> OSLogIntegerFormatting {
        OSLogIntegerFormatting(radix: 10, hasPlus: explicitPositiveSign, minDigits: minDigits())
    }
    /// Hexadecimal digits in lower case without a prefix.
    public static var hex: OSLogIntegerFormatting { OSLogIntegerFormatting(radix: 16) }
    /// Hexadecimal digits. - Parameter includePrefix: adds `0x`.
    public static func hex(
        explicitPositiveSign: Bool = false, includePrefix: Bool = false, uppercase: Bool = false
    ) -> OSLogIntegerFormatting {
        OSLogIntegerFormatting(
            radix: 16, hasPlus: explicitPositiveSign, prefix: includePrefix ? "0x" : "",
            isUppercase: uppercase)
    }
    /// Octal digits without a prefix.
    public static var octal: OSLogIntegerFormatting { OSLogIntegerFormatting(radix: 8) }

    func text<T: FixedWidthInteger>(of number: T) -> String {
        let digits = String(number.magnitude, radix: radix, uppercase: isUppercase)
        let zeros = String(repeating: "0", count: max(0, minDigits - digits.count))
        return (number < 0 ? "-" : hasPlus ? "+" : "") + prefix + zeros + digits
    }
}

/// How a number with a fraction is formatted.
public struct OSLogFloatFormatting: Sendable {
    /// The conversion character of printf.
    let conversion: String
    var precision = 6
    var hasPlus = false

    /// Six digits after the decimal point.
    public static var fixed: OSLogFloatFormatting { OSLogFloatFormatting(conversion: "f") }
    /// - Parameter precision: digits after the decimal point, 0 to 64.
    public static func fixed(
        precision: @autoclosure () -> Int, explicitPositiveSign: Bool = false
    ) -> OSLogFloatFormatting {
        OSLogFloatFormatting(conversion: "f", precision: precision(), hasPlus: explicitPositiveSign)
    }
    /// One digit before the decimal point, six after it, and an exponent.
    public static var exponential: OSLogFloatFormatting { OSLogFloatFormatting(conversion: "e") }
    /// - Parameter precision: digits after the decimal point, 0 to 64.
    public static func exponential(
        precision: @autoclosure () -> Int, explicitPositiveSign: Bool = false
    ) -> OSLogFloatFormatting {
        OSLogFloatFormatting(conversion: "e", precision: precision(), hasPlus: explicitPositiveSign)
    }
    /// Fixed or exponential, whichever is shorter.
    public static var hybrid: OSLogFloatFormatting { OSLogFloatFormatting(conversion: "g") }
    /// - Parameter precision: significant digits, 0 to 64.
    public static func hybrid(
        precision: @autoclosure () -> Int, explicitPositiveSign: Bool = false
    ) -> OSLogFloatFormatting {
        OSLogFloatFormatting(conversion: "g", precision: precision(), hasPlus: explicitPositiveSign)
    }

    func text(of number: Double) -> String {
        // At most 309 digits before the decimal point and 64 after it.
        var bytes = [CChar](repeating: 0, count: 400)
        let format = "%" + (hasPlus ? "+" : "") + ".\(min(max(precision, 0), 64))" + conversion
        _ = withVaList([number]) { vsnprintf(&bytes, bytes.count, format, $0) }
        return bytes.withUnsafeBufferPointer { bytes in
            String(decoding: bytes.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }, as: UTF8.self)
        }
    }
}

/// How a truth value is formatted.
public enum OSLogBoolFormat: Sendable {
    /// `true` or `false`.
    case truth
    /// `YES` or `NO`.
    case answer
}
