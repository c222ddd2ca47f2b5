/// The commands of a program as a page of Markdown: docs/commands.md has one of each program.
package struct MarkdownPage {
    private let table: CommandTable

    package init(_ table: CommandTable) { self.table = table }

    package var text: String {
        var lines = ["## \(table.program)", "", "`\(table.program)` – \(Self.escaped(table.summary))", ""]
        lines += ["| command | |", "| --- | --- |"]
        lines += table.commands.map { command in
            let usage = command.shortUsage.replacing("|", with: "\\|")
            return "| [`\(usage)`](#\(anchor(command))) | \(Self.escaped(command.summary)) |"
        }
        lines += table.commands.flatMap(section)
        for note in table.notes { lines += ["", "### \(note.heading)", ""] + blocks(note.text) }
        return lines.joined(separator: "\n")
    }

    private func section(_ command: CommandDescription) -> [String] {
        var lines = ["", "### \(title(command))", "", "```", "\(table.program) \(command.usage)", "```", ""]
        lines.append(Self.escaped(command.summary))
        if let other = table.sameDetails(as: command) {
            lines += ["", "More is said under [`\(other.words)`](#\(anchor(other)))."]
        } else if !command.details.isEmpty {
            lines += [""] + blocks(command.details)
        }
        if !command.options.isEmpty {
            lines += ["", "| option | |", "| --- | --- |"]
            lines += command.options.map { option in
                let usage = (option.spelled + (option.isRepeatable ? "…" : "")).replacing("|", with: "\\|")
                return "| `\(usage)` | \(Self.escaped(option.help)) |"
            }
        }
        return lines
    }

    private func title(_ command: CommandDescription) -> String { "\(table.program) \(command.words)" }

    /// As GitHub makes it of a heading.
    private func anchor(_ command: CommandDescription) -> String {
        title(command).lowercased().replacing(" ", with: "-")
    }

    private func blocks(_ text: String) -> [String] {
        let sections = Paragraphs.sections(text).map { section in
            section.map { block -> [String] in
                switch block {
                case .paragraph(let text): [Self.escaped(text)]
                case .example(let lines): ["```"] + Self.outdented(lines) + ["```"]
                case .list(let items): items.map { "- `\($0.term)`: \(Self.escaped($0.text))" }
                }
            }.joined(separator: [""])
        }
        return Array(sections.joined(separator: [""]))
    }

    /// Without the spaces that all lines begin with.
    private static func outdented(_ lines: [String]) -> [String] {
        let indent = lines.map { $0.prefix { $0 == " " }.count }.min() ?? 0
        return lines.map { String($0.dropFirst(indent)) }
    }

    /// Text between two backquotes stays as it is.
    private static func escaped(_ text: String) -> String {
        let parts = text.split(separator: "`", omittingEmptySubsequences: false)
        return parts.enumerated().map { place, part in
            let isCode = place % 2 == 1 && place < parts.count - 1
            return isCode
                ? part.replacing("|", with: "\\|")
                : part.replacing("<", with: "\\<").replacing("|", with: "\\|").replacing("*", with: "\\*")
                    .replacing("_", with: "\\_")
        }.joined(separator: "`")
    }
}
