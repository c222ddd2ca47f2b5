import Foundation
import Testing

/// What programs for iOS lean on, in processes of their own.
@Suite struct ProgramTests {
    @Test func twoProcessesThatWriteLoseNoKey() async throws {
        try await ProgramHost.inDirectory { directory in
            async let first = ProgramHost.run(["keys", "a"], in: directory)
            async let second = ProgramHost.run(["keys", "b"], in: directory)
            let ended = try await [first, second]
            #expect(ended.map(\.status) == [0, 0])
            let path = directory + "/shared/Library/Preferences/group.org.example.limits.plist"
            let data = try Data(contentsOf: URL(fileURLWithPath: path))
            let list = try PropertyListSerialization.propertyList(from: data, format: nil) as? [String: Int]
            #expect(list?.count == 600)
            #expect(list?["a299"] == 299)
        }
    }

    private let written = [
        "45 45", "true Ünï", "3 1970-01-01 00:00:00 +0000", #"["a", "b"] 0.25"#,
        #"["mon": 1] https://example.org/a"#,
    ]

    @Test func valuesOfEveryTypeReachAnotherProcess() async throws {
        try await ProgramHost.inDirectory { directory in
            let writer = try await ProgramHost.run(["write"], in: directory)
            #expect(writer.output == written)
            #expect(writer.errors == [])
            #expect(try await ProgramHost.run(["read"], in: directory).output == written)
        }
    }

    @Test func aProgramThatMayOnlyReadReadsBackTheOldValues() async throws {
        try await ProgramHost.inDirectory { directory in
            _ = try await ProgramHost.run(["keys", "a"], in: directory)
            let reader = try await ProgramHost.run(["write"], in: directory, writable: false)
            #expect(reader.output.first == "nil 0")
            #expect(reader.errors.count == 1, "one line, however often it is refused")
            #expect(reader.errors.first?.contains("may only read") == true)
        }
    }

    @Test func suitesAndContainersAreThoseOfTheProgram() async throws {
        try await ProgramHost.inDirectory { directory in
            _ = try await ProgramHost.run(["write"], in: directory)
            let ended = try await ProgramHost.run(["suites"], in: directory)
            #expect(
                ended.output
                    == [
                        "true", "1", "shared", "45 Optional(\"x\")", "nil",
                        "30 " + #"["byDay", "isStrict", "minutes", "name", "names", "other", "page", "#
                            + #""selection", "share", "when"]"#, #"2 ["minutes", "other"]"#,
                    ].map { $0.replacingOccurrences(of: "Optional(\"x\")", with: "x") })
            #expect(
                ended.errors.contains { $0.contains("group.org.example.other") && $0.contains("install") })
            #expect(ended.errors.contains { $0.contains("'calendar'") && $0.contains("JSONEncoder") })
            let own = directory + "/own/Library/Preferences/settings.plist"
            #expect(FileManager.default.fileExists(atPath: own))
        }
    }

    @Test func messagesAreLinesOfJSONWithoutWhatIsPrivate() async throws {
        try await ProgramHost.inDirectory { directory in
            let ended = try await ProgramHost.run(["log"], in: directory)
            #expect(ended.output == ["printed"])
            let lines = try ended.errors.map {
                try JSONSerialization.jsonObject(with: Data($0.utf8)) as? [String: String] ?? [:]
            }
            #expect(
                lines.map { "\($0["level"] ?? "") \($0["message"] ?? "")" }.filter { !$0.contains("mask") }
                    == [
                        "info <private> Secret Game <private> 5 <private>",
                        "info 1.500000 1.5 ff true NO", "debug  Secret Game|Swift.Int|7", "warning careful",
                        "error failed: The operation could not be completed. The file doesn’t exist.",
                        "info [1, 2] <private>",
                        "error shown Secret Game hidden <private> 3 2.5 %", "debug plain",
                        "debug a \"line\"\nbreak",
                    ])
            #expect(lines.first?["subsystem"] == "org.example.limits")
            #expect(lines.first?["category"] == "monitor")
            #expect(lines.first?["time"]?.hasSuffix("Z") == true)
            let fault = lines.first { $0["type"] == "fault" }
            #expect(fault?["message"]?.hasPrefix("<mask.hash: '") == true)
            #expect(!ended.errors.joined().contains("hidden Secret"))
        }
    }

    @Test func darwinNotificationsComeOncePerPostInOrderAlsoToThePoster() async throws {
        try await ProgramHost.inDirectory { directory in
            let ended = try await ProgramHost.run(["darwin"], in: directory)
            #expect(ended.output == ["a true", "a true", "b true", "end true"])
            #expect(ended.status == 0)
        }
    }

    private static let tables = [
        "en.lproj/Localizable.strings": """
        /* A greeting. */
        "Good morning, %@!" = "Morning, %@!";
        "plain" = "Plain";
        """,
        "de.lproj/Localizable.strings": """
        "Good morning, %@!" = "Guten Morgen, %@!";
        "limit.title" = "Grenze: %lld Min.";
        """,
        "de.lproj/Localizable.stringsdict": """
        <?xml version="1.0" encoding="UTF-8"?>
        <plist version="1.0"><dict><key>%lld apps</key><dict>
        <key>NSStringLocalizedFormatKey</key><string>%#@apps@</string>
        <key>apps</key><dict>
        <key>NSStringFormatSpecTypeKey</key><string>NSStringPluralRuleType</string>
        <key>NSStringFormatValueTypeKey</key><string>lld</string>
        <key>one</key><string>eine App</string><key>other</key><string>%lld Apps</string>
        </dict></dict></dict></plist>
        """,
        "More.xcstrings": """
        {"sourceLanguage": "en", "version": "1.0", "strings": {
        "from.catalogue": {"localizations": {
        "de": {"stringUnit": {"state": "translated", "value": "Katalog"}},
        "en": {"stringUnit": {"state": "translated", "value": "Catalogue"}}}},
        "%lld left": {"localizations": {"de": {"variations": {"plural": {
        "one": {"stringUnit": {"value": "noch eine"}}, "other": {"stringUnit": {"value": "noch %lld"}}}}}}}}}
        """,
    ]

    @Test func wordsComeInThePersonsLanguage() async throws {
        try await ProgramHost.inDirectory { directory in
            for (path, text) in Self.tables {
                let url = URL(fileURLWithPath: directory + "/Words.bundle/" + path)
                try FileManager.default.createDirectory(
                    at: url.deletingLastPathComponent(), withIntermediateDirectories: true)
                try Data(text.utf8).write(to: url)
            }
            func words(_ language: String) async throws -> [String] {
                try await ProgramHost.run(
                    ["localized", directory + "/Words.bundle"], in: directory,
                    environment: ["LANG": language, "LC_ALL": "", "LANGUAGE": ""]
                ).output
            }
            #expect(
                try await words("de_CH.UTF-8") == [
                    "Guten Morgen, Anna!", "3 Apps eine App", "Grenze: 2,000 Min.", "Plain", "as given",
                    "100% of Anna 50% done", "Katalog", "noch 5", "Anna has 0.50",
                ])
            #expect(
                try await words("C") == [
                    "Morning, Anna!", "3 apps 1 apps", "Limit of 2,000 min", "Plain", "as given",
                    "100% of Anna 50% done", "Catalogue", "5 left", "Anna has 0.50",
                ])
        }
    }

    @Test func standardDefaultsAreThereAtTheNextStart() async throws {
        try await ProgramHost.inDirectory { directory in
            for expected in ["nil", "chosen"] {
                let ended = try await ProgramHost.run(
                    ["standard"], in: directory, environment: ["HOME": directory, "XDG_CONFIG_HOME": ""])
                #expect(ended.output == [expected])
            }
        }
    }
}
