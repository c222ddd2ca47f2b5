package import Units

/// Instants as RFC 3339 text, computed without a calendar library: the proleptic Gregorian calendar (Howard
/// Hinnant, "chrono-compatible low-level date algorithms").
package enum UTCTime {
    /// The instants RFC 3339 can represent: the years 0 to 9999.
    package static let range: ClosedRange<Instant> = -62_167_219_200_000...253_402_300_799_999

    /// For example `2026-11-20T05:13:35.120Z`, always 24 bytes; an instant outside ``range`` is clamped to
    /// it.
    package static func text(_ instant: Instant) -> String {
        let milliseconds = min(max(instant, range.lowerBound), range.upperBound).milliseconds
        let days = floorDivide(milliseconds, 86_400_000)
        var rest = milliseconds - days * 86_400_000
        let (year, month, day) = civil(days)
        return String(unsafeUninitializedCapacity: 24) { bytes in
            func put(_ value: Int64, at index: Int, digits: Int) {
                var value = value
                for offset in stride(from: digits - 1, through: 0, by: -1) {
                    bytes[index + offset] = UInt8(truncatingIfNeeded: 48 + value % 10)
                    value /= 10
                }
            }
            put(year, at: 0, digits: 4)
            bytes[4] = UInt8(ascii: "-")
            put(month, at: 5, digits: 2)
            bytes[7] = UInt8(ascii: "-")
            put(day, at: 8, digits: 2)
            bytes[10] = UInt8(ascii: "T")
            put(rest / 3_600_000, at: 11, digits: 2)
            rest %= 3_600_000
            bytes[13] = UInt8(ascii: ":")
            put(rest / 60_000, at: 14, digits: 2)
            rest %= 60_000
            bytes[16] = UInt8(ascii: ":")
            put(rest / 1_000, at: 17, digits: 2)
            bytes[19] = UInt8(ascii: ".")
            put(rest % 1_000, at: 20, digits: 3)
            bytes[23] = UInt8(ascii: "Z")
            return 24
        }
    }

    /// Year, month and day of the day that is `days` after 1970-01-01.
    package static func civil(_ days: Int64) -> (year: Int64, month: Int64, day: Int64) {
        let shifted = days + 719_468
        let era = floorDivide(shifted, 146_097)
        let dayOfEra = shifted - era * 146_097
        let yearOfEra = (dayOfEra - dayOfEra / 1460 + dayOfEra / 36_524 - dayOfEra / 146_096) / 365
        let dayOfYear = dayOfEra - (365 * yearOfEra + yearOfEra / 4 - yearOfEra / 100)
        let monthFromMarch = (5 * dayOfYear + 2) / 153
        let month = monthFromMarch < 10 ? monthFromMarch + 3 : monthFromMarch - 9
        let day = dayOfYear - (153 * monthFromMarch + 2) / 5 + 1
        return (yearOfEra + era * 400 + (month <= 2 ? 1 : 0), month, day)
    }

    private static func floorDivide(_ value: Int64, _ divisor: Int64) -> Int64 {
        value >= 0 ? value / divisor : (value - divisor + 1) / divisor
    }
}
