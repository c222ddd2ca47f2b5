/// Words in Korean that several programs say.
package enum KoreanWords {
    /// `15분`, `1시간`, `오늘 하루`.
    /// - Parameter minutes: nil is the rest of the day.
    package static func length(minutes: Int64?) -> String {
        guard let minutes else { return "오늘 하루" }
        return minutes > 0 && minutes % 60 == 0 ? "\(minutes / 60)시간" : "\(minutes)분"
    }

    /// A category's name for people; its id where the catalogue has no such category.
    package static func category(_ id: String) -> String { categories[id] ?? id }

    /// By the catalogue's id, as the console's page calls them, too.
    package static let categories = [
        "social": "소셜", "games": "게임", "entertainment": "엔터테인먼트", "creativity": "창작",
        "education": "교육", "health": "건강 및 피트니스", "reading": "정보 및 독서",
        "productivity": "생산성 및 금융", "shopping": "쇼핑 및 음식", "travel": "여행",
        "utilities": "유틸리티", "developer tools": "개발 도구", "other": "기타",
    ]
}
