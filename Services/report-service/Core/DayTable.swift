import Rules
import Schedules
import Store
import Units

/// What makes a local day.
struct DayCalendar: Hashable {
    var zone: Zone
    /// When a day begins, minutes after midnight.
    var dayStart_minutes: Int64

    var dayStart: Milliseconds { dayStart_minutes * Milliseconds.minute }
}

/// The days of a few calendars, kept once they were asked for and over. Late data removes exactly the days it
/// touches.
extension UsageCopy {
    /// Part of a write.
    func forgetDays(touching quarters: ClosedRange<Int64>, of member: Int) throws(StoreError) {
        let start = Quarter.start(quarters.lowerBound)
        let end = Quarter.start(quarters.upperBound + 1)
        // By calendar, so that only days near the quarters are looked at.
        try database.run(
            "DELETE FROM day WHERE member = ?1 AND calendar IN (SELECT id FROM calendar) "
                + "AND start_ms > ?2 AND start_ms < ?3 AND end_ms > ?4", member,
            start - ReportLimits.dayMax, end, start)
    }

    /// Sections of days, one for each, from the kept days and for the rest from the roll-ups. What is over is
    /// kept from now on.
    /// - Parameter byDevice: false when only all devices together are asked for.
    func days(
        _ days: [TimeRange], of member: Int, _ calendar: DayCalendar, now: Instant, byDevice: Bool
    ) throws -> [UseSections] {
        guard let first = days.first, let last = days.last else { return [] }
        let number = try find(calendar)
        var kept: [Instant: UseSections] = [:]
        if let number {
            kept.reserveCapacity(days.count)
            let rows = try database.prepare(
                "SELECT start_ms, end_ms, sections FROM day WHERE member = ?1 AND calendar = ?2 "
                    + "AND start_ms >= ?3 AND start_ms <= ?4")
            defer { rows.reset() }
            try rows.bind(all: [member, number, first.start, last.start])
            while try rows.step() {
                let start = rows.instant(0)
                // An error inside of the closure becomes nil: there is only one.
                let sections = rows.withBytes(2) { try? UseSections(packed: $0, from: start, byDevice) }
                guard let sections else { throw StoreError(.damaged, message: "a kept day is damaged") }
                kept[start] = sections
            }
        }
        var made: [(day: TimeRange, sections: UseSections)] = []
        let all = try days.map { day in
            if let sections = kept[day.start] { return sections }
            let sections = try sections(of: member, in: day, byDevice: true)
            if day.end <= now { made.append((day, sections)) }
            return sections
        }
        if !made.isEmpty { keep(made, of: member, calendar, now: now) }
        return all
    }

    private func find(_ calendar: DayCalendar) throws(StoreError) -> Int? {
        try database.first(
            "SELECT id FROM calendar WHERE zone = ?1 AND day_start_minutes = ?2", calendar.zone.identifier,
            calendar.dayStart_minutes
        ) { Int($0.int64(0)) }
    }

    /// A report is not refused because its days cannot be kept: a full disk, say.
    private func keep(
        _ made: [(day: TimeRange, sections: UseSections)], of member: Int, _ calendar: DayCalendar,
        now: Instant
    ) {
        // What failed is undone, and the same days are made again the next time they are asked for.
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

    /// Those that got new days longest ago go first.
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
