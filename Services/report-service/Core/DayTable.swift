import Rules
import Schedules
import Store
import Units

/// What defines a local day.
struct DayCalendar: Hashable {
    var zone: Zone
    /// Start of a day in minutes after midnight.
    var dayStart_minutes: Int64

    var dayStart: Milliseconds { dayStart_minutes * Milliseconds.minute }
}

/// Cached days of a few calendars, stored after they were requested and had ended. Late data deletes exactly
/// the days that it concerns.
extension UsageCopy {
    /// Call inside a write.
    func forgetDays(touching quarters: ClosedRange<Int64>, of member: Int) throws(StoreError) {
        let start = Quarter.start(quarters.lowerBound)
        let end = Quarter.start(quarters.upperBound + 1)
        // By calendar, so that only days near the quarters are examined.
        try database.run(
            "DELETE FROM day WHERE member = ?1 AND calendar IN (SELECT id FROM calendar) "
                + "AND start_ms > ?2 AND start_ms < ?3 AND end_ms > ?4", member,
            start - ReportLimits.dayMax, end, start)
    }

    /// The sections of each day, from the cache and otherwise from the roll-ups. Ended days are then cached.
    /// - Parameters:
    ///   - days: sorted.
    ///   - detail: what is needed of them.
    func days(
        _ days: [TimeRange], of member: Int, _ calendar: DayCalendar, now: Instant, _ detail: UseDetail
    ) throws -> [UseSections] {
        guard let first = days.first, let last = days.last else { return [] }
        var kept = try cached(first.start...last.start, of: member, calendar, detail)[...]
        var made: [(day: TimeRange, sections: UseSections)] = []
        let all = try days.map { day in
            kept = kept.drop { $0.start < day.start }
            // A change of the zone's rules may have moved its end.
            if let kept = kept.first, kept.start == day.start, kept.end == day.end { return kept.sections }
            let sections = try sections(of: member, in: day, .devices)
            if day.end <= now { made.append((day, sections)) }
            return sections
        }
        if !made.isEmpty { keep(made, of: member, calendar, now: now) }
        return all
    }

    /// Sorted by start.
    private func cached(
        _ starts: ClosedRange<Instant>, of member: Int, _ calendar: DayCalendar, _ detail: UseDetail
    ) throws(StoreError) -> [(start: Instant, end: Instant, sections: UseSections)] {
        guard let number = try find(calendar) else { return [] }
        return try database.query(
            "SELECT start_ms, end_ms, sections FROM day WHERE member = ?1 AND calendar = ?2 "
                + "AND start_ms >= ?3 AND start_ms <= ?4 ORDER BY start_ms", member, number,
            starts.lowerBound, starts.upperBound
        ) { (row) throws(StoreError) in
            let start = row.instant(0)
            // Any error inside the closure becomes nil; there is only one kind.
            let sections = row.withBytes(2) { try? UseSections(packed: $0, from: start, detail) }
            guard let sections else { throw StoreError(.damaged, message: "a kept day is damaged") }
            return (start, row.instant(1), sections)
        }
    }

    private func find(_ calendar: DayCalendar) throws(StoreError) -> Int? {
        try database.first(
            "SELECT id FROM calendar WHERE zone = ?1 AND day_start_minutes = ?2", calendar.zone.identifier,
            calendar.dayStart_minutes
        ) { Int($0.int64(0)) }
    }

    /// A report does not fail if its days cannot be cached, for example on a full disk.
    private func keep(
        _ made: [(day: TimeRange, sections: UseSections)], of member: Int, _ calendar: DayCalendar,
        now: Instant
    ) {
        // A failed write is undone; the days are computed again for the next request.
        try? database.write { database in
            try database.run(
                "INSERT INTO calendar (zone, day_start_minutes, used_ms) VALUES (?1, ?2, ?3) "
                    + "ON CONFLICT (zone, day_start_minutes) DO UPDATE SET used_ms = ?3",
                calendar.zone.identifier, calendar.dayStart_minutes, now)
            guard let number = try find(calendar) else { return }
            try forgetCalendars(but: number)
            let insert = try database.prepare(
                "INSERT OR REPLACE INTO day (member, calendar, start_ms, end_ms, sections) "
                    + "VALUES (?1, ?2, ?3, ?4, ?5)")
            for (day, sections) in made {
                try insert.run(
                    member, number, day.start, day.end, sections.packed(from: day.start))
            }
        }
    }

    /// Deletes the calendars whose days were cached longest ago.
    private func forgetCalendars(but number: Int) throws(StoreError) {
        let old = try database.query(
            "SELECT id FROM calendar WHERE id <> ?1 ORDER BY used_ms DESC LIMIT -1 OFFSET ?2", number,
            ReportLimits.calendarsMax - 1
        ) { Int($0.int64(0)) }
        for calendar in old {
            try database.run("DELETE FROM day WHERE calendar = ?1", calendar)
            try database.run("DELETE FROM calendar WHERE id = ?1", calendar)
        }
    }
}
