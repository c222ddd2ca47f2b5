public import Foundation

/// Formats the distance to a date: "2 hours ago", in the language of `locale`.
open class RelativeDateTimeFormatter: Formatter, @unchecked Sendable {
    // As with Foundation's formatters, one thread configures it before others use it.
    /// Whether special names are used.
    public enum DateTimeStyle: Int, Sendable {
        /// "1 day ago".
        case numeric
        /// "yesterday", if the language has a name.
        case named
    }
    /// How units are written.
    public enum UnitsStyle: Int, Sendable {
        case full
        case spellOut
        case short
        case abbreviated
    }

    /// `numeric` by default.
    open var dateTimeStyle = DateTimeStyle.numeric
    /// `full` by default.
    open var unitsStyle = UnitsStyle.full
    // Implicitly unwrapped as Apple's is. Nil means the current one.
    /// Computes the distance in units.
    open var calendar: Calendar! = .current
    /// Selects the language.
    open var locale: Locale! = .current
    /// Kept; it does not change the text.
    open var formattingContext = Formatter.Context.unknown

    /// A formatter for the current locale.
    public override init() { super.init() }
    public required init?(coder: NSCoder) { super.init(coder: coder) }

    /// The distance from `referenceDate` to `date`.
    open func localizedString(for date: Date, relativeTo referenceDate: Date) -> String {
        let units: Date.RelativeFormatStyle.UnitsStyle =
            switch unitsStyle {
            case .full: .wide
            case .spellOut: .spellOut
            case .short: .abbreviated
            case .abbreviated: .narrow
            }
        let style = Date.AnchoredRelativeFormatStyle(
            anchor: date, presentation: dateTimeStyle == .named ? .named : .numeric, unitsStyle: units,
            locale: locale ?? .current, calendar: calendar ?? .current)
        return style.format(referenceDate)
    }

    /// - Parameter timeInterval: seconds from now. Negative values are in the past.
    open func localizedString(fromTimeInterval timeInterval: TimeInterval) -> String {
        // Uses one instant, so that the clock does not advance in between.
        let instant = Date()
        return localizedString(for: instant.addingTimeInterval(timeInterval), relativeTo: instant)
    }

    /// The distance between now and now plus the components.
    open func localizedString(from dateComponents: DateComponents) -> String {
        let instant = Date()
        let date = (calendar ?? .current).date(byAdding: dateComponents, to: instant) ?? instant
        return localizedString(for: date, relativeTo: instant)
    }

    /// Accepts a `Date`, relative to now; nil for anything else.
    open override func string(for obj: Any?) -> String? {
        (obj as? Date).map { localizedString(for: $0, relativeTo: Date()) }
    }
}
