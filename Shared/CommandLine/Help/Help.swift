/// The help of a program, made of its table.
package struct Help {
    private let table: CommandTable
    private let width: Int

    /// - Parameter width: columns that it may fill; narrower than 40 is taken as 40.
    package init(_ table: CommandTable, width: Int) {
        self.table = table
        self.width = max(40, width)
    }

    // MARK: all commands

    /// Every command with its summary.
    package var overview: String {
        let lines = table.commands.map { (left: "  " + $0.shortUsage, right: $0.summary) }
        let end = [
            "Help for each: \(table.program) COMMAND --help.",
            table.version.map { _ in "Version: \(table.program) --version." },
        ].compactMap { $0 }.joined(separator: " ")
        let head = [
            "usage: \(table.program) COMMAND [OPTION…]", "",
            "\(table.program): \(table.summary)", "",
        ]
        return (head.flatMap { $0.isEmpty ? [""] : Paragraphs.wrapped($0, width: width) } + columns(lines)
            + [""] + Paragraphs.wrapped(end, width: width)).joined(separator: "\n")
    }

    /// The help of a command, or of the commands that share a first word. If nil, there is neither.
    package func text(for words: [String]) -> String? {
        if let (command, _) = table.command(beginning: words) { return self.command(command) }
        let members = table.members(of: words.first ?? "")
        guard words.count == 1, !members.isEmpty else { return nil }
        var lines = ["usage: \(table.program) \(words[0]) COMMAND [OPTION…]", ""]
        if let group = table.groups.first(where: { $0.word == words[0] }) {
            lines += Paragraphs.wrapped(group.summary, width: width) + [""]
        }
        return (lines + list(members)).joined(separator: "\n")
    }

    private func list(_ commands: [CommandDescription]) -> [String] {
        columns(commands.map { (left: "  \(table.program) \($0.shortUsage)", right: $0.summary) })
    }

    // MARK: one command

    /// Usage, what it does, its arguments' values and its options.
    package func command(_ command: CommandDescription) -> String {
        var lines = usage(command) + [""] + Paragraphs.wrapped(command.summary, width: width)
        if !command.details.isEmpty { lines += [""] + Paragraphs.filled(command.details, width: width) }
        if !command.options.isEmpty {
            lines += ["", "options:"]
            lines += columns(command.options.map { (left: "  " + $0.spelled, right: $0.help) })
        }
        let members = table.members(of: command.words).filter { $0.words != command.words }
        if !members.isEmpty { lines += ["", "commands:"] + list(members) }
        return lines.joined(separator: "\n")
    }

    /// Words that belong together are not divided: `[--member MEMBER]…`.
    private func usage(_ command: CommandDescription) -> [String] {
        let head = "usage: \(table.program) \(command.words)"
        let parts = command.arguments.map(\.usage) + command.options.map(\.optionalUsage)
        let indent = min(DisplayWidth.of(head) + 1, width / 3)
        var lines = [head]
        for part in parts {
            let last = lines[lines.count - 1]
            if DisplayWidth.of(last) + 1 + DisplayWidth.of(part) > width {
                lines.append(String(repeating: " ", count: indent) + part)
            } else {
                lines[lines.count - 1] += " " + part
            }
        }
        return lines
    }

    private func columns(_ rows: [(left: String, right: String)]) -> [String] {
        Paragraphs.columns(rows, width: width)
    }
}
