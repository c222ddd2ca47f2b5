import Testing

@testable import CoverCore

/// Which words of Korean texts stand whole in a line.
@Suite struct HangulWordsTests {
    private func words(_ text: String) -> [String] {
        HangulWords.places(in: text).map { String(decoding: Array(text.utf8)[$0], as: UTF8.self) }
    }

    @Test func wordsOfHangulStandWhole() {
        #expect(words("오늘 ‘Maps’ 앱을 다 썼습니다.") == ["오늘", "앱을", "다", "썼습니다."])
        #expect(words("‘지뢰찾기’ 앱 and\nmore") == ["‘지뢰찾기’", "앱"])
        #expect(words("Game을 쓴다") == ["Game을", "쓴다"], "with what stands before a particle")
        #expect(words("") == [] && words("  ") == [] && words("日本語 text") == [])
    }

    @Test func longWordsMayBeDivided() {
        let most = String(repeating: "가", count: HangulWords.charactersMax)
        #expect(words(most + " " + most + "나") == [most])
        let conjoining = "\u{1112}\u{1161}\u{11AB}"
        #expect(words(conjoining) == [conjoining], "letters that are one syllable count as one")
    }
}
