import Units

/// Every limit of this service. Going over one is an error that names it, never silence.
enum ReportLimits {
    /// Local days one query may span, daily or weekly: ten years.
    static let daysMax = 3_660
    /// Local days one query may span, hourly.
    static let hourlyDaysMax = 366
    /// Bytes of rows one answer may have, so that it stays a legal message: 768 KiB.
    static let answerBytesMax = 768 * 1024
    /// Devices a note names.
    static let devicesNamedMax = 20
    /// Members, devices, models, apps, categories or domains a filter may name, each.
    static let filterNamesMax = 1_000
    /// Calendars (zone and day start) whose days are kept.
    static let calendarsMax = 8
    /// Milliseconds of a use that is rolled up: a day. What is longer is added when a report is made.
    static let rolledUpMax: Milliseconds = 86_400_000
    /// Quarters before a stretch in which a use of a day that reaches into it can begin.
    static let quartersLookedBack: Int64 = 96
    /// Longer than any local day, also when the clock is set back in it: two days.
    static let dayMax: Milliseconds = .days(2)
    /// Milliseconds a report extension has to draw, its start included.
    static let draw: Milliseconds = 10_000
    /// Milliseconds after somebody asked for a report in which it is drawn again when use changes: 5 min.
    static let watched: Milliseconds = 300_000
    /// Reports that are watched at once.
    static let watchedMax = 64
    /// Milliseconds between two drawings of the same report for changes.
    static let redraw: Milliseconds = 1_000
    /// Quarters rolled up at a time: ten days.
    static let quartersAtOnce = 960
}
