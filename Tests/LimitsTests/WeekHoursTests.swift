import Contract
import Testing

@testable import LimitsCore

/// The hours of a command: of some weekdays, or of each by its name.
@Suite struct WeekHoursTests {
    private static let game = LimitTarget(.app, "game")

    @Test func oneTimeIsOfTheDaysOfTheCommand() throws {
        let windows = try TimeWindow.parse("07:00-08:00,16:00-19:00")
        let week = try WeekHours("07:00-08:00,16:00-19:00", days: [2, 3])
        #expect(week.parts == [WeekHours.Part(days: [2, 3], windows: windows)])
        #expect(try WeekHours("none", days: nil).parts == [WeekHours.Part(days: Weekdays.all, windows: [])])
        #expect(try WeekHours("any", days: [7]).parts == [WeekHours.Part(days: [7], windows: nil)])
    }

    @Test func severalTimesAreOfTheDaysThatTheyName() throws {
        let week = try WeekHours("mon-fri 16:00-19:00,22:00-01:00; sat none;sun any", days: nil)
        #expect(
            week.parts == [
                WeekHours.Part(
                    days: [2, 3, 4, 5, 6], windows: try TimeWindow.parse("16:00-19:00,22:00-01:00")),
                WeekHours.Part(days: [7], windows: []), WeekHours.Part(days: [1], windows: nil),
            ])
        #expect(try WeekHours("wed any", days: nil).parts == [WeekHours.Part(days: [4], windows: nil)])
    }

    @Test(
        arguments: [
            "mon,tue 16:00-19:00,22:00-01:00;sat none", " mon, tue\t16:00-19:00, 22:00-01:00;\nsat  NONE ;",
            "MON,Tue\u{a0}16:00-19:00,22:00-01:00; sat None;",
        ])
    func spacesAndLargeLettersDoNotMatter(text: String) throws {
        let evenings = try TimeWindow.parse("16:00-19:00,22:00-01:00")
        #expect(
            try WeekHours(text, days: nil).parts == [
                WeekHours.Part(days: [2, 3], windows: evenings), WeekHours.Part(days: [7], windows: []),
            ])
    }

    @Test func theTimesOfADayAreAtMost24Hours() throws {
        let day = [TimeWindow(start: 480, end: 480)]
        #expect(try WeekHours("sat 08:00-20:00,20:00-08:00", days: nil).parts[0].windows == day)
        #expect(throws: ServiceError.self) { try WeekHours("08:00-20:00,19:00-08:01", days: [7]) }
    }

    @Test func aPlanHasWhatTheyNameAndKeepsTheOtherDays() throws {
        var plan = LimitPlan()
        for text in ["07:00-08:00", "mon 09:00-10:00; tue any; wed none"] {
            for part in try WeekHours(text, days: nil).parts { plan.set(part.windows, Self.game, part.days) }
        }
        let old = try TimeWindow.parse("07:00-08:00")
        #expect(
            plan.hours[Self.game]
                == [1: old, 2: try TimeWindow.parse("09:00-10:00"), 4: [], 5: old, 6: old, 7: old])
    }

    @Test(
        arguments: [
            ("mon-fri 16:00-19:00; fri any", "fri stands twice"),
            ("mon 7-8", "'7-8' is not a time of day"), ("noday any", "'noday' is not a list of weekdays"),
            ("mon 07:00-08:00 09:00-10:00", "'mon 07:00-08:00 09:00-10:00' is not weekdays and times"),
            ("07:00-08:00; sat any", "'07:00-08:00' is not weekdays and times"),
            ("sat", "'sat' is not weekdays and times"), ("", "'' is not a time of day"),
            (" ; ", "'' is not a time of day"),
            ("sat 08:00-24:00,20:00-10:00", "the times from 08:00 on are longer than 24 hours together"),
        ])
    func whatIsNoHoursIsRefusedByName(text: String, sentence: String) {
        let error = #expect(throws: ServiceError.self) { try WeekHours(text, days: nil) }
        #expect(error?.name == .invalidArgument)
        #expect(error?.message == sentence)
    }

    @Test func weekdaysAreNamedOnce() {
        let error = #expect(throws: ServiceError.self) { try WeekHours("mon any", days: [2]) }
        #expect(error?.message == "'mon any' names weekdays, and --days does, too")
    }
}
