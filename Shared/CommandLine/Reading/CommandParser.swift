import Contract

/// The words of a command line, matched with a table.
package enum CommandParser {
    package enum Parsed: Sendable {
        case run(CommandDescription, Given)
        /// Help, a manual or a script, for standard output.
        case print(String)
        /// What was wrong, and lines that say what to do.
        case wrong(CommandError)
    }

    /// - Parameters:
    ///   - words: without the program's name.
    ///   - width: columns that help may fill.
    package static func parse(_ words: [String], _ table: CommandTable, width: Int) -> Parsed {
        let help = Help(table, width: width)
        guard let first = words.first else {
            return .wrong(CommandError(ExitCode.usage, "no command was given", remedy: help.overview))
        }
        if first == "--version", let version = table.version { return .print(version) }
        if Option.help.spellings.contains(first) { return .print(help.overview) }
        if first == CommandTable.helpWord {
            let wanted = words.dropFirst().filter { !Option.help.spellings.contains($0) }
            guard !wanted.isEmpty else { return .print(help.overview) }
            guard let text = help.text(for: wanted) else { return unknown(wanted, table) }
            return .print(text)
        }
        guard let (command, count) = table.command(beginning: words) else {
            let asksForHelp = words.dropFirst().contains { Option.help.spellings.contains($0) }
            if asksForHelp, let text = help.text(for: [first]) { return .print(text) }
            return unknown(words, table)
        }
        do throws(CommandError) {
            guard let given = try read(words.dropFirst(count), command, table) else {
                return .print(help.command(command))
            }
            return try builtIn(command, given, table) ?? .run(command, given)
        } catch {
            // A request for help hides other errors of the line.
            let asksForHelp = words.prefix { $0 != "--" }.contains { Option.help.spellings.contains($0) }
            return asksForHelp ? .print(help.command(command)) : .wrong(error)
        }
    }

    private static func builtIn(
        _ command: CommandDescription, _ given: Given, _ table: CommandTable
    ) throws(CommandError) -> Parsed? {
        switch command.words {
        case CommandTable.completionWord:
            guard let shell = Shell(rawValue: given.arguments[0]) else { return nil }
            return .print(CompletionScript(table, shell).text)
        case CommandTable.manualWord:
            let isMarkdown = given.value("--format") == "markdown"
            return .print(isMarkdown ? MarkdownPage(table).text : ManualPage(table).text)
        default: return nil
        }
    }

    // MARK: words of commands

    private static func unknown(_ words: [String], _ table: CommandTable) -> Parsed {
        let members = table.members(of: words[0])
        let named = words.prefix { !$0.hasPrefix("-") }.prefix(members.isEmpty ? 1 : 2)
        let what = named.joined(separator: " ")
        let message: String
        var lines: [String] = []
        if named.isEmpty {
            let option = name(words[0])
            message = "unknown option '\(option)'"
            let isOfCommand = table.commands.contains { $0.option(option) != nil }
            let hint = isOfCommand ? "Options of a command come after its words. " : ""
            lines = ["\(hint)See `\(table.program) help`."]
        } else if members.isEmpty {
            message = "unknown command '\(what)'"
            let known = table.words(after: []).map(\.word)
            lines = [
                [Suggestion.sentence(for: words[0], among: known), "See `\(table.program) help`."]
                    .compactMap { $0 }.joined(separator: " ")
            ]
        } else {
            message = named.count > 1 ? "unknown command '\(what)'" : "'\(what)' alone is not a command"
            let known = table.words(after: [words[0]]).map(\.word)
            if named.count > 1, let meant = Suggestion.sentence(for: words[1], among: known) {
                lines.append(meant)
            }
            lines += ["usage:"] + members.map { "  \(table.program) \($0.shortUsage)" }
        }
        return .wrong(CommandError(ExitCode.usage, message, remedy: lines.joined(separator: "\n")))
    }

    // MARK: arguments and options

    /// - Returns: nil: help was asked for.
    private static func read(
        _ words: ArraySlice<String>, _ command: CommandDescription, _ table: CommandTable
    ) throws(CommandError) -> Given? {
        var given = Given()
        var rest = words
        var takesOptions = true
        while let word = rest.popFirst() {
            if takesOptions, word == "--" {
                takesOptions = false
            } else if takesOptions, isOption(word, command, table) {
                if Option.help.spellings.contains(word) { return nil }
                try read(option: word, &rest, command, &given, table)
            } else {
                given.arguments.append(word)
            }
        }
        if let missing = command.arguments.dropFirst(given.arguments.count).first(where: \.isRequired) {
            throw wrong("\(missing.name) is missing", command, table)
        }
        for (position, word) in given.arguments.enumerated() {
            guard let argument = command.argument(at: position) else {
                throw wrong("'\(word)' is too much", command, table)
            }
            if case .words(let allowed) = argument.values, !allowed.contains(word) {
                throw notAmong(allowed, "\(argument.name) is '\(word)'", word)
            }
        }
        return given
    }

    private static func isOption(
        _ word: String, _ command: CommandDescription, _ table: CommandTable
    ) -> Bool {
        guard word.hasPrefix("-"), let second = word.dropFirst().first else { return false }
        if word.hasPrefix("--") || Option.help.aliases.contains(word) || command.option(name(word)) != nil {
            return true
        }
        // A negative number or duration, which the command reads.
        let isNumber = ("0"..."9").contains(second) || second == "."
        return !isNumber && !table.dashedWordsAreArguments
    }

    /// What stands before the first `=`.
    private static func name(_ word: String) -> String { String(word.prefix { $0 != "=" }) }

    private static func read(
        option word: String, _ rest: inout ArraySlice<String>, _ command: CommandDescription,
        _ given: inout Given, _ table: CommandTable
    ) throws(CommandError) {
        let name = name(word)
        let attached = word == name ? nil : String(word.dropFirst(name.count + 1))
        guard let option = ([.help] + command.options).first(where: { $0.spellings.contains(name) }) else {
            throw wrong(
                "unknown option '\(name)'", command, table,
                hint: Suggestion.sentence(
                    for: name, among: (command.options + [.help]).flatMap(\.spellings)))
        }
        guard option.isRepeatable || !given.has(option.name) else {
            throw wrong("\(option.name) is given twice", command, table)
        }
        guard option.value != nil else {
            guard attached == nil else { throw wrong("\(name) has no value", command, table) }
            return given.add(option, "")
        }
        guard let value = attached ?? rest.popFirst() else {
            throw wrong("\(option.name) needs a value", command, table)
        }
        if case .words(let allowed) = option.values, !allowed.contains(value) {
            throw notAmong(allowed, "\(option.name) is '\(value)'", value)
        }
        given.add(option, value)
    }

    private static func notAmong(_ allowed: [String], _ message: String, _ word: String) -> CommandError {
        let meant = Suggestion.sentence(for: word, among: allowed).map { "\($0) " } ?? ""
        return CommandError(
            ExitCode.usage, message, remedy: "\(meant)Use \(allowed.joined(separator: ", ")).")
    }

    private static func wrong(
        _ message: String, _ command: CommandDescription, _ table: CommandTable, hint: String? = nil
    ) -> CommandError {
        let lines = [hint, "usage: \(table.program) \(command.usage)"].compactMap { $0 }
        return CommandError(ExitCode.usage, message, remedy: lines.joined(separator: "\n"))
    }
}
