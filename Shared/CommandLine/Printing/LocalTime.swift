import Glibc
package import Units

/// Instants, dates and times of day as the person's clock shows them: in their locale, and in the zone of
/// this process. The examples are those of the C locale, which never change.
package enum LocalTime {
    /// `2026-11-20 06:13:35`
    package static func text(_ instant: Instant) -> String { text(instant, in: .own) }

    /// The same of an end, or of a time from which something is open: not before it.
    package static func end(_ instant: Instant) -> String { text(instant.secondNotBefore) }

    static func text(_ instant: Instant, in locale: PersonLocale) -> String {
        locale.formatted(parts(instant), locale.dateFormat + " " + locale.timeFormat)
    }

    /// The same of a time that counts seconds from 1970 on, as Foundation's do.
    package static func text(secondsSince1970 seconds: Double) -> String {
        let milliseconds = (seconds * 1_000).rounded(.towardZero)
        let nearest = milliseconds < 0 ? Int64.min : Int64.max
        return text(Instant(milliseconds: Int64(exactly: milliseconds) ?? nearest))
    }

    /// `2026-11-20 06:13:35.120`
    package static func precise(_ instant: Instant) -> String {
        PersonLocale.own.formatted(parts(instant), PersonLocale.own.dateFormat) + " " + clock(instant)
    }

    /// `06:13:35`
    package static func time(_ instant: Instant) -> String {
        PersonLocale.own.formatted(parts(instant), PersonLocale.own.timeFormat)
    }

    /// `06:13:35.120`
    package static func clock(_ instant: Instant) -> String { clock(instant, in: .own) }

    static func clock(_ instant: Instant, in locale: PersonLocale) -> String {
        let rest = instant.sinceEpoch.flooredRemainder(.second).count
        let fraction = locale.decimalPoint + String(rest + 1_000).dropFirst()
        return locale.formatted(parts(instant), TimeFormat.withFraction(locale.timeFormat, fraction))
    }

    /// A time of day, `06:13`.
    /// - Parameter minutes: after midnight, 0 to 1440, which is the midnight that ends the day: `24:00`.
    package static func timeOfDay(minutes: Int64) -> String { timeOfDay(minutes: minutes, in: .own) }

    static func timeOfDay(minutes: Int64, in locale: PersonLocale) -> String {
        let format = TimeFormat.withoutSeconds(locale.timeFormat)
        // A clock of twelve hours has no 24.
        let minutes = minutes == 1_440 && !TimeFormat.counts24Hours(format) ? 0 : minutes
        var parts = tm()
        parts.tm_hour = Int32(truncatingIfNeeded: minutes / 60)
        parts.tm_min = Int32(truncatingIfNeeded: minutes % 60)
        return locale.formatted(parts, format)
    }

    /// A time of day in the form of the contract, `06:13`, or two with a hyphen between them. What is neither
    /// stays as it is.
    package static func timeOfDay(_ text: String) -> String { timeOfDay(text, in: .own) }

    static func timeOfDay(_ text: String, in locale: PersonLocale) -> String {
        let times = text.split(separator: "-", omittingEmptySubsequences: false).map { time in
            time == "24:00" ? 1_440 : TimeOfDay(String(time))?.minutes
        }
        let known = times.compactMap { $0 }
        guard !locale.isISO, known.count == times.count else { return text }
        return known.map { timeOfDay(minutes: $0, in: locale) }.joined(separator: "-")
    }

    /// What a service calls a day or an hour: `2026-11-20`, or RFC 3339 with the offset of the zone that was
    /// asked for, `2026-11-20T06:00:00+01:00`. What is neither stays as it is.
    package static func stamp(_ text: String) -> String { stamp(text, in: .own) }

    static func stamp(_ text: String, in locale: PersonLocale) -> String {
        guard !locale.isISO, let (parts, isDay) = fields(of: text) else { return text }
        let date = locale.formatted(parts, locale.dateFormat)
        guard !isDay else { return date }
        let time = locale.formatted(parts, TimeFormat.withoutSeconds(locale.timeFormat))
        return "\(date) \(time) \(text.dropFirst(19))"
    }

    /// `2026-11-20 06:00:00.120+01:00`
    /// - Parameter text: RFC 3339 with an offset and without a fraction.
    package static func precise(stamp text: String, milliseconds: Int64) -> String {
        let fraction = String(milliseconds + 1_000).dropFirst()
        guard !PersonLocale.own.isISO, let (parts, _) = fields(of: text) else {
            return "\(text.prefix(10)) \(text.prefix(19).suffix(8)).\(fraction)\(text.dropFirst(19))"
        }
        let locale = PersonLocale.own
        let time = TimeFormat.withFraction(locale.timeFormat, locale.decimalPoint + fraction)
        return "\(locale.formatted(parts, locale.dateFormat + " " + time)) \(text.dropFirst(19))"
    }

    private static func fields(of text: String) -> (tm, isDay: Bool)? {
        let fields = text.prefix(19).split { "-T:".contains($0) }.compactMap { Int32($0) }
        guard text.utf8.count == 10 ? fields.count == 3 : fields.count == 6 else { return nil }
        var parts = tm()
        (parts.tm_year, parts.tm_mon, parts.tm_mday) = (fields[0] - 1_900, fields[1] - 1, fields[2])
        if fields.count == 6 {
            (parts.tm_hour, parts.tm_min, parts.tm_sec) = (fields[3], fields[4], fields[5])
        }
        // Finds the day of the week, which some locales print.
        _ = timegm(&parts)
        return (parts, fields.count == 3)
    }

    private static func parts(_ instant: Instant) -> tm {
        var seconds = time_t(instant.sinceEpoch.flooredQuotient(.second))
        var parts = tm()
        localtime_r(&seconds, &parts)
        return parts
    }

    // MARK: durations

    /// `850 ms`, `12.3 s`, `4 min 05 s`, `2 h 07 min`
    package static func duration(_ time: Milliseconds) -> String { duration(time, in: .own) }

    static func duration(_ time: Milliseconds, in locale: PersonLocale) -> String {
        func padded(_ number: Int64) -> String { number < 10 ? "0\(number)" : "\(number)" }
        let milliseconds = time.count
        switch milliseconds {
        case ..<1_000: return "\(milliseconds) ms"
        case ..<60_000:
            return "\(milliseconds / 1_000)\(locale.decimalPoint)\(milliseconds % 1_000 / 100) s"
        case ..<3_600_000: return "\(milliseconds / 60_000) min \(padded(milliseconds % 60_000 / 1_000)) s"
        default: return "\(milliseconds / 3_600_000) h \(padded(milliseconds % 3_600_000 / 60_000)) min"
        }
    }

    /// `512 µs`, `1.2 ms`
    package static func duration(microseconds: Int64) -> String {
        microseconds < 1_000
            ? "\(microseconds) µs"
            : "\(microseconds / 1_000)\(PersonLocale.own.decimalPoint)\(microseconds % 1_000 / 100) ms"
    }

    /// As people say it: `45 s`, `5 min`, `1 h`, `1 h 5 min`; whole minutes from one minute on.
    package static func amount(seconds: Int64) -> String {
        switch seconds {
        case ..<60: return "\(seconds) s"
        case ..<3_600: return "\(seconds / 60) min"
        default:
            let hours = "\(seconds / 3_600) h"
            return seconds % 3_600 < 60 ? hours : "\(hours) \(seconds % 3_600 / 60) min"
        }
    }
}
