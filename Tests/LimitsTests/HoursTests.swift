import Contract
import Rules
import Schedules
import Testing
import Units

@testable import LimitsCore

/// Hours, as computed from the schedules registered for them, compared with the wall clock.
@Suite struct HoursTests {
    private static let game = LimitTarget(.app, "game")

    /// What the monitor decides when these activities run at an instant.
    private static func isShut(_ plan: LimitPlan, _ zone: Zone, _ at: Instant) throws -> Bool {
        let activities = try plan.activities.map { activity in
            let schedule = try CivilSchedule(activity.schedule, zone: zone)
            return (name: activity.name, runs: schedule.occurrence(containing: at) != nil)
        }
        return Hours(activities).isShut(game)
    }

    /// By the wall clock alone: the day has hours, and no window of this day or the one before is open.
    private static func isShut(_ rules: [Int64: [TimeWindow]], weekday: Int64, minute: Int64) -> Bool {
        guard let today = rules[weekday] else { return false }
        let before = rules[weekday == 1 ? 7 : weekday - 1] ?? []
        let isOpen =
            today.contains { window in
                minute >= window.start && (window.end <= window.start || minute < window.end)
            } || before.contains { $0.end <= $0.start && minute < $0.end }
        return !isOpen
    }

    @Test func aWeekOfSeveralWindowsOverMidnightIsAsTheWallClockSays() throws {
        var plan = LimitPlan()
        plan.set(
            try TimeWindow.parse("07:00-08:00,16:00-19:00,22:30-00:15"), Self.game,
            try Weekdays.parse("mon-fri"))
        plan.set(try TimeWindow.parse("10:00-24:00"), Self.game, [7])
        let rules = try #require(plan.hours[Self.game])
        // Sunday, 1 March 2026; no clock changes in this week.
        let zone = try Zone("Europe/Berlin")
        let sunday = zone.instant(ofWall: .days(Int64(LocalDate("2026-03-01")?.dayNumber ?? 0)))
        for minute in stride(from: Int64(0), to: 7 * 1_440, by: 5) {
            #expect(
                try Self.isShut(plan, zone, sunday + .minutes(minute))
                    == Self.isShut(rules, weekday: minute / 1_440 + 1, minute: minute % 1_440),
                "minute \(minute)")
        }
    }

    @Test func aDayOfTwentyThreeHoursKeepsItsWallTimes() throws {
        var plan = LimitPlan()
        plan.set(try TimeWindow.parse("01:00-04:00"), Self.game, Weekdays.all)
        let zone = try Zone("Europe/Berlin")
        // 29 March 2026: from 02:00 the clock goes to 03:00.
        let midnight = zone.instant(ofWall: .days(Int64(LocalDate("2026-03-29")?.dayNumber ?? 0)))
        let changes = try (0..<24 * 60).filter { minute in
            try Self.isShut(plan, zone, midnight + .minutes(Int64(minute)))
                != Self.isShut(plan, zone, midnight + .minutes(Int64(minute + 1)))
        }
        #expect(changes.prefix(2) == [59, 179], "open for two real hours")
    }

    /// As activity-center lists them just before `instant`: the present interval of each, or the next one.
    private static func registered(_ plan: LimitPlan, _ zone: Zone, _ instant: Instant) throws
        -> [MonitoredActivity]
    {
        try plan.activities.map { activity in
            let schedule = try CivilSchedule(activity.schedule, zone: zone)
            let interval = try #require(schedule.current(orNextAfter: instant - 1))
            var entry = MonitoredActivity()
            entry.activity = activity
            entry.inInterval = interval.contains(instant - 1)
            (entry.intervalStart, entry.intervalEnd) = (interval.start, interval.end)
            return entry
        }
    }

    /// What the warning before the end of a window asks.
    @Test func whetherATargetWillBeShutIsKnownBefore() throws {
        let zone = try Zone("Europe/Berlin")
        let sunday = zone.instant(ofWall: .days(Int64(LocalDate("2026-03-01")?.dayNumber ?? 0)))
        var plans: [LimitPlan] = []
        for text in [
            "07:00-08:00,22:30-00:15", "00:00-06:00,20:00-24:00", "00:00-06:00,06:30-24:00",
            "mon-fri 00:00-24:00; sun 10:00-24:00", "sat 10:00-24:00; sun 00:00-10:00,12:00-24:00",
            "mon 20:00-02:00; tue 01:00-03:00; wed none",
        ] {
            var plan = LimitPlan()
            for part in try WeekHours(text, days: nil).parts { plan.set(part.windows, Self.game, part.days) }
            plans.append(plan)
        }
        var whole = LimitPlan()
        whole.set([try TimeWindow("00:00-00:00", wholeDay: true)], Self.game, Weekdays.all)
        for plan in plans + [whole] {
            for minute in stride(from: Int64(15), through: 8 * 1_440, by: 15) {
                let instant = sunday + .minutes(minute)
                let hours = Hours(try Self.registered(plan, zone, instant), at: instant)
                #expect(try hours.isShut(Self.game) == Self.isShut(plan, zone, instant), "minute \(minute)")
            }
        }
    }

    @Test func windowsThatTouchAreOneAndWrongOnesAreRefused() throws {
        #expect(try TimeWindow.parse("08:00-09:00,07:00-08:00").map(\.text) == ["07:00-09:00"])
        #expect(try TimeWindow.parse("7:00-8:30,08:00-24:00").map(\.text) == ["07:00-24:00"])
        for text in [
            "", "7-8", "07:00", "07:00-07:00", "24:00-08:00", "07:60-08:00", "07:00-08:00,", "-07:00-08:00",
            "+7:+5-08:00",
        ] {
            #expect(throws: ServiceError.self, "\(text)") { try TimeWindow.parse(text) }
        }
    }

    @Test func daysAreRunsOfTheWeek() throws {
        #expect(Weekdays.text(try Weekdays.parse("mon-fri")) == "mon-fri")
        #expect(Weekdays.text(try Weekdays.parse("sun,sat")) == "sat,sun")
        #expect(try Weekdays.parse("fri-mon") == [6, 7, 1, 2])
        #expect(Weekdays.text(try Weekdays.parse("sun-sat")) == "every day")
        for text in ["", "someday", "mon-", "mon-fri-sun", "mon,,tue"] {
            #expect(throws: ServiceError.self, "\(text)") { try Weekdays.parse(text) }
        }
    }
}
