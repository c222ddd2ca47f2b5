import Contract
import Testing

@Suite struct TextSearchTests {
    @Test(arguments: [
        ("", "a"), ("abc", "abc"), ("abc", "bc"), ("abc", "ac"), ("aab", "ab"), ("ab", "abc"),
        // Composed and decomposed, of one script and another.
        ("Cafe\u{301} Alpha", "caf\u{E9}"), ("Cafe\u{301} Alpha", "Caf\u{E9}"), ("cafe\u{301}", "cafe"),
        ("\u{1112}\u{1161}\u{11AB}\u{AE00}", "\u{D55C}"), ("\u{D55C}\u{AE00}", "\u{AE00}"),
    ])
    func aPartIsFoundAsTheStandardLibraryFindsIt(_ text: String, _ part: String) {
        #expect(text.includes("") && text.includes(part) == text.contains(part))
        #expect(text.dropFirst().includes(part) == text.dropFirst().contains(part))
    }

    @Test func everyShortTextIsFoundByItsCharacters() {
        let pieces = ["a", "b", "\r", "\n", "\u{301}", "\u{E9}", "e"]
        func texts(_ length: Int) -> [String] {
            length == 0 ? [""] : texts(length - 1).flatMap { text in pieces.map { text + $0 } }
        }
        func slowly(_ text: String, _ part: String) -> Bool {
            let (text, part) = (Array(text), Array(part))
            return (0...text.count).contains { text[$0...].starts(with: part) }
        }
        let parts = (0...2).flatMap(texts)
        let differing = (0...4).flatMap(texts).flatMap { text in
            parts.filter { text.includes($0) != slowly(text, $0) }.map { [text, $0] }
        }
        #expect(differing.isEmpty)
    }
}
