/// Everything a program's command line takes. The parser, the help, the manual, the completion scripts and
/// docs/commands.md are made of it.
package struct CommandTable: Sendable {
    /// Commands that share their first word, under a heading of their own.
    package struct Group: Sendable {
        package var word: String
        package var summary: String

        package init(_ word: String, _ summary: String) {
            self.word = word
            self.summary = summary
        }
    }

    package var program: String
    /// Completes "PROGRAM – …".
    package var summary: String
    /// What `--version` prints. If nil, there is no such option.
    package var version: String?
    package var groups: [Group]
    /// In the order of the help.
    package var commands: [CommandDescription]
    /// Whether a word with one dash that is no short option is an argument, as the built-in apps have always
    /// taken it. Elsewhere it is an unknown option.
    package var dashedWordsAreArguments: Bool
    /// Environment variables and files, for the manual.
    package var notes: [(heading: String, text: String)]

    package init(
        _ program: String, summary: String, version: String? = nil, groups: [Group] = [],
        commands: [CommandDescription], dashedWordsAreArguments: Bool = false,
        notes: [(heading: String, text: String)] = []
    ) {
        self.program = program
        self.summary = summary
        self.version = version
        self.groups = groups
        self.commands = commands + Self.builtIn(program)
        self.dashedWordsAreArguments = dashedWordsAreArguments
        self.notes = notes
    }

    static let helpWord = "help", completionWord = "completion", manualWord = "man"
    static let manualFormats = ["man", "markdown"]

    /// What every program of ours can do beside its own commands.
    private static func builtIn(_ program: String) -> [CommandDescription] {
        [
            CommandDescription(
                helpWord, ["[COMMAND…]"], summary: "Print the list of commands, or the help of one."),
            CommandDescription(
                completionWord, [Argument("SHELL", values: .words(Shell.allCases.map(\.rawValue)))],
                summary: "Print the completion script for bash, zsh or fish.",
                details: CompletionScript.instructions(program)),
            CommandDescription(
                manualWord,
                options: [
                    Option(
                        "--format", "FORMAT", "man (default), for `man -l -`, or markdown.",
                        values: .words(manualFormats))
                ], summary: "Print the manual page."),
        ]
    }

    /// The earlier command that has the same details, which a manual prints once.
    func sameDetails(as command: CommandDescription) -> CommandDescription? {
        guard !command.details.isEmpty, let first = commands.first(where: { $0.details == command.details })
        else { return nil }
        return first.words == command.words ? nil : first
    }

    func command(_ words: String) -> CommandDescription? { commands.first { $0.words == words } }

    /// The command with the most words that begin `words`, and how many these are.
    func command(beginning words: [String]) -> (CommandDescription, Int)? {
        commands.map { ($0, $0.path) }.filter { words.starts(with: $0.1) }
            .max { $0.1.count < $1.1.count }.map { ($0.0, $0.1.count) }
    }

    /// Commands with this first word and at least one more.
    func members(of group: String) -> [CommandDescription] {
        commands.filter { $0.path.count > 1 && $0.path[0] == group }
    }

    /// The words that may follow these in the path of a command, each with a summary; in the order of the
    /// help.
    func words(after path: [String]) -> [(word: String, summary: String)] {
        var found: [(word: String, summary: String)] = []
        for command in commands where command.path.count > path.count && command.path.starts(with: path) {
            let word = command.path[path.count]
            guard !found.contains(where: { $0.word == word }) else { continue }
            found.append((word, summary(of: path + [word])))
        }
        return found
    }

    private func summary(of path: [String]) -> String {
        let words = path.joined(separator: " ")
        return groups.first { $0.word == words }?.summary ?? command(words)?.summary ?? ""
    }

    /// Every beginning of a command's path, without the empty one: where words of commands may follow.
    var paths: [[String]] {
        var seen: Set<[String]> = []
        return commands.flatMap { command in (1...command.path.count).map { Array(command.path.prefix($0)) } }
            .filter { seen.insert($0).inserted }
    }
}
