package import Units

/// Parses instants: RFC 3339, and forms of ISO 8601 that programs write instead (a space for the T, no offset
/// for UTC, `+0200`).
package enum InstantText {
    /// UTC microseconds; further digits are truncated. Nil if it is no instant of the years 1970 to 9999.
    package static func microseconds(_ text: some StringProtocol) -> Int64? {
        var scan = Scan(bytes: Array(text.utf8))
        guard let year = scan.number(4), scan.take("-"), let month = scan.number(2), scan.take("-"),
            let day = scan.number(2), scan.take("T") || scan.take("t") || scan.take(" "),
            let hour = scan.number(2), scan.take(":"), let minute = scan.number(2)
        else { return nil }
        var second: Int64 = 0
        if scan.take(":") {
            guard let found = scan.number(2) else { return nil }
            second = found
        }
        guard let fraction_us = scan.fraction(), let offset_s = scan.offset(), scan.isAtEnd
        else { return nil }
        guard hour < 24, minute < 60, second < 60, let days = days(year, month, day) else { return nil }
        let seconds = days * 86_400 + hour * 3_600 + minute * 60 + second - offset_s
        guard (0...latestStamp.milliseconds / 1_000).contains(seconds) else { return nil }
        return seconds * 1_000_000 + fraction_us
    }

    /// The instant, rounded to the nearest millisecond.
    package static func instant(_ text: some StringProtocol) -> Instant? {
        microseconds(text).map(rounded)
    }

    /// The instant of non-negative UTC microseconds, rounded to the nearest millisecond.
    static func rounded(_ instant_us: Int64) -> Instant { Instant(milliseconds: (instant_us + 500) / 1_000) }

    /// Days since 1970-01-01; nil for a date that does not exist.
    private static func days(_ year: Int64, _ month: Int64, _ day: Int64) -> Int64? {
        guard year >= 1969, (1...12).contains(month), day >= 1 else { return nil }
        let isLeap = year % 4 == 0 && (year % 100 != 0 || year % 400 == 0)
        let lengths: [Int64] = [31, isLeap ? 29 : 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31]
        guard day <= lengths[Int(month) - 1] else { return nil }
        let past = year - 1
        let leaps = past / 4 - past / 100 + past / 400 - 477
        return (year - 1970) * 365 + leaps + lengths[..<(Int(month) - 1)].reduce(0, +) + day - 1
    }

    private struct Scan {
        let bytes: [UInt8]
        private var position = 0

        init(bytes: [UInt8]) { self.bytes = bytes }

        var isAtEnd: Bool { position == bytes.count }

        mutating func take(_ character: Unicode.Scalar) -> Bool {
            guard position < bytes.count, bytes[position] == UInt8(ascii: character) else { return false }
            position += 1
            return true
        }

        private mutating func digit() -> Int64? {
            guard position < bytes.count, (0x30...0x39).contains(bytes[position]) else { return nil }
            position += 1
            return Int64(bytes[position - 1] - 0x30)
        }

        /// Consumes exactly `count` digits.
        mutating func number(_ count: Int) -> Int64? {
            var value: Int64 = 0
            for _ in 0..<count {
                guard let digit = digit() else { return nil }
                value = value * 10 + digit
            }
            return value
        }

        /// Consumes a fraction of a second and returns microseconds; 0 if there is none.
        mutating func fraction() -> Int64? {
            guard take(".") || take(",") else { return 0 }
            guard var value = digit() else { return nil }
            var unit: Int64 = 100_000
            value *= unit
            while let digit = digit() {
                unit /= 10
                value += digit * unit
            }
            return value
        }

        /// Consumes an offset and returns seconds ahead of UTC; 0 if there is none.
        mutating func offset() -> Int64? {
            if isAtEnd || take("Z") || take("z") { return 0 }
            let isAhead = take("+")
            guard isAhead || take("-"), let hours = number(2) else { return nil }
            var minutes: Int64 = 0
            if take(":") || !isAtEnd {
                guard let found = number(2) else { return nil }
                minutes = found
            }
            guard hours < 24, minutes < 60 else { return nil }
            return (isAhead ? 1 : -1) * (hours * 3_600 + minutes * 60)
        }
    }
}
