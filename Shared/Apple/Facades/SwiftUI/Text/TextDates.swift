import Foundation

/// Formats dates for `Text` at the time of rendering.
enum TextDates {
    static func text(_ date: Date, _ style: Text.DateStyle, _ environment: EnvironmentValues) -> String {
        let seconds = date.timeIntervalSinceNow
        switch style {
        case .time: return formatter(.none, .short, environment).string(from: date)
        case .date: return formatter(.long, .none, environment).string(from: date)
        case .timer: return clock(abs(seconds), showsHours: true)
        case .offset: return (seconds < 0 ? "+" : "−") + words(abs(seconds))
        default: return words(abs(seconds))
        }
    }

    static func text(_ range: ClosedRange<Date>, _ environment: EnvironmentValues) -> String {
        let isOneDay = environment.calendar.isDate(range.lowerBound, inSameDayAs: range.upperBound)
        let formatter = formatter(isOneDay ? .none : .short, .short, environment)
        return "\(formatter.string(from: range.lowerBound)) – \(formatter.string(from: range.upperBound))"
    }

    /// `1:02:03`, or `62:03` without hours.
    static func clock(_ seconds: TimeInterval, showsHours: Bool) -> String {
        let whole = Int(max(0, min(seconds, 1e9)).rounded())
        let hours = showsHours ? whole / 3_600 : 0
        let minutes = whole / 60 - hours * 60
        let tail = String(format: "%02d", whole % 60)
        return hours > 0 ? "\(hours):\(String(format: "%02d", minutes)):\(tail)" : "\(minutes):\(tail)"
    }

    /// The two largest units, such as `2 hr, 5 min`. Always English.
    private static func words(_ seconds: TimeInterval) -> String {
        let whole = Int(max(0, min(seconds, 1e10)).rounded())
        let units = [
            (31_536_000, "yr"), (2_592_000, "mo"), (86_400, "day"), (3_600, "hr"), (60, "min"), (1, "sec"),
        ]
        guard let first = units.firstIndex(where: { whole >= $0.0 }) else { return "0 sec" }
        var rest = whole
        let parts = units[first...].prefix(2).compactMap { length, name -> String? in
            let count = rest / length
            rest %= length
            guard count > 0 else { return nil }
            return "\(count) \(name)\(name == "day" && count > 1 ? "s" : "")"
        }
        return parts.joined(separator: ", ")
    }

    private static func formatter(
        _ date: DateFormatter.Style, _ time: DateFormatter.Style, _ environment: EnvironmentValues
    ) -> DateFormatter {
        let formatter = DateFormatter()
        formatter.dateStyle = date
        formatter.timeStyle = time
        formatter.locale = environment.locale
        formatter.calendar = environment.calendar
        formatter.timeZone = environment.timeZone
        return formatter
    }
}
