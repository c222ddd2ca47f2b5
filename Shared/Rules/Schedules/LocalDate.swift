/// A date of the proleptic Gregorian calendar, without a zone.
package struct LocalDate: Hashable, Sendable {
    /// Days since 1970-01-01, which was a Thursday.
    package let dayNumber: Int

    /// The date `dayNumber` days after 1970-01-01.
    package init(dayNumber: Int) { self.dayNumber = dayNumber }

    /// Nil for a date that does not exist, such as 30 February.
    package init?(year: Int, month: Int, day: Int) {
        guard (1...9999).contains(year), (1...12).contains(month), (1...31).contains(day) else { return nil }
        // Computed in eras of 400 years that begin on 1 March (Howard Hinnant, "chrono-compatible date
        // algorithms").
        let shiftedYear = month > 2 ? year : year - 1
        let era = shiftedYear / 400
        let yearOfEra = shiftedYear - era * 400
        let dayOfYear = (153 * (month > 2 ? month - 3 : month + 9) + 2) / 5 + day - 1
        let dayOfEra = yearOfEra * 365 + yearOfEra / 4 - yearOfEra / 100 + dayOfYear
        dayNumber = era * 146_097 + dayOfEra - 719_468
        guard self.day == day else { return nil }
    }

    /// Parses exactly `YYYY-MM-DD`.
    package init?(_ text: some StringProtocol) {
        var numbers = [0, 0, 0]
        var place = 0
        var count = 0
        for byte in text.utf8 {
            count += 1
            if count == 5 || count == 8 {
                guard byte == UInt8(ascii: "-") else { return nil }
                place += 1
                continue
            }
            guard (0x30...0x39).contains(byte), count <= 10 else { return nil }
            numbers[place] = numbers[place] * 10 + Int(byte - 0x30)
        }
        guard count == 10 else { return nil }
        self.init(year: numbers[0], month: numbers[1], day: numbers[2])
    }

    /// Astronomical year: 0 is 1 BC.
    package var year: Int { parts.year }
    /// 1 to 12.
    package var month: Int { parts.month }
    /// 1 to 31.
    package var day: Int { parts.day }

    /// 1 (Sunday) to 7 (Saturday), as in DateComponents.
    package var weekday: Int { Int((Int64(dayNumber) + 4).flooredRemainder(7)) + 1 }

    /// The Monday of its week, which starts on Monday.
    package var monday: LocalDate { LocalDate(dayNumber: dayNumber - (weekday + 5) % 7) }

    /// The date `days` later, or earlier if negative.
    package func advanced(by days: Int) -> LocalDate { LocalDate(dayNumber: dayNumber + days) }

    var parts: (year: Int, month: Int, day: Int) {
        let shifted = dayNumber + 719_468
        let era = Int(Int64(shifted).flooredQuotient(146_097))
        let dayOfEra = shifted - era * 146_097
        let yearOfEra = (dayOfEra - dayOfEra / 1460 + dayOfEra / 36_524 - dayOfEra / 146_096) / 365
        let dayOfYear = dayOfEra - (365 * yearOfEra + yearOfEra / 4 - yearOfEra / 100)
        let shiftedMonth = (5 * dayOfYear + 2) / 153
        let month = shiftedMonth < 10 ? shiftedMonth + 3 : shiftedMonth - 9
        let day = dayOfYear - (153 * shiftedMonth + 2) / 5 + 1
        return (yearOfEra + era * 400 + (month <= 2 ? 1 : 0), month, day)
    }
}

extension LocalDate: Comparable, CustomStringConvertible {
    package static func < (left: LocalDate, right: LocalDate) -> Bool { left.dayNumber < right.dayNumber }

    /// `YYYY-MM-DD`.
    package var description: String {
        var text = DigitText()
        text.add(self)
        return text.string
    }
}

extension Int64 {
    /// Division rounded down, also for negative numbers.
    func flooredQuotient(_ divisor: Int64) -> Int64 { (self - flooredRemainder(divisor)) / divisor }

    /// The remainder from 0 to `divisor` - 1.
    func flooredRemainder(_ divisor: Int64) -> Int64 {
        let remainder = self % divisor
        return remainder < 0 ? remainder + divisor : remainder
    }
}
