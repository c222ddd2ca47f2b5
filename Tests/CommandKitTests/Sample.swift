import CommandKit

/// A table with something of everything, and with texts that a shell or roff would obey.
enum Sample {
    static let table = CommandTable(
        "sample", summary: "shows what a table can say", version: "sample 1.0",
        groups: [.init("member", "Who belongs: it's a group.")], commands: commands,
        notes: [("Exit status", "  0   well\n  64  wrong usage")])

    static let app = CommandTable(
        "app", summary: "an app", commands: commands, dashedWordsAreArguments: true)

    static let role = Option(
        "--role", "ROLE", "guardian or child.", values: .words(["guardian", "child"]))
    static let hostile = ["two words", "it's", "$(touch made)", "a\\b", "`x`", "a:b"]

    static let commands = [
        CommandDescription(
            "status", options: [.json, Option("--wait", "SECONDS", "Waits.")], summary: "How it is."),
        CommandDescription("member list", options: [.json], summary: "The members: \"all\", it's said."),
        CommandDescription(
            "member add", ["NAME"], options: [role, .json], summary: "Adds a member.",
            details: """
                A paragraph of which the lines are filled, however they are divided
                here. It has two sentences.

                Another one, then a list:
                  one    What the first term means, which takes more than the width that is left on a line
                         of the terminal.
                  other  .What begins as a request of roff.

                Then an example:
                  {"it's": [1,
                            2]}
                """),
        CommandDescription(
            "export",
            options: [
                Option("--format", "FORMAT", "csv or jsonl.", values: .words(["csv", "jsonl"])),
                Option("-o", "FILE", "Where to.", values: .file, aliases: ["--output"]),
                Option("--app", "APP", "Only this app.", isRepeatable: true),
                Option("--kind", "KIND", "Words to quote.", values: .suggestions(hostile)),
                Option("--shift", "N", "May be negative."),
            ], summary: "Writes."),
        CommandDescription("check", [.file("FILE…")], summary: "Reads files."),
        CommandDescription("check deep", [.directory("[DIRECTORY]")], summary: "Reads a directory."),
        CommandDescription(
            "switch", ["APP", Argument("on|off", values: .suggestions(["on", "off"]))], summary: "Turns."),
    ]
}
