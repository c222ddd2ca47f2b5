/// A command as its help, its manual, the completion scripts and the parser know it.
package struct CommandDescription: Sendable {
    /// Its words, for example `member add`.
    package var words: String
    package var arguments: [Argument]
    package var options: [Option]
    /// One sentence.
    package var summary: String
    /// More for its own help. See `Paragraphs`.
    package var details: String

    package init(
        _ words: String, _ arguments: [Argument] = [], options: [Option] = [], summary: String,
        details: String = ""
    ) {
        self.words = words
        self.arguments = arguments
        self.options = options
        self.summary = summary
        self.details = details
    }

    /// `member add NAME [--role ROLE] [--json]`
    package var usage: String {
        ([words] + arguments.map(\.usage) + options.map(\.optionalUsage)).joined(separator: " ")
    }

    /// `member add NAME`
    var shortUsage: String { ([words] + arguments.map(\.usage)).joined(separator: " ") }

    var path: [String] { words.split(separator: " ").map(String.init) }

    func option(_ spelling: String) -> Option? { options.first { $0.spellings.contains(spelling) } }

    /// What stands at a position, counted from 0; the last may repeat.
    func argument(at position: Int) -> Argument? {
        if position < arguments.count { return arguments[position] }
        return arguments.last.flatMap { $0.repeats ? $0 : nil }
    }
}

/// A command and what it does.
package struct Command<Action: Sendable>: Sendable {
    package var description: CommandDescription
    package var action: Action

    package init(
        _ words: String, _ arguments: [Argument] = [], options: [Option] = [], summary: String,
        details: String = "", action: Action
    ) {
        description = CommandDescription(
            words, arguments, options: options, summary: summary, details: details)
        self.action = action
    }

    package init(_ description: CommandDescription, action: Action) {
        self.description = description
        self.action = action
    }
}

extension Command {
    package var words: String { description.words }
}
