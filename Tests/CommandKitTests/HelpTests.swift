import CommandKit
import Testing

@testable import CommandKit

/// Help, filled to the width of the terminal.
@Suite struct HelpTests {
    @Test(arguments: [40, 60, 80, 100]) func noLineIsWiderThanTheTerminal(width: Int) {
        let help = Help(Sample.table, width: width)
        let texts = [help.overview] + Sample.table.commands.map(help.command)
        for line in texts.flatMap({ $0.split(separator: "\n") }) {
            // A word that is longer has a line of its own; examples stay as they are.
            let isOne = line.drop { $0 == " " }.split(separator: " ").count < 3
            let isExample = line.hasPrefix("  sample completion") || line.contains("{")
            #expect(line.count <= width || isOne || isExample, "\(line)")
        }
    }

    @Test func oneCommandSaysAllOfItself() {
        #expect(
            Help(Sample.table, width: 60).text(for: ["member", "add"]) == """
                usage: sample member add NAME [--role ROLE] [--json]

                Adds a member.

                A paragraph of which the lines are filled, however they are
                divided here. It has two sentences.

                Another one, then a list:
                  one    What the first term means, which takes more than
                         the width that is left on a line of the terminal.
                  other  .What begins as a request of roff.

                Then an example:
                  {"it's": [1,
                            2]}

                options:
                  --role ROLE  guardian or child.
                  --json       Print JSON.
                """)
    }

    @Test func aUsageLineIsDividedBetweenOptions() {
        let lines = Help(Sample.table, width: 50).text(for: ["export"])?.split(separator: "\n") ?? []
        #expect(
            lines.prefix(3) == [
                "usage: sample export [--format FORMAT] [-o FILE]",
                "                [--app APP]… [--kind KIND]", "                [--shift N]",
            ])
        #expect(lines.contains("  -o, --output FILE  Where to."))
    }

    @Test func commandsUnderACommandAreListed() {
        let text = Help(Sample.table, width: 80).text(for: ["check"]) ?? ""
        #expect(text.hasPrefix("usage: sample check FILE…"))
        #expect(text.contains("\ncommands:\n  sample check deep [DIRECTORY]"))
        #expect(Help(Sample.table, width: 80).text(for: ["frob"]) == nil)
    }

    @Test(
        arguments: [
            ("", 0), ("abc", 3), ("Ünï", 3), ("e\u{301}", 1), ("漢字", 4), ("한국", 4),
            ("\u{1112}\u{1161}\u{11AB}", 2), ("ｆｕ", 4), ("👩‍👩‍👧", 2), ("❤", 1), ("❤\u{FE0F}", 2),
            ("🇰🇷", 2), ("क्‍ष", 2), ("עברית", 5), ("a\u{200B}b", 2), ("\u{1B}[1m", 3),
        ] as [(String, Int)])
    func columnsAreThoseOfATerminal(text: String, columns: Int) {
        #expect(DisplayWidth.of(text) == columns)
    }

    @Test func aTableStandsInColumns() {
        var table = TextTable(["NAME", "ID", "LAST"])
        for row in [["漢字", "a", "x"], ["e\u{301}te\u{301}", "long", ""], ["a\u{1B}b", "", "y"]] {
            table.add(row)
        }
        #expect(
            table.lines == [
                "NAME      ID    LAST", "漢字      a     x", "e\u{301}te\u{301}       long  ",
                "a\\u{1B}b        y",
            ])
    }
}
