import Foundation
import FoundationExtras
import Testing

@testable import FoundationExtras

/// Words for lengths of time, and how languages count.
@Suite struct FormatterTests {
    private func text(
        _ seconds: TimeInterval, _ style: DateComponentsFormatter.UnitsStyle,
        _ units: NSCalendar.Unit = [.hour, .minute, .second],
        zeros: DateComponentsFormatter.ZeroFormattingBehavior = .default, count: Int = 0
    ) -> String? {
        let formatter = DateComponentsFormatter()
        formatter.unitsStyle = style
        formatter.allowedUnits = units
        formatter.zeroFormattingBehavior = zeros
        formatter.maximumUnitCount = count
        formatter.calendar?.locale = Locale(identifier: "en_US")
        return formatter.string(from: seconds)
    }

    @Test func lengthsOfTimeInEveryStyle() {
        #expect(text(3_723, .positional) == "1:02:03")
        #expect(text(3_723, .abbreviated) == "1h 2m 3s")
        #expect(text(3_723, .short) == "1 hr, 2 min, 3 sec")
        #expect(text(3_723, .full) == "1 hour, 2 minutes, 3 seconds")
        #expect(text(3_723, .brief) == "1hr 2min 3sec")
        #expect(text(3_660, .full, [.hour, .minute]) == "1 hour, 1 minute")
        #expect(text(5_400, .full, [.minute]) == "90 minutes")
        #expect(text(90_061, .abbreviated, [.day, .hour, .minute]) == "1d 1h 1m")
        #expect(text(-60, .abbreviated) == "-1m")
    }

    @Test func zerosAreDroppedAsAsked() {
        #expect(text(3_600, .abbreviated) == "1h")
        #expect(text(0, .abbreviated) == "0s")
        #expect(text(65, .positional) == "1:05")
        #expect(text(3_600, .positional) == "1:00:00")
        #expect(text(65, .positional, zeros: .pad) == "00:01:05")
        #expect(text(3_600, .abbreviated, zeros: .pad) == "1h 0m 0s")
        #expect(text(3_603, .abbreviated, zeros: .dropMiddle) == "1h 3s")
        #expect(text(3_723, .abbreviated, count: 2) == "1h 2m")
    }

    @Test func componentsAndDates() {
        let formatter = DateComponentsFormatter()
        formatter.unitsStyle = .full
        formatter.calendar?.locale = Locale(identifier: "en_US")
        #expect(formatter.string(from: DateComponents(minute: 90)) == "1 hour, 30 minutes")
        formatter.allowedUnits = [.month, .day]
        var calendar = Calendar(identifier: .gregorian)
        calendar.timeZone = .gmt
        calendar.locale = Locale(identifier: "en_US")
        formatter.calendar = calendar
        let start = Date(timeIntervalSince1970: 0)
        #expect(formatter.string(from: start, to: start.addingTimeInterval(86_400 * 33)) == "1 month, 2 days")
        formatter.includesTimeRemainingPhrase = true
        #expect(formatter.string(from: 86_400) == "1 day remaining")
    }

    @Test func distancesInTime() {
        let formatter = RelativeDateTimeFormatter()
        formatter.locale = Locale(identifier: "en_US")
        let now = Date(timeIntervalSince1970: 1_700_000_000)
        #expect(
            formatter.localizedString(for: now.addingTimeInterval(-7_200), relativeTo: now) == "2 hours ago")
        #expect(
            formatter.localizedString(for: now.addingTimeInterval(300), relativeTo: now) == "in 5 minutes")
        formatter.unitsStyle = .short
        #expect(
            formatter.localizedString(for: now.addingTimeInterval(-7_200), relativeTo: now) == "2 hr. ago")
        formatter.dateTimeStyle = .named
        formatter.locale = Locale(identifier: "de_DE")
        #expect(formatter.localizedString(for: now.addingTimeInterval(-86_400), relativeTo: now) == "gestern")
    }

    @Test(arguments: [
        ("en", [0: "other", 1: "one", 2: "other"]), ("fr", [0: "one", 1: "one", 2: "other"]),
        ("ru", [1: "one", 3: "few", 5: "many", 11: "many", 21: "one", 22: "few"]),
        ("pl", [1: "one", 2: "few", 12: "many", 21: "many"]), ("ja", [1: "other"]),
        ("ar", [0: "zero", 1: "one", 2: "two", 5: "few", 50: "many", 100: "other"]),
    ])
    func languagesCountTheirOwnWay(language: String, categories: [Int64: String]) {
        for (number, category) in categories {
            #expect(Languages.plural(of: number, in: language) == category, "\(language) \(number)")
        }
    }

    @Test func namesOfLanguagesAreTriedFromTheMostSpecific() {
        #expect(Languages.names(of: "de_CH.UTF-8") == ["de-CH", "de_CH", "de"])
        #expect(Languages.names(of: "zh_TW") == ["zh-TW", "zh_TW", "zh-Hant", "zh"])
        #expect(Languages.names(of: "C.UTF-8") == [])
    }

    @Test func listsOfWords() {
        let formatter = ListFormatter()
        formatter.locale = Locale(identifier: "de_DE")
        #expect(formatter.string(from: ["a", 2, "c"]) == "a, 2 und c")
    }

    @Test func notificationsAreAwaited() async {
        let center = NotificationCenter()
        let name = Notification.Name("limitReached")
        let postings = center.notifications(named: name)
        center.post(name: name, object: nil, userInfo: ["minutes": 5])
        for await posting in postings {
            #expect(posting.userInfo?["minutes"] as? Int == 5)
            break
        }
        #expect(autoreleasepool { 3 } == 3)
        #expect(abs(CFAbsoluteTimeGetCurrent() - Date().timeIntervalSinceReferenceDate) < 60)
    }
}
