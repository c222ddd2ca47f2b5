import Foundation
import ScreenTimeTesting
import Testing

@testable import CommandKit

/// The manual page, and docs/commands.md.
@Suite struct ManualTests {
    private static let programs = [
        "screentime", "limits", "downtime", "encouragement", "worklog", "streaks", "charts",
    ]

    @Test func whatRoffWouldObeyIsText() {
        let lines = ManualPage(Sample.table).text.split(separator: "\n")
        #expect(lines.contains("\\&.What begins as a request of roff."))
        #expect(lines.contains(#"\fB\-o\fR, \fB\-\-output\fR \fIFILE\fR"#))
        #expect(lines.contains(#".SS "member add NAME""#))
        #expect(lines.contains(#"  {"it\(aqs": [1,"#))
        #expect(lines.contains(#"The members: "all", it\(aqs said."#))
    }

    private static let isThere = FileManager.default.isExecutableFile(atPath: "/usr/bin/mandoc")

    /// A page that names no date on purpose: it is that of the version.
    @Test(.enabled(if: isThere, "mandoc is not installed"), arguments: programs)
    func mandocFindsNothing(program: String) async throws {
        try await World.with([]) { world in
            let line = "'\(World.products)/\(program)' man | mandoc -Tlint -Wwarning"
            let (_, lines) = try await world.run("lint", ["/bin/sh", "-c", line])
            #expect(lines.filter { !$0.contains("missing date") } == [])
            let text = "'\(World.products)/\(program)' man | mandoc -Tascii | col -b"
            let (status, page) = try await world.run("text", ["/bin/sh", "-c", text])
            #expect(status == 0 && page.first?.hasPrefix(program.uppercased() + "(1)") == true)
            #expect(page.contains { $0.contains("--json") && $0.contains("Print JSON.") })
        }
    }

    private static let page = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
        .appendingPathComponent("../../docs/commands.md").standardized

    private static let introduction = """
        # Commands

        `screentime help COMMAND` and `screentime COMMAND --help` print what this page says, and
        `screentime man | man -l -` shows it as a manual page. `screentime completion bash` (zsh, fish) prints
        a script by which your shell completes commands, options and values. The built-in apps have the same:
        `limits help`, `limits man`, `limits completion bash`. Answers go to standard output, remarks and
        errors to standard error. `--json` prints the service's answer unchanged; what else it prints is in
        [the README of the command line](../Services/agents/screentime/README.md).

        This page is made of the programs' tables of commands. To make it again:
        `SCREENTIME_RECORD_GOLDEN=1 scripts/test.sh --filter ManualTests`.


        """

    @Test func thePageOfCommandsIsThatOfThePrograms() async throws {
        try await World.with([]) { world in
            var pages: [String] = []
            for program in Self.programs {
                let (status, lines) = try await world.run(
                    program, ["\(World.products)/\(program)", "man", "--format", "markdown"])
                #expect(status == 0)
                pages.append(lines.joined(separator: "\n") + "\n")
            }
            let text = Self.introduction + pages.joined(separator: "\n")
            if getenv("SCREENTIME_RECORD_GOLDEN") != nil {
                try text.write(to: Self.page, atomically: true, encoding: .utf8)
            }
            let recorded = try String(contentsOf: Self.page, encoding: .utf8)
            let change = text.split(separator: "\n").difference(from: recorded.split(separator: "\n"))
            #expect(change.isEmpty && text == recorded, "make docs/commands.md again: \(change)")
        }
    }
}
