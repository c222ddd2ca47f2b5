import Testing

@testable import ConsoleCore

/// Which style sheets are sent together with those that they import.
@Suite struct StyleSheetTests {
    private static func imports(_ text: String) -> [String]? { StyleSheet.imports(Array(text.utf8)) }

    @Test(arguments: [
        "@import \"a.css\";\n@import \"b-2_c.d.css\";\n", "@import \"a.css\";\n@import \"b-2_c.d.css\";",
        "\n@import \"a.css\";\n\n@import \"b-2_c.d.css\";\n\n",
    ])
    func aSheetOfImportsIsRead(text: String) { #expect(Self.imports(text) == ["a.css", "b-2_c.d.css"]) }

    /// A browser reads these as they are: it knows more than this server.
    @Test(arguments: [
        "", "\n", "p {}", "@import \"a.css\";\np {}", "/* all */\n@import \"a.css\";", " @import \"a.css\";",
        "@import \"a.css\"; ", "@import \"a.css\";\r\n", "@import 'a.css';", "@import \"a.css\" print;",
        "@import \"a.css\";@import \"b.css\";", "@import url(a.css);", "@import \"\";", "@import \";",
        "@import \".css\";", "@import \".a.css\";", "@import \"a.js\";", "@import \"../a.css\";",
        "@import \"up/a.css\";", "@import \"/style/a.css\";", "@import \"a\\0.css\";",
        "\u{feff}@import \"a.css\";",
    ])
    func anyOtherIsSentAsItIs(text: String) { #expect(Self.imports(text) == nil) }

    @Test func notTooManyAreJoined() {
        let line = "@import \"a.css\";\n", max = ConsoleLimits.importsMax
        #expect(Self.imports(String(repeating: line, count: max))?.count == max)
        #expect(Self.imports(String(repeating: line, count: max + 1)) == nil)
    }

    @Test func anImportIsFoundAnywhere() {
        let may = { (text: String) in StyleSheet.mayImport(Array(text.utf8)) }
        #expect(may("@import \"a.css\";") && may("/* */ @import url(a);") && may("p {}\n@Import"))
        #expect(!may("") && !may("@") && !may("@impor") && !may("@media print {}") && !may("important"))
    }
}
