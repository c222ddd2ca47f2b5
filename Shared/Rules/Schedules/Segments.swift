package import Contract
package import Rules
package import Units

/// One segment of a report with the label of its rows.
package struct Segment: Hashable, Sendable {
    /// Its start and end.
    package let interval: TimeRange
    /// Daily and weekly: the local date of its start. Hourly: RFC 3339 with the offset.
    package let label: String
}

extension Zone {
    /// The range of the local days from `from` to `to`, inclusive; nil if it is empty.
    /// - Parameter dayStart: start of a day on the wall clock, from 0 (midnight) to less than 24 h.
    package func interval(from: LocalDate, through to: LocalDate, dayStart: Milliseconds = 0) -> TimeRange? {
        TimeRange(
            start: start(of: from, dayStart), end: start(of: to.advanced(by: 1), dayStart))
    }

    /// The complete segments that contain the local days from `from` to `to`; weeks extend from Monday to
    /// Sunday. A day that does not exist has none. They are contiguous.
    package func segments(
        _ length: ReportSegment, from: LocalDate, through to: LocalDate, dayStart: Milliseconds = 0
    ) -> [Segment] {
        switch length {
        case .hourly: hours(from, to, dayStart)
        case .daily: days(from, to, step: 1, dayStart)
        case .weekly: days(from.monday, to, step: 7, dayStart)
        }
    }

    /// The first instant of a local date.
    package func start(of date: LocalDate, _ dayStart: Milliseconds = 0) -> Instant {
        instant(ofWall: Milliseconds.days(Int64(date.dayNumber)) + dayStart)
    }

    /// The first start of a day after an instant: the end of the day that contains it.
    package func dayEnd(after instant: Instant, dayStart: Milliseconds = 0) -> Instant {
        // From the day before on: its day start may not have come yet.
        var date = date(at: instant).advanced(by: -1)
        while start(of: date, dayStart) <= instant { date = date.advanced(by: 1) }
        return start(of: date, dayStart)
    }

    private func days(_ from: LocalDate, _ to: LocalDate, step: Int, _ dayStart: Milliseconds) -> [Segment] {
        var segments: [Segment] = []
        var date = from
        var begin = start(of: date, dayStart)
        while date <= to {
            let next = date.advanced(by: step)
            let end = start(of: next, dayStart)
            if let interval = TimeRange(start: begin, end: end) {
                segments.append(Segment(interval: interval, label: date.description))
            }
            (date, begin) = (next, end)
        }
        return segments
    }

    /// Split where the wall clock shows a full hour, and where its offset changes: no segment contains parts
    /// of two hours, and a repeated hour is two segments.
    private func hours(_ from: LocalDate, _ to: LocalDate, _ dayStart: Milliseconds) -> [Segment] {
        guard let whole = interval(from: from, through: to, dayStart: dayStart) else { return [] }
        var segments: [Segment] = []
        var begin = whole.start
        var offset = offset(at: begin)
        var label = DigitText()
        while begin < whole.end {
            let full = begin + (.hour - (begin.sinceEpoch + offset).flooredRemainder(.hour))
            let offsetAtFull = self.offset(at: full)
            let change = offsetAtFull == offset ? nil : offsetChange(after: begin, until: full)
            let end = min(change ?? full, whole.end)
            guard let interval = TimeRange(start: begin, end: end) else { break }
            segments.append(Segment(interval: interval, label: timestamp(begin, offset, &label)))
            begin = end
            offset = end == full ? offsetAtFull : self.offset(at: end)
        }
        return segments
    }

    /// RFC 3339 in seconds with the zone's offset: `2023-06-01T14:00:00+05:45`. UTC is written `+00:00`.
    package func timestamp(at instant: Instant) -> String {
        var text = DigitText()
        return timestamp(instant, offset(at: instant), &text)
    }

    private func timestamp(_ instant: Instant, _ offset: Milliseconds, _ text: inout DigitText) -> String {
        text.clear()
        let wall = instant.sinceEpoch + offset
        let date = LocalDate(dayNumber: Int(wall.flooredQuotient(Milliseconds.day)))
        let second = Int(wall.flooredRemainder(.day) / .second)
        let minutes = Int(abs(offset) / Milliseconds.minute)
        text.add(date)
        text.add("T")
        text.add(second / 3600, digits: 2)
        text.add(":")
        text.add(second / 60 % 60, digits: 2)
        text.add(":")
        text.add(second % 60, digits: 2)
        text.add(offset < 0 ? "-" : "+")
        text.add(minutes / 60, digits: 2)
        text.add(":")
        text.add(minutes % 60, digits: 2)
        return text.string
    }
}
