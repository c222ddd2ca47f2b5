import Contract
import Testing

@testable import CoverCore

@Suite struct WordsTests {
    /// The compiler asks every language for every text; this asks that each is one.
    @Test func everyLanguageIsComplete() {
        var seen: [String: Set<String>] = [:]
        for words in Words.all {
            let texts = [
                "title": words.title, "app": words.subtitle("N", .app), "site": words.subtitle("N", .domain),
                "primary": words.primary, "cancel": words.cancel, "unreachable": words.unreachable("N"),
                "announcement": words.announcement("N"), "icon": words.icon,
                "stayed": words.closing(.stayed, "N", "B"), "shared": words.closing(.shared, "N", "B"),
                "asking": words.closing(.asking, "N", "B"),
                "minute to save": words.minuteToSave,
            ].merging(Self.ask(words.ask).merging(Self.limits(words)) { first, _ in first }) {
                first, _ in first
            }
            for (key, text) in texts {
                #expect(text.unicodeScalars.count > 1 && text == text.trimmed, "\(words.language) \(key)")
                #expect(seen[key, default: []].insert(text).inserted, "\(words.language) \(key) is a copy")
            }
            for key in [
                "app", "site", "unreachable", "announcement", "stayed", "shared", "asking",
                "asked", "others", "denied N", "expired",
            ] {
                #expect(texts[key]?.contains("N") == true, "\(words.language) \(key) names nothing")
            }
            for (key, text) in Self.limits(words) where !key.hasSuffix("title") {
                #expect(text.contains("N"), "\(words.language) \(key) names nothing")
            }
        }
        #expect(Set(Words.all.map(\.language)) == ["en", "ko"])
    }

    private static func limits(_ words: Words) -> [String: String] {
        var texts: [String: String] = [:]
        for kind in [SubjectKind.app, .domain] {
            let cases: [(String?, ShieldedBy)] = [(nil, .limit), ("games", .limit), (nil, .hours)]
            for (category, rule) in cases {
                let screen = ShieldScreen(kind: kind, subject: "n", category: category, name: "N")
                let (title, text) = words.limit(screen, rule)
                let key = "\(rule) \(kind) \(category ?? "-")"
                texts[key + " title"] = title
                texts[key] = text
            }
        }
        return texts
    }

    /// What shield-service writes for the system is English.
    @Test func theSystemsLookIsInThePersonsLanguage() {
        var screen = ShieldScreen(subject: "n", name: "N")
        screen.look.title = ShieldLabel(text: "Restricted")
        screen.look.primaryButtonLabel = ShieldLabel(text: "OK")
        #expect(screen.look(in: .korean) == ShieldLook())
        screen.shieldedBy = .limit
        let title = screen.look(in: .korean).title?.text
        #expect(title == Words.korean.limit(screen, .limit).title && title != "Time Limit")
        #expect(screen.look(in: .korean).primaryButtonLabel == nil)
        for origin in [ShieldLookOrigin.program, .earlier] {
            screen.origin = origin
            #expect(screen.look(in: .korean) == screen.look)
        }
    }

    private static func ask(_ words: AskWords) -> [String: String] {
        var texts = [
            "ask": words.ask, "minute": words.minute, "reason": words.reason, "back": words.back,
            "allow": words.allow, "asked": words.asked("N", 15, nil), "asked what": words.asked("N", 61, "X"),
            "others": words.othersDecide(["N", "M"]), "nobody": words.othersDecide([]),
            "delay": words.ownDelay(5), "no delay": words.ownDelay(0), "from": words.ownFrom("N"),
            "now": words.ownNow, "expires": words.expires("N"), "denied": words.denied("N", nil),
            "denied N": words.denied("N", "N"), "expired": words.expired("N"), "allowed": words.allowed("N"),
        ]
        for minutes in [1, 15, 60, 120, 90] as [Int64?] + [nil] {
            texts["length \(minutes ?? 0)"] = words.length(minutes)
        }
        for kind in [SubjectKind.app, .domain, .category, .domainCategory] {
            texts["subject \(kind)"] = words.subject(AskSubject(kind: kind, subject: "games"))
        }
        for problem in [AskProblem.conflict, .limit, .tooEarly, .minuteUsed, .unreachable, .refused] {
            texts["problem \(problem)"] = words.problem(problem)
        }
        return texts
    }

    @Test(arguments: [
        (["LANG": "ko_KR.UTF-8"], "ko"), (["LANG": "en_US.UTF-8"], "en"), ([:], "en"),
        (["LANG": "ko_KR.UTF-8", "LC_ALL": "en_GB"], "en"), (["LANG": "en_US", "LC_MESSAGES": "ko"], "ko"),
        (["LANG": "de_DE.UTF-8", "LANGUAGE": "fr:ko:en"], "ko"), (["LANG": "de_DE.UTF-8"], "en"),
        (["LC_ALL": "C.UTF-8", "LANGUAGE": "ko"], "en"), (["LC_ALL": "", "LANG": "ko_KR@x"], "ko"),
        (["LANG": "ko_KR", "LANGUAGE": "en_US"], "en"), (["LANG": "korean"], "en"),
    ])
    func theEnvironmentChooses(_ environment: [String: String], _ language: String) {
        #expect(Words.chosen(by: environment).language == language, "\(environment)")
    }
}

extension String {
    fileprivate var trimmed: String {
        var text = self[...]
        while text.first?.isWhitespace == true { text.removeFirst() }
        while text.last?.isWhitespace == true { text.removeLast() }
        return String(text)
    }
}
