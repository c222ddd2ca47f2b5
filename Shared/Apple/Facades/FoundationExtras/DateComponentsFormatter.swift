public import Foundation

/// Formats a duration: "1 hour, 2 minutes", "1h 2m", "1:02:03". Years and months are always in English;
/// everything else follows the language of `calendar.locale`.
open class DateComponentsFormatter: Formatter, @unchecked Sendable {
    // As with Foundation's formatters, one thread configures it before others use it.
    /// How units are written. Apple's `spellOut` is missing.
    public enum UnitsStyle: Int, Sendable {
        /// 1:02:03
        case positional = 0
        /// 1h 2m 3s
        case abbreviated = 1
        /// 1 hr, 2 min, 3 sec
        case short = 2
        /// 1 hour, 2 minutes, 3 seconds
        case full = 3
        /// 1hr 2min 3sec
        case brief = 5
    }
    /// Which zero values are left out.
    public struct ZeroFormattingBehavior: OptionSet, Sendable {
        /// Apple's bits.
        public let rawValue: UInt
        /// Unknown bits are ignored.
        public init(rawValue: UInt) { self.rawValue = rawValue }
        /// `dropLeading` for `positional`, `dropAll` for other styles.
        public static let `default` = ZeroFormattingBehavior(rawValue: 1 << 0)
        /// Leaves out zeros before the first other value.
        public static let dropLeading = ZeroFormattingBehavior(rawValue: 1 << 1)
        /// Leaves out zeros between other values.
        public static let dropMiddle = ZeroFormattingBehavior(rawValue: 1 << 2)
        /// Leaves out zeros after the last other value.
        public static let dropTrailing = ZeroFormattingBehavior(rawValue: 1 << 3)
        /// Leaves out all zeros. At least one unit is always shown.
        public static let dropAll: ZeroFormattingBehavior = [.dropLeading, .dropMiddle, .dropTrailing]
        /// Shows all units, in `positional` with two digits each.
        public static let pad = ZeroFormattingBehavior(rawValue: 1 << 16)
    }

    /// `positional` by default.
    open var unitsStyle = UnitsStyle.positional
    /// If empty, day, hour, minute and second. Supports year, month, week, day, hour, minute and second.
    open var allowedUnits: NSCalendar.Unit = []
    /// ``ZeroFormattingBehavior/default`` by default.
    open var zeroFormattingBehavior = ZeroFormattingBehavior.default
    /// Splits date intervals into units; its locale selects the language. Nil means the current calendar.
    open var calendar: Calendar? = .current
    /// If 0, all. Further units are cut off, not rounded.
    open var maximumUnitCount = 0
    /// Whether "About" precedes the text. Always English.
    open var includesApproximationPhrase = false
    /// Whether "remaining" follows the text. Always English.
    open var includesTimeRemainingPhrase = false

    /// A formatter with default settings.
    public override init() { super.init() }
    public required init?(coder: NSCoder) { super.init(coder: coder) }

    /// - Parameter ti: seconds, rounded to a whole number. Returns nil if not finite or beyond 10^15.
    open func string(from ti: TimeInterval) -> String? {
        guard ti.isFinite, ti.magnitude < 1e15 else { return nil }
        var rest = Int(ti.magnitude.rounded())
        var parts: [(TimeUnit, Int)] = []
        for unit in units {
            parts.append((unit, rest / unit.seconds))
            rest %= unit.seconds
        }
        return text(of: parts, isNegative: ti < 0)
    }

    /// The time from one date to the other in the units of the calendar.
    open func string(from startDate: Date, to endDate: Date) -> String? {
        let components = (calendar ?? .current).dateComponents(
            Set(units.map(\.component)), from: startDate, to: endDate)
        return string(from: components)
    }

    /// - Parameter components: hours and smaller units are carried into larger ones, so 90 minutes are 1 hour
    /// 30 minutes.
    open func string(from components: DateComponents) -> String? {
        var parts = units.map { ($0, components.value(for: $0.component) ?? 0) }
        let isNegative = parts.contains { $0.1 < 0 }
        let hasSmaller = parts.contains { (unit, count) in unit.seconds <= 86_400 && count > 0 }
        if hasSmaller, let first = parts.firstIndex(where: { $0.0.seconds <= 86_400 }) {
            // For example, 90 minutes become 1 hour 30 minutes.
            var rest = parts[first...].reduce(0) { $0 + $1.0.seconds * $1.1 }
            for index in parts[first...].indices {
                parts[index].1 = rest / parts[index].0.seconds
                rest %= parts[index].0.seconds
            }
        }
        return text(of: parts.map { ($0.0, abs($0.1)) }, isNegative: isNegative)
    }

    /// Accepts `DateComponents` and seconds as `TimeInterval`; nil for anything else.
    open override func string(for obj: Any?) -> String? {
        switch obj {
        case let components as DateComponents: string(from: components)
        case let seconds as TimeInterval: string(from: seconds)
        default: nil
        }
    }

    /// Formats with default settings in the given style.
    open class func localizedString(
        from components: DateComponents, unitsStyle: UnitsStyle
    ) -> String? {
        let formatter = DateComponentsFormatter()
        formatter.unitsStyle = unitsStyle
        return formatter.string(from: components)
    }

    private var units: [TimeUnit] {
        let allowed: NSCalendar.Unit =
            allowedUnits.isEmpty ? [.day, .hour, .minute, .second] : allowedUnits
        return TimeUnit.allCases.filter { allowed.contains($0.calendarUnit) }
    }

    private func text(of parts: [(TimeUnit, Int)], isNegative: Bool) -> String {
        let kept = shown(parts)
        let sign = isNegative && kept.contains { $0.1 > 0 } ? "-" : ""
        let words: String
        if unitsStyle == .positional {
            words = kept.enumerated().map { index, part in
                let pads = index > 0 || zeroFormattingBehavior.contains(.pad) && part.0.seconds < 86_400
                return part.1 < 10 && pads ? "0\(part.1)" : "\(part.1)"
            }.joined(separator: ":")
        } else {
            let locale = calendar?.locale ?? .current
            words = kept.map { $0.0.text($0.1, unitsStyle, locale) }
                .joined(separator: unitsStyle == .full || unitsStyle == .short ? ", " : " ")
        }
        return (includesApproximationPhrase ? "About " : "") + sign + words
            + (includesTimeRemainingPhrase ? " remaining" : "")
    }

    /// Removes the zeros that the behaviour drops. One unit always remains.
    private func shown(_ parts: [(TimeUnit, Int)]) -> [(TimeUnit, Int)] {
        var behavior = zeroFormattingBehavior
        if behavior.contains(.default) { behavior = unitsStyle == .positional ? .dropLeading : .dropAll }
        guard let last = parts.last else { return [] }
        var kept = parts
        if behavior.contains(.dropLeading) { kept = Array(kept.drop { $0.1 == 0 }) }
        if behavior.contains(.dropTrailing) { while kept.last?.1 == 0 { kept.removeLast() } }
        if behavior.contains(.dropMiddle), kept.count > 2 {
            kept = [kept[0]] + kept[1..<kept.count - 1].filter { $0.1 > 0 } + [kept[kept.count - 1]]
        }
        if kept.isEmpty { kept = [last] }
        return maximumUnitCount > 0 ? Array(kept.prefix(maximumUnitCount)) : kept
    }
}

/// A unit of time. Largest first.
private enum TimeUnit: Int, CaseIterable {
    case year, month, week, day, hour, minute, second

    /// Averages for year and month.
    var seconds: Int { [31_556_952, 2_629_746, 604_800, 86_400, 3_600, 60, 1][rawValue] }

    var calendarUnit: NSCalendar.Unit {
        [.year, .month, .weekOfMonth, .day, .hour, .minute, .second][rawValue]
    }

    var component: Calendar.Component {
        [.year, .month, .weekOfMonth, .day, .hour, .minute, .second][rawValue]
    }

    func text(_ count: Int, _ style: DateComponentsFormatter.UnitsStyle, _ locale: Locale) -> String {
        let duration: Set<Duration.UnitsFormatStyle.Unit>
        switch self {
        case .year, .month: return calendarText(count, style)
        case .week: duration = [.weeks]
        case .day: duration = [.days]
        case .hour: duration = [.hours]
        case .minute: duration = [.minutes]
        case .second: duration = [.seconds]
        }
        let width: Duration.UnitsFormatStyle.UnitWidth =
            switch style {
            case .full: .wide
            case .abbreviated: .narrow
            default: .abbreviated
            }
        let format = Duration.UnitsFormatStyle(
            allowedUnits: duration, width: width, zeroValueUnits: .show(length: 1)
        ).locale(locale)
        let text = Duration.seconds(count * seconds).formatted(format)
        return style == .brief ? text.filter { !$0.isWhitespace } : text
    }

    private func calendarText(_ count: Int, _ style: DateComponentsFormatter.UnitsStyle) -> String {
        let ending = count == 1 ? "" : "s"
        return switch style {
        case .full: "\(count) \(self == .year ? "year" : "month")\(ending)"
        case .short: "\(count) \(self == .year ? "yr" : "mth")\(ending)"
        case .brief: "\(count)\(self == .year ? "yr" : "mth")\(ending)"
        default: "\(count)\(self == .year ? "y" : "mo")"
        }
    }
}
