import CivilTime
import Contract
import Engine

/// The stretch of time a query is about, cut into its segments.
struct ReportRange {
    let zone: Zone
    let from: LocalDate
    let to: LocalDate
    /// Sorted and disjoint, all of it inside the asked days.
    private(set) var segments: [TimeRange]
    /// What the rows of each segment say: a local date (of a week its Monday), or RFC 3339 with offset.
    private(set) var labels: [String]

    /// - Throws: `invalidArgument` for an unknown zone, a text that is no date, or days in the wrong order;
    ///   `limitExceeded` for too many days.
    init(_ params: ReportQuery.Params, now_ms: Int64) throws(ServiceError) {
        zone = try Self.zone(params.zone)
        let today = zone.date(at: now_ms)
        let first = try Self.date(params.from, "from")
        let last = try Self.date(params.to, "to")
        from = first ?? min(today, last ?? today)
        to = last ?? max(today, first ?? today)
        let length = params.segment ?? .daily
        try Self.check(from, to, length)
        guard let whole = zone.interval(from: from, through: to) else {
            (segments, labels) = ([], [])
            return
        }
        // A week is whole in the calendar, but what lies outside of the asked days was not asked for.
        let parts = zone.segments(length, from: from, through: to).compactMap { segment in
            segment.interval.intersection(whole).map { ($0, segment.label) }
        }
        segments = parts.map(\.0)
        labels = parts.map(\.1)
    }

    /// From the first segment's begin to the last one's end; nil when the asked days do not exist.
    var whole: TimeRange? {
        guard let first = segments.first, let last = segments.last else { return nil }
        return TimeRange(start_ms: first.start_ms, end_ms: last.end_ms)
    }

    /// The same days from segment `page` on; nil for all of them.
    func dropping(_ page: Int64?) throws(ServiceError) -> ReportRange {
        guard let page else { return self }
        guard (0...Int64(segments.count)).contains(page) else {
            throw ServiceError(
                .invalidArgument, "there is no page \(page)", remedy: "Begin with 0 and go on with next_page."
            )
        }
        var rest = self
        rest.segments.removeFirst(Int(page))
        rest.labels.removeFirst(Int(page))
        return rest
    }

    private static func zone(_ name: String?) throws(ServiceError) -> Zone {
        guard let name else { return .current }
        do { return try Zone(name) } catch {
            throw ServiceError(
                .invalidArgument, "there is no time zone '\(name.prefix(64))'",
                remedy: "Use an IANA name such as Europe/Berlin, or UTC.")
        }
    }

    private static func date(_ text: String?, _ field: String) throws(ServiceError) -> LocalDate? {
        guard let text else { return nil }
        if let date = LocalDate(text) { return date }
        throw ServiceError(
            .invalidArgument, "\(field) is '\(text.prefix(64))', which is no day of the calendar",
            remedy: "Write it as YYYY-MM-DD, such as 2023-05-29.")
    }

    private static func check(_ from: LocalDate, _ to: LocalDate, _ length: ReportSegment)
        throws(ServiceError)
    {
        guard from <= to else {
            throw ServiceError(
                .invalidArgument, "from (\(from)) is after to (\(to))",
                remedy: "Swap them; both days are included.")
        }
        let days = to.dayNumber - from.dayNumber + 1
        let (limit, name) =
            length == .hourly
            ? (ReportLimits.hourlyDaysMax, "hourlyDaysMax") : (ReportLimits.daysMax, "daysMax")
        guard days <= limit else {
            throw ServiceError(
                .limitExceeded, "\(from) to \(to) are \(days) days; \(name) is \(limit)",
                remedy: "Ask for fewer days at a time, or for longer segments.")
        }
    }
}
