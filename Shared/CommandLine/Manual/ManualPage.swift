/// The manual page of a program, section 1, in the `man` macros of roff.
package struct ManualPage {
    private let table: CommandTable

    package init(_ table: CommandTable) { self.table = table }

    package var text: String {
        let name = table.program
        var lines = [
            ".\\\" Made of the table of commands by `\(name) man`.",
            ".TH \(Self.macroArgument(name.uppercased())) 1 \"\" "
                + Self.macroArgument(table.version ?? "screentime"),
            // Words that are typed are not divided at the end of a line.
            ".nh", ".ad l",
            ".SH NAME", "\(Self.escaped(name)) \\- \(Self.escaped(table.summary))",
            ".SH SYNOPSIS", ".B \(Self.escaped(name))", ".I COMMAND", "[\\fIOPTION\\fR\\|…]",
            ".SH DESCRIPTION",
        ]
        lines += Self.text(
            "Answers go to standard output, remarks and errors to standard error. An option takes its "
                + "value as the next word or behind an equals sign. What follows -- is no option.")
        lines.append(".SH COMMANDS")
        lines += table.commands.flatMap(section)
        for note in table.notes {
            lines.append(".SH \(Self.macroArgument(note.heading.uppercased()))")
            lines += Self.blocks(note.text).drop { $0 == ".PP" }
        }
        return lines.joined(separator: "\n")
    }

    private func section(_ command: CommandDescription) -> [String] {
        var lines = [".SS \(Self.macroArgument(command.shortUsage))"] + Self.text(command.summary)
        if let other = table.sameDetails(as: command) {
            lines += [".PP"] + Self.text("More is said under `\(other.words)`.")
        } else if !command.details.isEmpty {
            lines += Self.blocks(command.details)
        }
        for option in command.options {
            let value = option.value.map { " \\fI\(Self.escaped($0))\\fR" } ?? ""
            let spellings = option.spellings.map { "\\fB\(Self.escaped($0))\\fR" }.joined(separator: ", ")
            lines += [".TP", spellings + value + (option.isRepeatable ? "\\|…" : "")] + Self.text(option.help)
        }
        return lines
    }

    private static func blocks(_ text: String) -> [String] {
        let sections = Paragraphs.sections(text).map { section in
            section.flatMap { block -> [String] in
                switch block {
                case .paragraph(let text): Self.text(text)
                case .example(let lines): [".nf"] + lines.map(Self.line) + [".fi"]
                case .list(let items):
                    items.flatMap { [".TP", Self.line($0.term)] + Self.text($0.text) }
                }
            }
        }
        // A list brings its own distance.
        return sections.flatMap { $0.first == ".TP" ? $0 : [".PP"] + $0 }
    }

    /// Filled text: a line for each sentence, which roff spaces as it wants, and none too long for a diff.
    private static func text(_ text: String) -> [String] {
        text.replacing(". ", with: ".\n").split(separator: "\n")
            .flatMap { Paragraphs.wrapped(String($0), width: 72) }.map(line)
    }

    /// A line of text: one that begins as a request is none.
    private static func line(_ text: String) -> String {
        let escaped = escaped(text)
        return escaped.hasPrefix(".") || escaped.hasPrefix("'") ? "\\&" + escaped : escaped
    }

    /// A backslash as itself, a hyphen as one that can be copied, quotes that are no ligatures.
    private static func escaped(_ text: String) -> String {
        text.replacing("\\", with: "\\e").replacing("-", with: "\\-").replacing("'", with: "\\(aq")
            .replacing("`", with: "\\(ga").replacing("^", with: "\\(ha").replacing("~", with: "\\(ti")
    }

    private static func macroArgument(_ text: String) -> String {
        "\"" + escaped(text).replacing("\"", with: "\\(dq") + "\""
    }
}
