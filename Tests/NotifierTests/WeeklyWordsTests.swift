import Schedules
import Testing
import Units

@testable import NotifierCore

/// The words of the weekly report.
struct WeeklyWordsTests {
    private func week(
        _ total: Milliseconds, before: Milliseconds? = nil, from first: String = "2026-11-16",
        top: [(String, Milliseconds)] = []
    ) throws -> WeekOfUse {
        WeekOfUse(
            first: try #require(LocalDate(first)), total: total, before: before,
            top: top.map { WeekOfUse.App(name: $0, duration: $1) })
    }

    @Test func theyTellTheTimeTheChangeAndTheApps() throws {
        let use = try week(
            .minutes(1_344), before: .minutes(1_527), from: "2026-11-28",
            top: [("Firefox", .minutes(362)), ("Terminal", .hours(4)), ("Marble Game", .seconds(59))])
        let english = WeeklyWords.english.text(use, nil)
        #expect(english.title == "Last 7 days: 22 h 24 min")
        #expect(
            english.body == """
                Nov 28 to Dec 4: 12% less than in the 7 days before.
                Most used: Firefox 6 h 2 min, Terminal 4 h, Marble Game under 1 min.
                """)
        let korean = WeeklyWords.korean.text(use, nil)
        #expect(korean.title == "지난 7일: 22시간 24분")
        #expect(
            korean.body == """
                11월 28일~12월 4일: 그 전 7일보다 12% 적습니다.
                가장 많이 사용: Firefox 6시간 2분, Terminal 4시간, Marble Game 1분 미만
                """)
    }

    @Test(arguments: [
        (60, nil, ".", ""),
        (60, 30, ": 100% more than in the 7 days before.", ": 그 전 7일보다 100% 많습니다."),
        (99, 10, ": 890% more than in the 7 days before.", ": 그 전 7일보다 890% 많습니다."),
        (101, 10, ": more than 10 times as much as in the 7 days before.", ": 그 전 7일의 10배가 넘습니다."),
        (60, 0, ".", ""),
        (1_000, 1_004, ": as much as in the 7 days before.", ": 그 전 7일과 같습니다."),
    ] as [(Int64, Int64?, String, String)])
    func theChangeIsInWholePercent(
        _ minutes: Int64, _ before: Int64?, _ english: String, _ korean: String
    ) throws {
        let use = try week(.minutes(minutes), before: before.map { .minutes($0) })
        #expect(WeeklyWords.english.text(use, nil).body == "Nov 16 to Nov 22" + english)
        #expect(WeeklyWords.korean.text(use, nil).body == "11월 16일~11월 22일" + korean)
    }

    /// What comes late, because the machine was off, is about a week that is over.
    @Test func anEarlierWeekIsNotTheLastSevenDays() throws {
        var use = try week(.hours(2))
        use.isNewest = false
        #expect(WeeklyWords.english.text(use, nil).title == "Nov 16 to Nov 22: 2 h")
        #expect(WeeklyWords.english.text(use, "Mina").title == "Mina, Nov 16 to Nov 22: 2 h")
        #expect(WeeklyWords.korean.text(use, nil).title == "11월 16일~11월 22일: 2시간")
        #expect(WeeklyWords.korean.text(use, "Mina").title == "Mina 님의 11월 16일~11월 22일: 2시간")
    }

    /// A week without a measurement is not a week without use.
    @Test func nothingMeasuredIsSaid() throws {
        let use = try week(0, before: .hours(3))
        let english = WeeklyWords.english.text(use, "Mina")
        #expect(english.title == "Mina, last 7 days: no use measured")
        #expect(english.body.contains("Nothing was measured on Nov 16 to Nov 22."))
        let korean = WeeklyWords.korean.text(use, "Mina")
        #expect(korean.title == "Mina 님의 지난 7일: 측정된 사용 없음")
        #expect(korean.body.contains("11월 16일~11월 22일에 측정된 사용이 없습니다."))
    }

    @Test(arguments: [([], "en"), (["fr", "ko"], "ko"), (["de"], "en"), (["en", "ko"], "en")])
    func theyAreInTheFirstLanguageThatIsKnown(_ languages: [String], _ chosen: String) {
        #expect(WeeklyWords.chosen(from: languages).language == chosen)
    }
}
