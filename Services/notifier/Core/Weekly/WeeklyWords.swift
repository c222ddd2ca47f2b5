import Contract
import Schedules
import Units

/// The words of a weekly report in one language.
struct WeeklyWords: Sendable {
    /// The code of the language.
    let language: String
    /// - Parameter member: their name; nil: the person who reads it.
    let text: @Sendable (_ week: WeekOfUse, _ member: String?) -> (title: String, body: String)

    static let all = [english, korean]

    /// In the first of these languages that is known; else in English.
    static func chosen(from languages: [String]) -> WeeklyWords {
        PersonLanguage.chosen(all, \.language, wanted: languages)
    }

    // MARK: English

    static let english = WeeklyWords(language: "en") { week, member in
        let days = daysInEnglish(week)
        let which = week.isNewest ? "last 7 days" : days
        let subject = member.map { "\($0), \(which)" } ?? (week.isNewest ? "Last 7 days" : days)
        guard week.total > 0 else {
            return (
                "\(subject): no use measured",
                "Nothing was measured on \(days). `screentime doctor` tells what does not run."
            )
        }
        var lines = ["\(days)\(week.change_percent.map { ": " + changeInEnglish($0) } ?? "")."]
        if !week.top.isEmpty {
            let apps = week.top.map { "\($0.name) \(lengthInEnglish($0.duration))" }
            lines.append("Most used: \(apps.joined(separator: ", ")).")
        }
        return ("\(subject): \(lengthInEnglish(week.total))", lines.joined(separator: "\n"))
    }

    private static func changeInEnglish(_ percent: Int64) -> String {
        switch percent {
        case 0: "as much as in the 7 days before"
        case ..<0: "\(-percent)% less than in the 7 days before"
        case 900...: "more than 10 times as much as in the 7 days before"
        default: "\(percent)% more than in the 7 days before"
        }
    }

    private static func daysInEnglish(_ week: WeekOfUse) -> String {
        let months = [
            "Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec",
        ]
        func text(_ date: LocalDate) -> String { "\(months[date.month - 1]) \(date.day)" }
        return "\(text(week.first)) to \(text(week.last))"
    }

    private static func lengthInEnglish(_ time: Milliseconds) -> String {
        let (hours, minutes) = parts(time)
        switch (hours, minutes) {
        case (0, 0): return "under 1 min"
        case (0, _): return "\(minutes) min"
        case (_, 0): return "\(hours) h"
        default: return "\(hours) h \(minutes) min"
        }
    }

    // MARK: Korean

    static let korean = WeeklyWords(language: "ko") { week, member in
        let days = "\(dayInKorean(week.first))~\(dayInKorean(week.last))"
        let which = week.isNewest ? "지난 7일" : days
        let subject = member.map { "\($0) 님의 \(which)" } ?? which
        guard week.total > 0 else {
            return (
                "\(subject): 측정된 사용 없음",
                "\(days)에 측정된 사용이 없습니다. 실행되지 않는 것은 `screentime doctor`로 확인할 수 있습니다."
            )
        }
        var lines = [week.change_percent.map { "\(days): \(changeInKorean($0))" } ?? days]
        if !week.top.isEmpty {
            let apps = week.top.map { "\($0.name) \(lengthInKorean($0.duration))" }
            lines.append("가장 많이 사용: \(apps.joined(separator: ", "))")
        }
        return ("\(subject): \(lengthInKorean(week.total))", lines.joined(separator: "\n"))
    }

    private static func changeInKorean(_ percent: Int64) -> String {
        switch percent {
        case 0: "그 전 7일과 같습니다."
        case ..<0: "그 전 7일보다 \(-percent)% 적습니다."
        case 900...: "그 전 7일의 10배가 넘습니다."
        default: "그 전 7일보다 \(percent)% 많습니다."
        }
    }

    private static func dayInKorean(_ date: LocalDate) -> String { "\(date.month)월 \(date.day)일" }

    private static func lengthInKorean(_ time: Milliseconds) -> String {
        let (hours, minutes) = parts(time)
        switch (hours, minutes) {
        case (0, 0): return "1분 미만"
        case (0, _): return "\(minutes)분"
        case (_, 0): return "\(hours)시간"
        default: return "\(hours)시간 \(minutes)분"
        }
    }

    /// Whole hours and minutes, rounded down as in the console.
    private static func parts(_ time: Milliseconds) -> (hours: Int64, minutes: Int64) {
        let minutes = time / Milliseconds.minute
        return (minutes / 60, minutes % 60)
    }
}
