import Contract
import Units

/// The wall times that components describe, as Apple interprets them: an omitted component matches any value
/// if it is larger than the smallest one given, and is zero if it is smaller. Wall times are milliseconds
/// since 1970-01-01T00:00 on the wall clock, without a zone.
struct WallPattern: Equatable, Sendable {
    private let components: DateComponents
    /// Milliseconds of a day, ascending: one, or one in each hour if only the minute is given. 24 h is the
    /// start of the next day.
    private let times: [Milliseconds]

    /// - Parameter isEnd: allows `hour` 24, the end of the day that the other components name.
    /// - Throws: `invalidDateComponents`, naming the component, if no time can match.
    init(_ components: DateComponents, _ name: String, isEnd: Bool = false) throws(CivilTimeError) {
        func check(_ value: Int64?, _ part: String, _ range: ClosedRange<Int64>) throws(CivilTimeError) {
            guard let value, !range.contains(value) else { return }
            throw .invalidDateComponents(
                "\(name).\(part) is \(value); give a number from \(range.lowerBound) to \(range.upperBound)")
        }
        try check(components.era, "era", 1...1)
        try check(components.year, "year", 1970...9998)
        try check(components.month, "month", 1...12)
        try check(components.day, "day", 1...31)
        try check(components.weekday, "weekday", 1...7)
        try check(components.weekdayOrdinal, "weekdayOrdinal", 1...5)
        try check(components.hour, "hour", 0...(isEnd ? 24 : 23))
        let isMidnight = components.hour == 24
        try check(components.minute, "minute", 0...(isMidnight ? 0 : 59))
        try check(components.second, "second", 0...(isMidnight ? 0 : 59))
        try check(components.nanosecond, "nanosecond", 0...(isMidnight ? 0 : 999_999_999))
        guard components != DateComponents() else {
            throw .invalidDateComponents("\(name) is empty; give at least an hour")
        }
        let hasClockTime = components.hour != nil || components.minute != nil
        guard hasClockTime || (components.second ?? components.nanosecond) == nil else {
            throw .invalidDateComponents(
                "\(name) names a second but neither minute nor hour; give one of them")
        }
        guard components.weekdayOrdinal == nil || components.weekday != nil else {
            throw .invalidDateComponents("\(name) has a weekdayOrdinal without a weekday; give both")
        }
        self.components = components
        let inHour =
            Milliseconds.minutes(components.minute ?? 0) + .seconds(components.second ?? 0)
            + Milliseconds((components.nanosecond ?? 0) / 1_000_000)
        let isEveryHour = components.hour == nil && components.minute != nil
        let hours = isEveryHour ? 0...23 : (components.hour ?? 0)...(components.hour ?? 0)
        times = hours.map { .hours($0) + inHour }
    }

    /// The first wall time at or after `wall`; nil if there is none within the searched days.
    func first(from wall: Milliseconds) -> Milliseconds? {
        // The previous day ends where this one starts.
        var day = Int(wall.flooredQuotient(Milliseconds.day)) - (components.hour == 24 ? 1 : 0)
        for _ in 0..<Self.searchDays {
            let date = LocalDate(dayNumber: day)
            if fits(date) {
                let start = Milliseconds.days(Int64(day))
                if let time = times.first(where: { start + $0 >= wall }) {
                    return start + time
                }
            }
            guard let next = dayAfter(date) else { return nil }
            day = next
        }
        return nil
    }

    /// The last wall time at or before `wall`.
    func last(until wall: Milliseconds) -> Milliseconds? {
        var day = Int(wall.flooredQuotient(Milliseconds.day))
        if let year = components.year, let end = LocalDate(year: Int(year), month: 12, day: 31) {
            day = min(day, end.dayNumber)
        }
        for _ in 0..<Self.searchDays {
            let date = LocalDate(dayNumber: day)
            if fits(date) {
                let start = Milliseconds.days(Int64(day))
                if let time = times.last(where: { start + $0 <= wall }) {
                    return start + time
                }
            }
            if let year = components.year, date.year < year { return nil }
            day -= 1
        }
        return nil
    }

    /// A 29 February on a given weekday recurs after 40 years at most (over a century without a leap day).
    private static let searchDays = 41 * 366

    /// The next day to examine; a later year is reached in one step.
    private func dayAfter(_ date: LocalDate) -> Int? {
        guard let year = components.year else { return date.dayNumber + 1 }
        if date.year > year { return nil }
        if date.year < year { return LocalDate(year: Int(year), month: 1, day: 1)?.dayNumber }
        return date.dayNumber + 1
    }

    private func fits(_ date: LocalDate) -> Bool {
        if let weekday = components.weekday, weekday != date.weekday { return false }
        if let ordinal = components.weekdayOrdinal, ordinal != (date.day + 6) / 7 { return false }
        if let day = components.day, day != date.day { return false }
        if let month = components.month, month != date.month { return false }
        if let year = components.year, year != date.year { return false }
        // A month or a year alone means its first day.
        let namesADay = components.weekday != nil || components.day != nil
        if namesADay || components.hour != nil || components.minute != nil { return true }
        if components.month != nil { return date.day == 1 }
        if components.year != nil { return date.month == 1 && date.day == 1 }
        return true
    }
}
