import Contract
import Units

/// What the notifications of limits say, in one language.
struct LimitLanguage: Sendable {
    /// ISO 639 code.
    let code: String
    /// Title of the warning.
    let almost: String
    /// Title at the limit.
    let over: String
    /// How much time is left for a subject, in whole minutes; 0: less than one.
    let left: @Sendable (_ minutes: Int64, _ subject: String) -> String
    let usedUp: @Sendable (_ subject: String) -> String
    /// A category of the catalogue, by its id.
    let category: @Sendable (_ id: String) -> String
    /// What a limit counts; no name: everything.
    let subject: @Sendable (_ names: [String]) -> String

    /// The person's, by the environment of this program.
    static let chosen = PersonLanguage.chosen([english, korean], \.code, wanted: PersonLanguage.wanted)

    static let english = LimitLanguage(
        code: "en",
        almost: "Almost there",
        over: "Time is up",
        left: { minutes, subject in
            let left =
                switch minutes {
                case 0: "Less than a minute is"
                case 1: "1 minute is"
                default: "\(minutes) minutes are"
                }
            return "\(left) left for \(subject)."
        },
        usedUp: { "The time for \($0) is used up." },
        category: { $0 },
        subject: { names in
            switch names.count {
            case 0: "this device"
            case 1: names[0]
            case 2: "\(names[0]) and \(names[1])"
            default: "\(names[0]) and \(names.count - 1) others"
            }
        })

    static let korean = LimitLanguage(
        code: "ko",
        almost: "시간이 거의 다 됐습니다",
        over: "시간을 다 썼습니다",
        left: { minutes, subject in
            "\(subject): \(minutes == 0 ? "1분도 남지 않았습니다" : "\(minutes)분 남았습니다")."
        },
        usedUp: { "\($0): 오늘 사용할 수 있는 시간을 다 썼습니다." },
        category: { KoreanWords.category($0) },
        subject: { names in
            switch names.count {
            case 0: "이 기기"
            case 1: names[0]
            case 2: "\(names[0]), \(names[1])"
            default: "\(names[0]) 외 \(names.count - 1)개"
            }
        })
}
