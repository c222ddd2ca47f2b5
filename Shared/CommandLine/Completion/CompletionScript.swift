/// A shell that completes words by a script.
package enum Shell: String, CaseIterable, Sendable {
    case bash
    case zsh
    case fish
}

/// A script by which a shell completes a program's commands, options and values. It has all it needs of the
/// table in itself and does not run the program.
package struct CompletionScript {
    let table: CommandTable
    private let shell: Shell

    package init(_ table: CommandTable, _ shell: Shell) {
        self.table = table
        self.shell = shell
    }

    package var text: String {
        switch shell {
        case .bash: bash
        case .zsh: zsh
        case .fish: fish
        }
    }

    static func instructions(_ program: String) -> String {
        """
        To use it now, or from the file that your shell reads when it starts:

          bash  source <(\(program) completion bash)
          zsh  source <(\(program) completion zsh), after compinit
          fish  \(program) completion fish | source

        To install it for every new shell:

          \(program) completion bash > ~/.local/share/bash-completion/completions/\(program)
          \(program) completion zsh > DIRECTORY/_\(program)
          \(program) completion fish > ~/.config/fish/completions/\(program).fish

        DIRECTORY is one of zsh's fpath.
        """
    }

    // MARK: what all scripts have of the table

    /// A part of the names of the script's functions.
    var name: String { String(table.program.map { $0.isLetter || $0.isNumber ? $0 : "_" }) }

    /// Where the script looks for an option: its command and its spelling. An argument has a number sign and
    /// its place.
    struct Place {
        var command: String
        /// `--role`, `#0`, or `#` for every later argument.
        var key: String
        var values: Values
    }

    /// All places of values: of options that have one, and of arguments.
    var places: [Place] {
        table.commands.flatMap { command in
            let options = command.options.filter { $0.value != nil }.flatMap { option in
                option.spellings.map { Place(command: command.words, key: $0, values: option.values) }
            }
            let arguments = command.arguments.enumerated().flatMap { place, argument in
                [Place(command: command.words, key: "#\(place)", values: argument.values)]
                    + (argument.repeats
                        ? [Place(command: command.words, key: "#", values: argument.values)] : [])
            }
            return options + arguments
        }
    }

    /// The options of a command, with the ones that each has.
    func options(of command: CommandDescription) -> [Option] { command.options + [.help] }

    /// Before any command.
    var optionsOfProgram: [Option] {
        (table.version == nil ? [] : [Option("--version", nil, "Print the version.")]) + [.help]
    }

    /// The beginnings of commands after which other words follow.
    var branches: [(path: String, words: [(word: String, summary: String)])] {
        ([[]] + table.paths).map { ($0.joined(separator: " "), table.words(after: $0)) }
            .filter { !$0.words.isEmpty }
    }

    /// One word for bash and zsh.
    static func quoted(_ text: String) -> String {
        "'" + text.replacing("'", with: "'\\''") + "'"
    }
}
