import Contract
import Foundation
import ServiceKit
import Testing
import Units

@Suite struct RedactionTests {
    @Test(arguments: [
        ("You used org.a.Player for an hour.", true), ("org.a.player", true), ("(org.a.Player)", true),
        ("\"org.a.Player\"", true), ("org.a.Player.", true), ("a\\norg.a.Player", true),
        ("org.a.Player2", false), ("org.a.Player.Beta", false), ("my.org.a.Player", false),
        ("org.a.Player-beta", false), ("org.b.Player", false),
    ])
    func aNameIsFoundAsAWord(text: String, isFound: Bool) {
        #expect(Redaction(["org.a.Player"]).occur(inBytes: Array(text.utf8)) == isFound)
    }

    @Test func aDomainCoversItsSubdomainsOnly() {
        let words = Redaction(["b.example"], domain: "b.example")
        for text in ["b.example", "www.b.example", "see www.b.example, please"] {
            #expect(words.occur(in: text))
        }
        for text in ["bb.example", "b.example.org", "see bb.example please"] {
            #expect(!words.occur(in: text))
        }
    }

    @Test func aDomainIsFoundInEverySpelling() throws {
        let forgetting = Forgetting(member: nil, extent: .subject(.domain, "xn--bcher-kva.de"))
        for text in ["bücher.de", "BÜCHER.de.", "www.xn--bcher-kva.de", "you read bücher.de for an hour"] {
            #expect(forgetting.words.occur(in: text), "\(text)")
        }
        #expect(!forgetting.words.occur(in: "other.de"))
        #expect(forgetting.isIncluded(.domain, "www.Bücher.de."))
        #expect(!forgetting.isIncluded(.domain, "cher.de"))
    }

    /// A person's words, and notifications that quote them.
    @Test func aSpokenDomainIsFoundInEverySpellingAndBelow() throws {
        let forgetting = Forgetting(member: nil, extent: .subject(.domain, "xn--bcher-kva.example"))
        for text in [
            "Anna asks for 5 minutes with bücher.example.", "“www.bücher.example, please”",
            "see www.xn--bcher-kva.example", "xn--bcher-kva.example",
        ] {
            #expect(forgetting.isSpoken(in: text), "\(text)")
        }
        // Its last label is no name.
        for text in ["for example, chess", "see other.example please", "cher.example is another"] {
            #expect(!forgetting.isSpoken(in: text), "\(text)")
        }
    }

    /// As it is shown, as it was shown before, and as somebody writes it.
    @Test func aDomainOfMixedScriptsIsFoundInEverySpelling() {
        let forgetting = Forgetting(member: nil, extent: .subject(.domain, "xn--pypal-4ve.xn--bcher-kva.de"))
        for text in ["pаypal.bücher.de", "xn--pypal-4ve.bücher.de", "xn--pypal-4ve.xn--bcher-kva.de"] {
            #expect(forgetting.words.occur(in: "with \(text)."), "\(text)")
        }
        #expect(!forgetting.words.occur(in: "with bücher.de."))
    }

    @Test func anIdThatBeginsAlikeIsAnother() {
        let words = Redaction(["exe:/opt/My"])
        #expect(words.occur(in: "exe:/opt/My"))
        #expect(!words.occur(in: "exe:/opt/My App/run"))
    }

    /// The file stays the same file: a program that has it open for appending continues to write to it.
    @Test func linesAreTakenOutInPlace() throws {
        let path = FileManager.default.temporaryDirectory.path + "/stt-\(UUID().uuidString).log"
        defer { try? FileManager.default.removeItem(atPath: path) }  // Gone or not, nothing depends on it.
        let lines = (0..<1_000).map { "line \($0) of \($0 % 3 == 0 ? "org.a.Player" : "others")\n" }
        #expect(FileManager.default.createFile(atPath: path, contents: Data(lines.joined().utf8)))
        let appender = try #require(FileHandle(forUpdatingAtPath: path))
        let forgetting = Forgetting(member: nil, extent: .subject(.app, "org.a.Player"))
        #expect(try forgetting.removeLines(from: path) == 334)
        _ = try appender.seekToEnd()
        try appender.write(contentsOf: Data("later".utf8))
        let left = try String(contentsOfFile: path, encoding: .utf8)
        #expect(left == lines.filter { $0.contains("others") }.joined() + "later")
        #expect(try forgetting.removeLines(from: path + ".none") == 0)
    }

    @Test func ofAStretchItsLinesGo() throws {
        let path = FileManager.default.temporaryDirectory.path + "/stt-\(UUID().uuidString).log"
        defer { try? FileManager.default.removeItem(atPath: path) }  // Gone or not, nothing depends on it.
        let lines = (0..<10).map { second in
            let time = UTCTime.text(Instant(.seconds(Int64(second))))
            return #"{"time":"\#(time)","n":\#(second)}"# + "\n"
        }
        #expect(FileManager.default.createFile(atPath: path, contents: Data(lines.joined().utf8)))
        let forgetting = Forgetting(member: nil, extent: .stretch(from: 2_000, to: 5_000))
        #expect(try forgetting.removeLines(from: path) == 3)
        let left = try String(contentsOfFile: path, encoding: .utf8)
        #expect(left == (lines[..<2] + lines[5...]).joined())
    }
}
