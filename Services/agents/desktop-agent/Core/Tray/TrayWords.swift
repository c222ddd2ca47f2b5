import Contract

/// What a tray icon says, in one language.
struct TrayWords: Sendable {
    /// ISO 639 code.
    var language: String
    /// What the icon is called.
    var title: String
    /// A length of time, in minutes.
    var time: @Sendable (_ minutes: Int64) -> String
    /// What is left of the limit that the icon speaks of.
    var left: @Sendable (_ time: String, _ name: String) -> String
    /// The same in a list.
    var row: @Sendable (_ time: String, _ name: String) -> String
    var over: @Sendable (_ name: String) -> String
    var rowOver: @Sendable (_ name: String) -> String
    var unlimited: String
    var unknown: String
    var everything: String
    var unknownApp: String
    var several: @Sendable (_ first: String, _ more: Int) -> String
    /// Limits that the list has no room for.
    var moreRows: @Sendable (_ count: Int) -> String
    /// Requests for more time that nobody decided.
    var requests: @Sendable (_ count: Int) -> String
    var open: String
    /// Title and text of a notification.
    var notOpened: String
    var whyNotOpened: String
    /// By the catalogue's id.
    var categories: [String: String]

    /// The person's language by the environment. English if none is known.
    static func chosen(by environment: [String: String]) -> TrayWords {
        PersonLanguage.chosen(
            [english, korean], \.language, wanted: PersonLanguage.wanted(by: environment))
    }

    static let english = TrayWords(
        language: "en",
        title: "Screen Time",
        time: { minutes in
            let (hours, rest) = (minutes / 60, minutes % 60)
            guard hours > 0 else { return "\(minutes) min" }
            return rest == 0 ? "\(hours) h" : "\(hours) h \(rest) min"
        },
        left: { "\($0) left: \($1)" },
        row: { "\($1): \($0) left" },
        over: { "Time is up: \($0)" },
        rowOver: { "\($0): time is up" },
        unlimited: "No limits today",
        unknown: "The time left is not known",
        everything: "Everything",
        unknownApp: "Unknown app",
        several: { $1 == 1 ? "\($0) and 1 other" : "\($0) and \($1) others" },
        moreRows: { $0 == 1 ? "1 more limit" : "\($0) more limits" },
        requests: { $0 == 1 ? "1 request waits" : "\($0) requests wait" },
        open: "Open Screen Time",
        notOpened: "Screen Time cannot be opened",
        whyNotOpened: "Type `screentime open` in a terminal: it says why.",
        categories: [
            "social": "Social", "games": "Games", "entertainment": "Entertainment",
            "creativity": "Creativity", "education": "Education", "health": "Health & Fitness",
            "reading": "Information & Reading", "productivity": "Productivity & Finance",
            "shopping": "Shopping & Food", "travel": "Travel", "utilities": "Utilities",
            "developer tools": "Developer Tools", "other": "Other",
        ])

    static let korean = TrayWords(
        language: "ko",
        title: "스크린 타임",
        time: { minutes in
            let (hours, rest) = (minutes / 60, minutes % 60)
            guard hours > 0 else { return "\(minutes)분" }
            return rest == 0 ? "\(hours)시간" : "\(hours)시간 \(rest)분"
        },
        left: { "\($0) 남음: \($1)" },
        row: { "\($1): \($0) 남음" },
        over: { "시간을 다 썼습니다: \($0)" },
        rowOver: { "\($0): 시간을 다 썼습니다" },
        unlimited: "오늘은 제한 없음",
        unknown: "남은 시간을 알 수 없습니다",
        everything: "전체",
        unknownApp: "알 수 없는 앱",
        several: { "\($0) 외 \($1)개" },
        moreRows: { "그 외 \($0)개" },
        requests: { "대기 중인 요청 \($0)개" },
        open: "스크린 타임 열기",
        notOpened: "스크린 타임을 열 수 없습니다",
        whyNotOpened: "터미널에서 `screentime open`을 실행하면 이유를 알 수 있습니다.",
        categories: KoreanWords.categories)
}
