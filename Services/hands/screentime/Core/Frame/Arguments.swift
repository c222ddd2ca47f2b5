import Contract

/// The words of the command line, matched with the table of commands.
enum Arguments {
    enum Parsed {
        case run(Command, arguments: [String], options: [String: String])
        case print(String)
        case wrong(CommandError)
    }

    static func parse(_ words: [String], _ commands: [Command]) -> Parsed {
        guard let first = words.first else {
            return .wrong(CommandError(ExitCode.usage, "no command was given", remedy: overview(commands)))
        }
        if first == "--version" { return .print(Screentime.version) }
        if first == "--help" || first == "-h" || first == "help", words.count == 1 {
            return .print(overview(commands))
        }
        let wanted = first == "help" ? Array(words.dropFirst()) + ["--help"] : words
        guard let (command, count) = find(wanted, commands) else {
            return unknown(wanted, commands)
        }
        return read(Array(wanted.dropFirst(count)), command)
    }

    /// Between the values of a repeated option: no word of a command line can hold it.
    static let valueSeparator = "\0"

    /// The command with the most words that begin `words`.
    private static func find(_ words: [String], _ commands: [Command]) -> (Command, Int)? {
        let matches = commands.compactMap { command -> (Command, Int)? in
            let own = command.words.split(separator: " ").map(String.init)
            return words.starts(with: own) ? (command, own.count) : nil
        }
        return matches.max { $0.1 < $1.1 }
    }

    /// Asks for help about a group of commands are answered, other unknown words are refused.
    private static func unknown(_ words: [String], _ commands: [Command]) -> Parsed {
        let group = commands.filter { $0.words.hasPrefix(words[0] + " ") }
        let known =
            group.isEmpty
            ? overview(commands)
            : "usage:\n" + group.map { "  screentime \($0.usage)" }.joined(separator: "\n")
        if !group.isEmpty, words.contains("--help") || words.contains("-h") {
            return .print(known)
        }
        let what = words.prefix { !$0.hasPrefix("-") }.prefix(2).joined(separator: " ")
        let message =
            what.isEmpty
            ? "unknown option '\(words[0])'"
            : group.isEmpty || words.count > 1
                ? "unknown command '\(what)'" : "'\(what)' alone is not a command"
        return .wrong(CommandError(ExitCode.usage, message, remedy: known))
    }

    private static func read(_ words: [String], _ command: Command) -> Parsed {
        var arguments: [String] = []
        var options: [String: String] = [:]
        var index = 0
        var onlyArguments = false
        func wrong(_ message: String) -> Parsed {
            .wrong(CommandError(ExitCode.usage, message, remedy: "usage: screentime \(command.usage)"))
        }
        while index < words.count {
            let word = words[index]
            index += 1
            if onlyArguments || !word.hasPrefix("-") || word == "-" {
                arguments.append(word)
                continue
            }
            if word == "--" {
                onlyArguments = true
                continue
            }
            if word == "--help" || word == "-h" { return .print(command.help) }
            let parts = word.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false).map(
                String.init)
            guard let option = command.options.first(where: { $0.name == parts[0] }) else {
                return wrong("unknown option '\(parts[0])'")
            }
            let earlier = options[option.name]
            guard earlier == nil || option.isRepeatable else {
                return wrong("\(option.name) is given twice")
            }
            var value = ""
            if option.value == nil {
                guard parts.count == 1 else { return wrong("\(option.name) has no value") }
            } else if parts.count == 2 {
                value = parts[1]
            } else if index < words.count {
                value = words[index]
                index += 1
            } else {
                return wrong("\(option.name) needs a value")
            }
            options[option.name] = earlier.map { $0 + valueSeparator + value } ?? value
        }
        let required = command.arguments.count(where: { !$0.hasPrefix("[") })
        guard arguments.count >= required else {
            return wrong("\(command.arguments[arguments.count]) is missing")
        }
        guard arguments.count <= command.arguments.count || command.repeatsLastArgument else {
            return wrong("'\(arguments[command.arguments.count])' is too much")
        }
        return .run(command, arguments: arguments, options: options)
    }

    static func overview(_ commands: [Command]) -> String {
        let width = min(60, commands.map(\.usage.count).max() ?? 0)
        let lines = commands.map { command in
            let usage = command.usage
            let gap =
                usage.count <= width
                ? String(repeating: " ", count: width - usage.count + 2)
                : "\n" + String(repeating: " ", count: width + 4)
            return "  \(usage)\(gap)\(command.summary)"
        }
        return "usage: screentime COMMAND [OPTION…]\n\n" + lines.joined(separator: "\n")
            + "\n\nHelp for each: screentime COMMAND --help. Version: screentime --version."
    }
}
