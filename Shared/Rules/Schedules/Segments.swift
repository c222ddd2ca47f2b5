package import Contract
package import Rules

/// One stretch of a report, with the name its rows carry.
package struct Segment: Hashable, Sendable {
    package let interval: TimeRange
    /// Daily and weekly: the local date it begins on. Hourly: RFC 3339 with the offset.
    package let label: String
}

extension Zone {
    /// The stretch of the local days `from` … `to`, both included; `nil` when there is none.
    ///
    /// - dayStart_ms: when a member's day begins on the wall clock, 0 (midnight) to under 24 h.
    package func interval(from: LocalDate, through to: LocalDate, dayStart_ms: Int64 = 0) -> TimeRange? {
        TimeRange(
            start_ms: start_ms(of: from, dayStart_ms), end_ms: start_ms(of: to.advanced(by: 1), dayStart_ms))
    }

    /// The whole segments that the local days `from` … `to` touch: weeks are widened to Monday … Sunday.
    /// A day that does not exist has none. They follow each other without a gap.
    package func segments(
        _ length: ReportSegment, from: LocalDate, through to: LocalDate, dayStart_ms: Int64 = 0
    ) -> [Segment] {
        switch length {
        case .hourly: hours(from, to, dayStart_ms)
        case .daily: days(from, to, step: 1, dayStart_ms)
        case .weekly: days(from.monday, to, step: 7, dayStart_ms)
        }
    }

    /// The first instant of a local day.
    package func start_ms(of date: LocalDate, _ dayStart_ms: Int64 = 0) -> Int64 {
        instant_ms(ofWall: Int64(date.dayNumber) * Span.day_ms + dayStart_ms)
    }

    private func days(_ from: LocalDate, _ to: LocalDate, step: Int, _ dayStart_ms: Int64) -> [Segment] {
        var segments: [Segment] = []
        var date = from
        var begin_ms = start_ms(of: date, dayStart_ms)
        while date <= to {
            let next = date.advanced(by: step)
            let end_ms = start_ms(of: next, dayStart_ms)
            if let interval = TimeRange(start_ms: begin_ms, end_ms: end_ms) {
                segments.append(Segment(interval: interval, label: date.description))
            }
            (date, begin_ms) = (next, end_ms)
        }
        return segments
    }

    /// Cut where the wall clock shows a full hour, and where its offset changes: no segment mixes two hours,
    /// and a repeated hour is two segments.
    private func hours(_ from: LocalDate, _ to: LocalDate, _ dayStart_ms: Int64) -> [Segment] {
        guard let whole = interval(from: from, through: to, dayStart_ms: dayStart_ms) else { return [] }
        var segments: [Segment] = []
        var begin_ms = whole.start_ms
        while begin_ms < whole.end_ms {
            let offset_ms = offset_ms(at: begin_ms)
            let full_ms = begin_ms + Span.hour_ms - (begin_ms + offset_ms).flooredRemainder(Span.hour_ms)
            let end_ms = min(offsetChange(after: begin_ms, until: full_ms) ?? full_ms, whole.end_ms)
            guard let interval = TimeRange(start_ms: begin_ms, end_ms: end_ms) else { break }
            segments.append(Segment(interval: interval, label: timestamp(begin_ms, offset_ms)))
            begin_ms = end_ms
        }
        return segments
    }

    /// RFC 3339 to the second with the zone's offset, `2023-06-01T14:00:00+05:45`. UTC is `Z`-free: `+00:00`.
    package func timestamp(at instant_ms: Int64) -> String {
        timestamp(instant_ms, offset_ms(at: instant_ms))
    }

    private func timestamp(_ instant_ms: Int64, _ offset_ms: Int64) -> String {
        let wall_ms = instant_ms + offset_ms
        let date = LocalDate(dayNumber: Int(wall_ms.flooredQuotient(Span.day_ms)))
        let second = Int(wall_ms.flooredRemainder(Span.day_ms) / 1000)
        let minutes = Int(abs(offset_ms) / Span.minute_ms)
        return "\(date)T\(padded(second / 3600, 2)):\(padded(second / 60 % 60, 2)):\(padded(second % 60, 2))"
            + "\(offset_ms < 0 ? "-" : "+")\(padded(minutes / 60, 2)):\(padded(minutes % 60, 2))"
    }
}
