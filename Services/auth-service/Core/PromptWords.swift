import Contract

/// What the questions to the person say, in one language.
struct PromptWords: Sendable {
    typealias Texts = (title: String, text: String)

    /// ISO 639 code.
    let language: String
    let approve: String
    let deny: String
    /// How the person answers in a terminal.
    let inTerminal: @Sendable (_ command: String) -> String
    /// The title, and what a client wants; the person by name.
    let permission:
        @Sendable (_ client: String, _ person: String, _ asked: Authorization) -> Texts
    /// The title, and what a member asks for; nil: the person asked, and may decide now.
    let request: @Sendable (_ name: String?, _ request: TimeRequest) -> Texts
    /// What opens beside the subject, a sentence; nil: nothing.
    let alsoOpens: @Sendable (_ request: TimeRequest) -> String?
    /// nil is the rest of the day.
    let length: @Sendable (_ minutes: Int64?) -> String

    /// Those in the language that is wanted most; English if none is known.
    static func chosen(from languages: [String]) -> PromptWords {
        PersonLanguage.chosen([english, korean], \.language, wanted: languages)
    }

    static let english = PromptWords(
        language: "en",
        approve: "Approve",
        deny: "Deny",
        inTerminal: { "In a terminal: \($0)" },
        permission: { client, person, asked in
            let asks =
                switch asked.forWhom {
                case .individual:
                    "It wants to see how \(person) uses this computer, and to set limits for them."
                case .child:
                    "It wants to act as a guardian of \(person): to see how they use this computer, and "
                        + "to set limits that they cannot lift themselves."
                }
            let more =
                asked.asksDataAccess == true
                ? " It also wants to see by name which apps are installed here and which sites are visited."
                : ""
            return ("\(client) asks for your permission", asks + more)
        },
        request: { name, request in
            let wants = "\(request.lengthWords) with \(request.subjectWords)"
            guard let name else {
                return ("Your request for more time is open", "You asked for \(wants), and may decide now.")
            }
            return ("\(name) asks for more time", "\(name) asks for \(wants).")
        },
        alsoOpens: { request in
            switch request.scope {
            case .app: nil
            case .site: "That opens every site below it, too."
            case .everything: "Nothing of them is shielded then, whatever limit names it."
            case .category: "That opens its apps, also those with a limit of their own."
            case .sitesOfCategory: "That opens sites with a limit of their own, too."
            }
        },
        length: { EnglishWords.length(minutes: $0) })

    static let korean = PromptWords(
        language: "ko",
        approve: "허용",
        deny: "거절",
        inTerminal: { "터미널에서는: \($0)" },
        permission: { client, person, asked in
            let asks =
                switch asked.forWhom {
                case .individual: "\(person) 님이 이 컴퓨터를 어떻게 쓰는지 보고, 사용 제한을 설정하려고 합니다."
                case .child:
                    "\(person) 님의 보호자로서 이 컴퓨터를 어떻게 쓰는지 보고, \(person) 님이 스스로 풀 수 없는 "
                        + "제한을 설정하려고 합니다."
                }
            let more =
                asked.asksDataAccess == true ? " 설치된 앱과 방문한 사이트의 이름도 보려고 합니다." : ""
            return ("권한 요청: \(client)", asks + more)
        },
        request: { name, request in
            let wants = "\(subject(request)), \(KoreanWords.length(minutes: request.minutes))"
            guard let name else { return ("추가 시간 요청을 결정할 수 있습니다", "내가 한 요청: \(wants)") }
            return ("\(name) 님의 추가 시간 요청", "\(name) 님의 요청: \(wants)")
        },
        alsoOpens: { request in
            switch request.scope {
            case .app: nil
            case .site: "그 아래의 모든 사이트도 열립니다."
            case .everything: "이름을 정한 제한이 있어도 모두 열립니다."
            case .category: "따로 제한한 앱도 열립니다."
            case .sitesOfCategory: "따로 제한한 사이트도 열립니다."
            }
        },
        length: { KoreanWords.length(minutes: $0) })

    private static func subject(_ request: TimeRequest) -> String {
        switch (request.scope, request.kind) {
        case (.app, _), (.site, _): request.kind.readable(request.subject)
        case (.everything, .domainCategory): "모든 사이트"
        case (.everything, _): "모든 앱"
        case (.category, _): "‘\(KoreanWords.category(request.subject))’ 앱 모두"
        case (.sitesOfCategory, _): "‘\(KoreanWords.category(request.subject))’ 사이트 모두"
        }
    }
}
