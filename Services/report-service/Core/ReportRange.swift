import Contract
import Rules
import Schedules
import Units

/// The time range of a query, divided into segments.
struct ReportRange {
    let calendar: DayCalendar
    let length: ReportSegment
    let from: LocalDate
    let to: LocalDate
    /// Sorted and disjoint.
    private(set) var segments: [TimeRange] = []
    /// Label of each segment: a local date (of a week its Monday), or RFC 3339 with offset.
    private(set) var labels: [String] = []
    /// For daily and weekly reports: the days of each segment.
    private(set) var days: [[TimeRange]] = []
    /// Whether the first or the last week is cut to the requested days.
    private(set) var isCut = false

    var zone: Zone { calendar.zone }

    /// - Parameter calendar: used where the query sets neither zone nor day start.
    /// - Throws: `invalidArgument` for an unknown zone, an invalid date, or days in the wrong order;
    ///   `limitExceeded` for too many days.
    init(_ params: ReportQuery.Params, _ calendar: DayCalendar, now: Instant) throws(ServiceError) {
        self.calendar = try Self.calendar(params, calendar)
        length = params.segment ?? .daily
        if let during = params.during {
            guard params.from == nil, params.to == nil else {
                throw ServiceError(
                    .invalidArgument, "during excludes from and to", remedy: "Use one of them.")
            }
            let asked = try Self.range(during)
            let first = self.calendar.date(at: asked.start)
            let last = self.calendar.date(at: asked.end - 1)
            from = length == .weekly ? first.monday : first
            to = length == .weekly ? last.monday.advanced(by: 6) : last
            try Self.check(from, to, length)
            build(hoursIn: asked)
        } else {
            let today = self.calendar.date(at: now)
            let first = try Self.date(params.from, "from")
            let last = try Self.date(params.to, "to")
            from = first ?? min(today, last ?? today)
            to = last ?? max(today, first ?? today)
            try Self.check(from, to, length)
            build(hoursIn: nil)
        }
        isCut = length == .weekly && (from != from.monday || to != to.monday.advanced(by: 6))
    }

    private mutating func build(hoursIn asked: TimeRange?) {
        guard length != .hourly else {
            // Complete hours do not depend on the start of a day.
            let first = asked.map { zone.date(at: $0.start) } ?? from
            let last = asked.map { zone.date(at: $0.end - 1) } ?? to
            let hours = zone.segments(
                .hourly, from: first, through: last, dayStart: asked == nil ? calendar.dayStart : 0)
            for hour in hours where asked == nil || asked?.intersection(hour.interval) != nil {
                segments.append(hour.interval)
                labels.append(hour.label)
            }
            return
        }
        var date = from
        var begin = calendar.start(of: date)
        var week: LocalDate?
        while date <= to {
            let next = date.advanced(by: 1)
            let end = calendar.start(of: next)
            // A day that does not exist has no time.
            if let day = TimeRange(start: begin, end: end) {
                if length == .weekly, week == date.monday {
                    extend(by: day)
                } else {
                    segments.append(day)
                    days.append([day])
                    labels.append((length == .weekly ? date.monday : date).description)
                }
                week = date.monday
            }
            (date, begin) = (next, end)
        }
    }

    private mutating func extend(by day: TimeRange) {
        let index = segments.count - 1
        if let longer = TimeRange(start: segments[index].start, end: day.end) {
            segments[index] = longer
        }
        days[index].append(day)
    }

    /// From the start of the first segment to the end of the last; nil if the requested days do not exist.
    var whole: TimeRange? {
        guard let first = segments.first, let last = segments.last else { return nil }
        return TimeRange(start: first.start, end: last.end)
    }

    /// The same days from segment `page` on; nil for all.
    func dropping(_ page: Int64?) throws(ServiceError) -> ReportRange {
        guard let page else { return self }
        guard (0...Int64(segments.count)).contains(page) else {
            throw ServiceError(
                .invalidArgument, "unknown page \(page)", remedy: "Start with 0 and continue with next_page."
            )
        }
        var rest = self
        rest.segments.removeFirst(Int(page))
        rest.labels.removeFirst(Int(page))
        if !days.isEmpty { rest.days.removeFirst(Int(page)) }
        return rest
    }

    // MARK: validation

    private static func calendar(
        _ params: ReportQuery.Params, _ fallback: DayCalendar
    ) throws(ServiceError) -> DayCalendar {
        var calendar = fallback
        if let name = params.zone { calendar.zone = try zone(name) }
        if let minutes = params.dayStartMinutes {
            guard (0...1_439).contains(minutes) else {
                throw ServiceError(
                    .invalidArgument, "a day cannot start \(minutes) minutes after midnight",
                    remedy: "Use 0 (midnight) to 1439 (23:59).")
            }
            calendar.dayStart_minutes = minutes
        }
        return calendar
    }

    /// - Throws: `invalidArgument`
    static func zone(_ name: String) throws(ServiceError) -> Zone {
        do { return try Zone(name) } catch {
            throw ServiceError(
                .invalidArgument, "unknown time zone '\(name.prefix(64))'",
                remedy: "Use an IANA name such as Europe/Berlin, or UTC.")
        }
    }

    private static func range(_ during: Interval) throws(ServiceError) -> TimeRange {
        // Years 1970 to 9998, so that a week around them is still in the calendar.
        let isSane = during.start >= 0 && during.end < 253_370_764_800_000
        // An empty interval means the segment that contains its instant.
        let isEmpty = during.start == during.end
        if isSane,
            let range = TimeRange(
                start: during.start, end: isEmpty ? during.end + 1 : during.end)
        {
            return range
        }
        throw ServiceError(
            .invalidArgument, "during is \(during.start) to \(during.end), which is not a time range",
            remedy: "Send UTC milliseconds of the years 1970 to 9998, the end not before the start.")
    }

    private static func date(_ text: String?, _ field: String) throws(ServiceError) -> LocalDate? {
        guard let text else { return nil }
        if let date = LocalDate(text) { return date }
        throw ServiceError(
            .invalidArgument, "\(field) is '\(text.prefix(64))', which is not a date",
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
        guard days <= ReportLimits.daysMax else {
            throw ServiceError(
                .limitExceeded, "\(from) to \(to) are \(days) days; daysMax is \(ReportLimits.daysMax)",
                remedy: "Request fewer days at a time.")
        }
    }
}

extension DayCalendar {
    func start(of date: LocalDate) -> Instant { zone.start(of: date, dayStart) }

    /// The day that contains an instant.
    func date(at instant: Instant) -> LocalDate {
        var date = zone.date(at: instant)
        while start(of: date) > instant { date = date.advanced(by: -1) }
        while start(of: date.advanced(by: 1)) <= instant { date = date.advanced(by: 1) }
        return date
    }
}
