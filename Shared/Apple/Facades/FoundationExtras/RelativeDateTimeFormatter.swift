public import Foundation

/// Words for how long ago or how far ahead something is: "2 hours ago", in the language of `locale`.
open class RelativeDateTimeFormatter: Formatter, @unchecked Sendable {
    // As Foundation's formatters: one thread sets it up before others use it.
    public enum DateTimeStyle: Int, Sendable {
        /// "1 day ago".
        case numeric
        /// "yesterday", where there is a name.
        case named
    }
    public enum UnitsStyle: Int, Sendable {
        case full
        case spellOut
        case short
        case abbreviated
    }

    open var dateTimeStyle = DateTimeStyle.numeric
    open var unitsStyle = UnitsStyle.full
    // Implicitly unwrapped as Apple's; nil means the current one.
    open var calendar: Calendar! = .current
    open var locale: Locale! = .current
    open var formattingContext = Formatter.Context.unknown

    public override init() { super.init() }
    public required init?(coder: NSCoder) { super.init(coder: coder) }

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

    /// - Parameter timeInterval: seconds from now; negative: ago.
    open func localizedString(fromTimeInterval timeInterval: TimeInterval) -> String {
        // From a fixed instant, so that the clock does not move in between.
        let instant = Date()
        return localizedString(for: instant.addingTimeInterval(timeInterval), relativeTo: instant)
    }

    open func localizedString(from dateComponents: DateComponents) -> String {
        let instant = Date()
        let date = (calendar ?? .current).date(byAdding: dateComponents, to: instant) ?? instant
        return localizedString(for: date, relativeTo: instant)
    }

    open override func string(for obj: Any?) -> String? {
        (obj as? Date).map { localizedString(for: $0, relativeTo: Date()) }
    }
}
