import Contract
import Foundation
import JSON
import ScreenTimeTesting
import Testing

@testable import CommandKit

/// What the command line prints of others.
@Suite struct ConsoleTextTests {
    static let hostile: [String] = [
        "\u{1B}[2Ja", "a\u{202E}b", "\u{9B}31m", "a\nb", "a\rb", "\u{7}", "\u{0}", "\u{8}", "\u{7F}",
        "\u{2028}",
        "\u{2066}a\u{2069}", "\u{200F}", "\u{FEFF}", "\u{E0041}", "\u{1B}]0;title\u{7}", "\u{AD}", "\u{200B}",
    ]

    @Test(arguments: hostile) func whatIsPutIntoATextIsEscaped(name: String) throws {
        let texts: [ConsoleText] = ["the name \(name)", ConsoleText(name), "\(ConsoleText("\(name)"))\(1)"]
        for text in texts {
            #expect(!text.written.unicodeScalars.contains { VisibleText.isHidden($0) }, "\(text.written)")
            #expect(text.written.contains("\\"))
        }
        let record: JSONValue = ["name": .string(name)]
        let json = VisibleText.escapedJSON(record.encoded())
        #expect(try JSONValue.decode(json) == record, "the same value")
        #expect(!String(decoding: json, as: UTF8.self).unicodeScalars.contains { VisibleText.isHidden($0) })
        #expect(!VisibleText.isName(name))
    }

    /// As bash reads it back.
    @Test(
        arguments: hostile + [
            "", "a b", "it's", "$(x) `x` \\ \"", "a;b&c|d>e<f", "*?[a]{b,c}", "~", "!x", "a=b", "#",
        ])
    func aWordForAShellIsThatWord(text: String) throws {
        guard !text.contains("\0") else { return }
        let word = VisibleText.shellWord(text)
        #expect(!word.unicodeScalars.contains { VisibleText.isHidden($0) })
        let shell = Process()
        shell.executableURL = URL(filePath: "/bin/bash")
        shell.arguments = ["-c", "printf %s \(word)"]
        let output = Pipe()
        shell.standardOutput = output
        try shell.run()
        let said = output.fileHandleForReading.readDataToEndOfFile()
        shell.waitUntilExit()
        #expect(shell.terminationStatus == 0 && said == Data(text.utf8), "\(word)")
    }

    /// no-color.org: any value but an empty one.
    @Test func coloursAreForTerminalsThatHaveThem() {
        #expect(Console.wantsColours(noColour: nil, terminal: "xterm"))
        #expect(Console.wantsColours(noColour: "", terminal: "xterm"))
        #expect(!Console.wantsColours(noColour: "0", terminal: "xterm"))
        #expect(!Console.wantsColours(noColour: nil, terminal: "dumb"))
        #expect(!Console.wantsColours(noColour: nil, terminal: nil))
    }

    @Test func whatOneCanReadStays() {
        for text in ["Ünïcödé", "漢字", "👩‍👩‍👧", "עברית", "a b", "क्‍ष"] {
            #expect(VisibleText.escaped(text) == text && VisibleText.isName(text), "\(text)")
            #expect(VisibleText.escapedJSON(Array(text.utf8)) == Array(text.utf8))
        }
        #expect(ConsoleText(lines: "a\n\tb\u{1B}").written == "a\n\tb\\u{1B}")
        let line: ConsoleText = "ours\n\("theirs\n")"
        #expect(line.written == "ours\ntheirs\\n")
        #expect([line, "x"].joined(separator: "  ").written == "ours\ntheirs\\n  x")
        #expect(!VisibleText.isName("") && VisibleText.isName("ab", bytesMax: 2))
        #expect(!VisibleText.isName("abc", bytesMax: 2))
    }

    /// Also that of a built-in app, whose errors may have several lines: those of `screentime`.
    @Test func aWordOfTheCommandLineMakesNoLineOfItsOwn() async throws {
        try await World.with([]) { world in
            let words = ["total", "30m", "--days", "mo\nlimits: sun"]
            let outcome = try await world.run("limits", [World.products + "/limits"] + words)
            #expect(outcome.status == ExitCode.usage)
            let error = #"limits: 'mo\nlimits: sun' is not a list of weekdays"#
            #expect(world.errors(of: "limits").contains(error))
        }
    }
}
