import CommandKit
import Units

/// Instants and spans of time as people write them.
enum InstantReading {
    /// An RFC 3339 date-time as an instant: `2026-03-29T01:30:00.5+05:45`. What is finer than a
    /// millisecond is cut off. Nil: it is none, or names a day or time that no calendar has.
    static func instant(_ text: String) -> Instant? {
        var rest = Array(text.utf8)[...]
        guard let year = digits(4, &rest), take("-", &rest), let month = digits(2, &rest), take("-", &rest),
            let day = digits(2, &rest), take("T", &rest) || take("t", &rest), let hour = digits(2, &rest),
            take(":", &rest), let minute = digits(2, &rest), take(":", &rest), let second = digits(2, &rest),
            (1...12).contains(month), (1...days(of: month, in: year)).contains(day), hour <= 23,
            minute <= 59, second <= 59
        else { return nil }
        var milliseconds: Int64 = 0
        if take(".", &rest) {
            guard let fraction = fraction(&rest) else { return nil }
            milliseconds = fraction
        }
        guard let offset = offset(&rest), rest.isEmpty else { return nil }
        let date = (daysSinceEpoch(year, month, day) * 24 + hour) * 60 + minute - offset
        return Instant(milliseconds: (date * 60 + second) * 1_000 + milliseconds)
    }

    /// A sentence of a service, with its instants as the person's clock shows them.
    static func inOwnTime(_ sentence: String) -> String {
        sentence.split(separator: " ", omittingEmptySubsequences: false).map { word in
            let last = word.lastIndex { !".,;:)".contains($0) }
            let end = last.map { word.index(after: $0) } ?? word.startIndex
            return instant(String(word[..<end])).map { LocalTime.text($0) + word[end...] } ?? String(word)
        }.joined(separator: " ")
    }

    private static func digits(_ count: Int, _ rest: inout ArraySlice<UInt8>) -> Int64? {
        let found = rest.prefix(count)
        guard found.count == count, found.allSatisfy({ (48...57).contains($0) }) else { return nil }
        rest = rest.dropFirst(count)
        return found.reduce(0) { $0 * 10 + Int64($1 - 48) }
    }

    private static func take(_ character: Unicode.Scalar, _ rest: inout ArraySlice<UInt8>) -> Bool {
        guard rest.first == UInt8(ascii: character) else { return false }
        rest = rest.dropFirst()
        return true
    }

    /// One digit or more after the point, as milliseconds.
    private static func fraction(_ rest: inout ArraySlice<UInt8>) -> Int64? {
        let found = rest.prefix { (48...57).contains($0) }
        guard !found.isEmpty else { return nil }
        rest = rest.dropFirst(found.count)
        return (Array(found.prefix(3)) + [48, 48]).prefix(3).reduce(0) { $0 * 10 + Int64($1 - 48) }
    }

    /// Minutes east of Greenwich.
    private static func offset(_ rest: inout ArraySlice<UInt8>) -> Int64? {
        if take("Z", &rest) || take("z", &rest) { return 0 }
        let sign: Int64 = take("+", &rest) ? 1 : take("-", &rest) ? -1 : 0
        guard sign != 0, let hours = digits(2, &rest), take(":", &rest), let minutes = digits(2, &rest),
            hours <= 23, minutes <= 59
        else { return nil }
        return sign * (hours * 60 + minutes)
    }

    private static func days(of month: Int64, in year: Int64) -> Int64 {
        let isLeap = year % 4 == 0 && (year % 100 != 0 || year % 400 == 0)
        return [31, isLeap ? 29 : 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31][Int(month) - 1]
    }

    /// Howard Hinnant, "chrono-compatible low-level date algorithms", days_from_civil; years from 0.
    private static func daysSinceEpoch(_ year: Int64, _ month: Int64, _ day: Int64) -> Int64 {
        let shifted = month <= 2 ? year - 1 : year
        let era = (shifted >= 0 ? shifted : shifted - 399) / 400
        let yearOfEra = shifted - era * 400
        let dayOfYear = (153 * (month > 2 ? month - 3 : month + 9) + 2) / 5 + day - 1
        return era * 146_097 + yearOfEra * 365 + yearOfEra / 4 - yearOfEra / 100 + dayOfYear - 719_468
    }
}

/// A span of time as people write it.
enum TimeSpan {
    private static let units: [(name: String, milliseconds: Int64)] = [
        ("ms", 1), ("d", 86_400_000), ("h", 3_600_000), ("m", 60_000), ("s", 1_000),
    ]

    /// `90s`, `15m`, `8h`, `30d`, `250ms`, or several after each other as `1h30m`; each unit once. Nil: it is
    /// none, or longer than 200 years.
    static func milliseconds(_ text: String) -> Milliseconds? {
        var rest = Substring(text)
        var seen: Set<String> = []
        var sum: Int64 = 0
        while !rest.isEmpty {
            let number = rest.prefix { ("0"..."9").contains($0) }
            rest = rest.dropFirst(number.count)
            guard let count = Int64(number), let unit = units.first(where: { rest.hasPrefix($0.name) }),
                seen.insert(unit.name).inserted
            else { return nil }
            rest = rest.dropFirst(unit.name.count)
            let (part, overflows) = count.multipliedReportingOverflow(by: unit.milliseconds)
            guard !overflows, part <= longest.count - sum else { return nil }
            sum += part
        }
        return seen.isEmpty ? nil : Milliseconds(sum)
    }

    private static let longest: Milliseconds = .days(200 * 366)
}
