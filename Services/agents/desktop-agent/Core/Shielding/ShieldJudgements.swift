import Contract
import Rules
import Units

/// What shield-service judged of the apps of this session.
struct ShieldJudgements: Equatable {
    /// By app: the subject of the shield that covers it; nil: it is not shielded.
    private(set) var shields: [String: String?] = [:]
    /// By app: the category that it was judged by.
    private var categories: [String: String] = [:]
    /// Apps that the catalogue has no entry for.
    private(set) var unknown: Set<String> = []
    /// Shielded apps without a desktop entry that somebody named: `exe:` and a path.
    private(set) var programs: [String] = []
    /// How many programs there are that the answer had no room for.
    private(set) var programsLeftOut = 0
    /// Until the next exception ends.
    private(set) var untilExceptionEnd: Milliseconds?

    init(_ answers: [ShieldJudge.Result] = []) {
        for answer in answers {
            for judgement in answer.judgements {
                shields.updateValue(judgement.shield, forKey: judgement.subject)
                categories[judgement.subject] = judgement.category
                if !judgement.known { unknown.insert(judgement.subject) }
            }
            programs += answer.programs ?? []
            programsLeftOut += Int(answer.programsLeftOut ?? 0)
            untilExceptionEnd = answer.untilExceptionEnd
        }
        for program in programs where shields[program] == nil { shields[program] = program }
    }

    /// Whether anything is shielded here.
    var isAnyShielded: Bool { shields.values.contains { $0 != nil } }

    func has(_ app: AppIdentity) -> Bool { shields[app.judgedName] != nil }

    /// The subject of the shield that covers an app; nil: none does, or it was not judged yet.
    func shield(of app: AppIdentity) -> String? { shields[app.judgedName] ?? nil }

    func category(of app: AppIdentity) -> String? { categories[app.judgedName] }

    /// These apps stay what they were in `earlier`, until more is known of them.
    mutating func keep(_ apps: Set<String>, as earlier: ShieldJudgements) {
        for app in apps { shields[app] = earlier.shields[app] }
    }
}

extension AppIdentity {
    /// The name under which shield-service judges it: an id that is too long to be anybody's has none.
    var judgedName: String { VisibleText.isName(id) ? id : Subject.unknownApp.id }
}
