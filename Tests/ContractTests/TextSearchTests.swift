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
}
