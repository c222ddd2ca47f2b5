import Contract
import Testing

@testable import AuthCore

/// What the person is asked when an app wants permission, in each language.
@Suite struct PromptWordsTests {
    private static func asked(_ whom: AuthorizationFor, names: Bool) -> Authorization {
        var asked = Authorization()
        asked.forWhom = whom
        asked.asksDataAccess = names
        return asked
    }

    @Test func aLanguageIsChosenAmongThePersons() {
        #expect(PromptWords.chosen(from: []).language == "en")
        #expect(PromptWords.chosen(from: ["fr", "ko", "en"]).language == "ko")
        #expect(PromptWords.chosen(from: ["fr"]).language == "en")
    }

    @Test(arguments: [PromptWords.english, .korean])
    func everyWishHasItsOwnSentence(_ words: PromptWords) {
        let all = [AuthorizationFor.individual, .child].flatMap { whom in
            [false, true].map { words.permission("Focus", "Anna", Self.asked(whom, names: $0)) }
        }
        #expect(Set(all.map(\.text)).count == 4 && Set(all.map(\.title)).count == 1)
        for (title, text) in all { #expect(title.contains("Focus") && text.contains("Anna"), "\(text)") }
        #expect(words.approve != words.deny && words.inTerminal("a b").contains("a b"))
    }

    @Test func inKorean() {
        let both = PromptWords.korean.permission("Focus", "Anna", Self.asked(.individual, names: true))
        #expect(both.title == "권한 요청: Focus")
        #expect(
            both.text == "Anna 님이 이 컴퓨터를 어떻게 쓰는지 보고, 사용 제한을 설정하려고 합니다. 설치된 앱과 방문한 사이트의 이름도 "
                + "보려고 합니다.")
    }
}
