import Units

/// Limits of this service. Exceeding one gives an error that names it.
enum ReportLimits {
    /// Local days in one query: ten years.
    static let daysMax = 3_660
    /// Bytes of rows in one answer, so that it fits into a message: 768 KiB.
    static let answerBytesMax = 768 * 1024
    /// Devices that a note lists.
    static let devicesNamedMax = 20
    /// Members, devices, models, apps, categories or domains in a filter, each.
    static let filterNamesMax = 1_000
    /// Calendars (zone and day start) whose days are cached.
    static let calendarsMax = 8
    /// Longest use that is rolled up, in milliseconds: a day. Longer ones are added when a report is
    /// computed.
    static let rolledUpMax: Milliseconds = 86_400_000
    /// Number of quarters before a range in which a rolled-up use that overlaps it can begin.
    static let quartersLookedBack: Int64 = 96
    /// Longer than any local day, even if the clock is set back in it: two days.
    static let dayMax: Milliseconds = .days(2)
    /// Bytes of the data of a report that an extension renders: 8 MiB, about four years of two devices by the
    /// day.
    static let drawnBytesMax = 8 << 20
    /// Bytes of it in one message, to which tokens are added: 384 KiB.
    static let drawnPartBytes = 384 * 1024
    /// Milliseconds that a report extension has for a part of the data, and to render, including its start.
    static let draw: Milliseconds = 10_000
    /// Milliseconds after a request in which a report is rendered again when use changes: 5 min.
    static let watched: Milliseconds = 300_000
    /// Number of reports that are watched.
    static let watchedMax = 64
    /// Milliseconds between two renderings of the same report.
    static let redraw: Milliseconds = 1_000
    /// Segments of a report whose use is in memory at a time.
    static let segmentsAtOnce = 64
    /// Quarters rolled up at a time: ten days.
    static let quartersAtOnce = 960
}
