/// The rule by which a zone continues after the last change in its file: a POSIX TZ string as RFC 9636
/// extends it (section 3.3.1), for example `CET-1CEST,M3.5.0,M10.5.0/3`.
struct YearlyRule: Hashable, Sendable {
    /// Seconds ahead of UTC.
    private let standard: Int
    private let saving: Saving?

    /// Daylight saving: its offset, and the wall times at which it begins and ends in each year.
    private struct Saving: Hashable, Sendable {
        var offset: Int
        var begin: YearlyMoment
        var end: YearlyMoment
    }

    /// Nil unless `text` is such a rule. Without a rule for its two changes, daylight saving has no meaning
    /// (POSIX leaves it to the implementation), and is refused.
    init?(_ text: some StringProtocol) {
        var reader = YearlyRuleReader(text)
        guard reader.skipName(), let west = reader.time() else { return nil }
        standard = -west
        guard !reader.isAtEnd else {
            saving = nil
            return
        }
        guard reader.skipName() else { return nil }
        let offset = reader.next == UInt8(ascii: ",") ? standard + 3600 : reader.time().map(-)
        guard let offset, reader.skip(","), let begin = reader.moment(), reader.skip(","),
            let end = reader.moment(), reader.isAtEnd
        else { return nil }
        saving = Saving(offset: offset, begin: begin, end: end)
    }

    /// Seconds ahead of UTC.
    /// - Parameter second: Unix time.
    func offset(at second: Int64) -> Int {
        guard let saving else { return standard }
        // The Gregorian calendar repeats itself every 400 years, weekdays included.
        let cycle = Int64(146_097 * 86_400), since = Int64(10_957 * 86_400)
        let second = Int(since + (second - since).flooredRemainder(cycle))
        let year = LocalDate(dayNumber: Int(Int64(second + standard).flooredQuotient(86_400))).year
        let begin = saving.begin.wallSecond(in: year) - standard
        let end = saving.end.wallSecond(in: year) - saving.offset
        let isSaving = begin < end ? begin <= second && second < end : !(end <= second && second < begin)
        return isSaving ? saving.offset : standard
    }
}

/// A day of each year, and a time of that day.
struct YearlyMoment: Hashable, Sendable {
    enum Day: Hashable, Sendable {
        /// 1 to 365; 29 February is never counted.
        case withoutLeapDay(Int)
        /// 0 to 365.
        case ofYear(Int)
        /// Weekday 0 (Sunday) to 6, for the `week`th time in the month, or for the last time if that is 5.
        case ofMonth(month: Int, week: Int, weekday: Int)
    }

    var day: Day
    /// Seconds after midnight of that day; negative before it. Up to a week.
    var time: Int

    /// Seconds since 1970-01-01T00:00 on the wall clock.
    /// - Parameter year: 1 to 9999
    func wallSecond(in year: Int) -> Int { dayNumber(in: year) * 86_400 + time }

    private func dayNumber(in year: Int) -> Int {
        let newYear = Self.first(of: 1, in: year)
        switch day {
        case .withoutLeapDay(let day):
            let hasLeapDay = Self.first(of: 3, in: year) - newYear == 60
            return newYear + day - (hasLeapDay && day >= 60 ? 0 : 1)
        case .ofYear(let day): return newYear + day
        case .ofMonth(let month, let week, let weekday):
            let first = Self.first(of: month, in: year)
            let next = month == 12 ? first + 31 : Self.first(of: month + 1, in: year)
            let firstWeekday = LocalDate(dayNumber: first).weekday - 1
            let day = first + (weekday - firstWeekday + 7) % 7 + (week - 1) * 7
            return day < next ? day : day - 7
        }
    }

    private static func first(of month: Int, in year: Int) -> Int {
        // Every month of the years 1 to 9999 has a first day.
        LocalDate(year: year, month: month, day: 1)?.dayNumber ?? 0
    }
}

/// Reads the parts of a POSIX TZ string.
struct YearlyRuleReader {
    private var rest: Substring.UTF8View

    init(_ text: some StringProtocol) { rest = Substring(text).utf8 }

    var isAtEnd: Bool { rest.isEmpty }
    var next: UInt8? { rest.first }

    mutating func skip(_ character: Unicode.Scalar) -> Bool {
        guard rest.first == UInt8(ascii: character) else { return false }
        rest.removeFirst()
        return true
    }

    /// A name: three or more letters, or `<…>` with letters, digits and signs. Its text does not matter.
    mutating func skipName() -> Bool {
        if skip("<") {
            guard let end = rest.firstIndex(of: UInt8(ascii: ">")) else { return false }
            rest = rest[rest.index(after: end)...]
            return true
        }
        let name = rest.prefix { (UInt8(ascii: "A")...UInt8(ascii: "z")).contains($0) }
        rest = rest.dropFirst(name.count)
        return name.count >= 3
    }

    /// `[+-]h[hh][:mm[:ss]]`, up to a week, in seconds.
    mutating func time() -> Int? {
        let isNegative = skip("-")
        if !isNegative { _ = skip("+") }
        guard let hours = number(0...167) else { return nil }
        var seconds = hours * 3600
        for unit in [60, 1] {
            guard skip(":") else { break }
            guard let count = number(0...59) else { return nil }
            seconds += count * unit
        }
        return isNegative ? -seconds : seconds
    }

    /// A date, and `/time` if it is not 02:00.
    mutating func moment() -> YearlyMoment? {
        guard let day = day() else { return nil }
        guard skip("/") else { return YearlyMoment(day: day, time: 7200) }
        return time().map { YearlyMoment(day: day, time: $0) }
    }

    private mutating func day() -> YearlyMoment.Day? {
        if skip("J") { return number(1...365).map { .withoutLeapDay($0) } }
        guard skip("M") else { return number(0...365).map { .ofYear($0) } }
        guard let month = number(1...12), skip("."), let week = number(1...5), skip("."),
            let weekday = number(0...6)
        else { return nil }
        return .ofMonth(month: month, week: week, weekday: weekday)
    }

    private mutating func number(_ range: ClosedRange<Int>) -> Int? {
        let digits = rest.prefix { (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) }
        guard (1...3).contains(digits.count) else { return nil }
        rest = rest.dropFirst(digits.count)
        let number = digits.reduce(0) { $0 * 10 + Int($1 - UInt8(ascii: "0")) }
        return range.contains(number) ? number : nil
    }
}
