import CommandKit
import Contract
import Testing

/// Words of a command line, matched with a table.
@Suite struct ParserTests {
    private static func parse(_ words: String) -> CommandParser.Parsed {
        CommandParser.parse(words.split(separator: " ").map(String.init), Sample.table, width: 80)
    }

    private static func given(_ words: [String], in table: CommandTable = Sample.table) -> Given? {
        if case .run(_, let given) = CommandParser.parse(words, table, width: 80) { given } else { nil }
    }

    private static func refusal(_ words: [String], in table: CommandTable = Sample.table) -> CommandError? {
        guard case .wrong(let error) = CommandParser.parse(words, table, width: 80) else { return nil }
        return error
    }

    private static func printed(_ words: [String], in table: CommandTable = Sample.table) -> String? {
        if case .print(let text) = CommandParser.parse(words, table, width: 80) { text } else { nil }
    }

    @Test func theCommandWithTheMostWordsIsTaken() {
        guard case .run(let command, let given) = Self.parse("check deep here") else {
            Issue.record("no command")
            return
        }
        #expect(command.words == "check deep" && given.arguments == ["here"])
        #expect(Self.given(["check", "--", "deep"])?.arguments == ["deep"], "a file of that name")
    }

    @Test func eachSpellingOfAnOptionIsOne() {
        for words in [
            ["export", "--format", "csv", "-o", "x"], ["export", "--format=csv", "--output", "x"],
            ["export", "--output=x", "--format=csv"], ["export", "-o=x", "--format", "csv"],
        ] {
            let given = Self.given(words)
            #expect(given?.value("--format") == "csv" && given?.value("-o") == "x", "\(words)")
        }
        #expect(Self.given(["export", "--shift=a=b"])?.value("--shift") == "a=b")
        #expect(Self.given(["export", "--shift="])?.value("--shift") == "")
        #expect(Self.given(["status", "--json"])?.has("--json") == true)
        #expect(Self.given(["export", "--app", "a", "--app=b"])?.values("--app") == ["a", "b"])
        #expect(Self.given(["export"])?.values("--app") == nil)
    }

    @Test func negativeNumbersAreValuesAndArguments() {
        #expect(Self.given(["export", "--shift", "-5"])?.value("--shift") == "-5")
        #expect(Self.given(["switch", "-5", "-1.5"])?.arguments == ["-5", "-1.5"])
        #expect(Self.given(["check", "-"])?.arguments == ["-"], "standard input")
        // What its command refuses by saying what it takes: `-5m` is not a duration.
        #expect(Self.given(["check", "-5m", "-.x"])?.arguments == ["-5m", "-.x"])
    }

    @Test func whatFollowsTwoDashesIsNoOption() {
        let given = Self.given(["switch", "--", "--json", "--"])
        #expect(given?.arguments == ["--json", "--"])
        #expect(Self.given(["export", "--shift", "--"])?.value("--shift") == "--", "the value of an option")
    }

    /// The built-in apps took them so before there was one parser.
    @Test func aWordWithOneDashIsAnArgumentOfAnApp() {
        #expect(Self.given(["switch", "-x", "on"], in: Sample.app)?.arguments == ["-x", "on"])
        #expect(Self.refusal(["switch", "-x", "on"])?.message == "unknown option '-x'")
        #expect(Self.given(["export", "-o", "x"], in: Sample.app)?.value("-o") == "x")
        #expect(Self.refusal(["switch", "--x", "on"], in: Sample.app)?.message == "unknown option '--x'")
    }

    @Test(
        arguments: [
            ("", "no command was given", "usage: sample COMMAND"),
            ("statsu", "unknown command 'statsu'", "Did you mean 'status'?"),
            ("member", "'member' alone is not a command", "  sample member add NAME"),
            ("member ad", "unknown command 'member ad'", "Did you mean 'add'?"),
            ("--frob", "unknown option '--frob'", "See `sample help`."),
            (
                "--json status", "unknown option '--json'",
                "Options of a command come after its words. See `sample help`."
            ),
            ("--wait=5 status", "unknown option '--wait'", "Options of a command come after its words."),
            ("status --jsno", "unknown option '--jsno'", "Did you mean '--json'?"),
            ("status extra", "'extra' is too much", "usage: sample status [--json] [--wait SECONDS]"),
            ("status --json=1", "--json has no value", "usage: sample status"),
            ("status --help=1", "--help has no value", "usage: sample status"),
            ("status -h=1", "-h has no value", "usage: sample status"),
            ("status --json --json", "--json is given twice", "usage: sample status"),
            ("status --wait", "--wait needs a value", "usage: sample status"),
            ("member add", "NAME is missing", "usage: sample member add NAME [--role ROLE] [--json]"),
            ("check", "FILE is missing", "usage: sample check FILE…"),
            ("export --format xml", "--format is 'xml'", "Use csv, jsonl."),
            ("export --format cvs", "--format is 'cvs'", "Did you mean 'csv'? Use csv, jsonl."),
            ("completion bsah", "SHELL is 'bsah'", "Did you mean 'bash'? Use bash, zsh, fish."),
            ("help statsu", "unknown command 'statsu'", "Did you mean 'status'?"),
        ] as [(String, String, String)])
    func misuseIsNamedAndWhatToDo(words: String, message: String, remedy: String) {
        guard case .wrong(let error) = Self.parse(words) else {
            Issue.record("'\(words)' is taken")
            return
        }
        #expect(error.code == ExitCode.usage && error.message == message)
        #expect(error.remedy.contains(remedy), "\(error.remedy)")
    }

    @Test func helpIsPrintedAtEachLevel() {
        for words in [["help"], ["--help"], ["-h"], ["help", "--help"]] {
            #expect(Self.printed(words)?.hasPrefix("usage: sample COMMAND") == true, "\(words)")
        }
        for words in [["help", "member"], ["member", "--help"], ["member", "-h"]] {
            let text = Self.printed(words) ?? ""
            #expect(text.hasPrefix("usage: sample member COMMAND"), "\(words)")
            #expect(text.contains("it's a group"), "\(words)")
        }
        for words in [
            ["help", "member", "add"], ["member", "add", "--help"], ["member", "add", "x", "-h"],
            ["member", "add", "--frob", "--help"], ["member", "add", "--role", "--help"],
        ] {
            #expect(Self.printed(words)?.hasPrefix("usage: sample member add NAME") == true, "\(words)")
        }
        #expect(Self.refusal(["status", "--", "--help"])?.message == "'--help' is too much")
        #expect(Self.printed(["--version"]) == "sample 1.0")
        #expect(Self.refusal(["--version"], in: Sample.app)?.message == "unknown option '--version'")
    }

    @Test func valuesAreReadAsTheirCommandWantsThem() throws {
        let given = Given(options: [
            "--n": ["-3"], "--big": ["9"], "--bad": ["+5"], "--time": ["5m"], "--long": ["2h"],
        ])
        #expect(try given.number("--n", in: -5...5) == -3)
        #expect(throws: CommandError.self) { try given.number("--n", in: 0...5) }
        #expect(throws: CommandError.self) { try given.number("--big", in: 0...5) }
        #expect(throws: CommandError.self) { try given.number("--bad", in: 0...9) }
        #expect(try given.number("--none", in: 0...5) == nil)
        #expect(try given.milliseconds("--time", default: 0, in: 0...3_600_000) == 300_000)
        #expect(try given.milliseconds("--none", default: 7, in: 0...3_600_000) == 7)
        #expect(throws: CommandError.self) {
            try given.milliseconds("--long", default: 0, in: 0...3_600_000)
        }
        #expect(throws: CommandError.self) { try given.required("--none") }
    }
}

/// "Did you mean".
@Suite struct SuggestionTests {
    private static let known = [
        "status", "shield", "selection", "report", "notifications", "--json", "--wait",
    ]

    @Test(
        arguments: [
            ("statsu", ["status"]), ("sheild", ["shield"]), ("Status", ["status"]), ("reprot", ["report"]),
            ("notif", ["notifications"]), ("--jsn", ["--json"]), ("--wiat", ["--wait"]), ("x", []), ("", []),
            ("frobnicate", []), ("--", []), ("se", []),
            (String(repeating: "s", count: 1_000_000), []),
        ] as [(String, [String])])
    func isTheNearestOrNothing(word: String, meant: [String]) {
        #expect(Suggestion.nearest(to: word, among: Self.known) == meant)
    }

    @Test func severalAreJoined() {
        let sentence = Suggestion.sentence(for: "lisk", among: ["list", "lisp", "lift"])
        #expect(sentence == "Did you mean 'list' or 'lisp'?")
        #expect(Suggestion.sentence(for: "frob", among: ["list"]) == nil)
    }
}
