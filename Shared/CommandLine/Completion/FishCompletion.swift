extension CompletionScript {
    var fish: String {
        let valued = places.filter { !$0.key.hasPrefix("#") }.map { Self.fish("\($0.command) \($0.key)") }
        let paths = table.paths.map { Self.fish($0.joined(separator: " ")) }
        let head = #"""
            # fish completion for PROGRAM, printed by `PROGRAM completion fish`.

            # Succeeds where the cursor is behind the words of a command and so many arguments: 2, or 2+ for
            # two and more. Without a number: behind any.
            function __NAME_at
                set -l given (commandline -opc)
                set -e given[1]
                set -l command ''
                set -l count 0
                set -l is_value 0
                set -l takes_options 1
                for word in $given
                    if test $is_value = 1
                        set is_value 0
                    else if test $takes_options = 1; and test "$word" = --
                        set takes_options 0
                    else if test $takes_options = 1; and string match -q -- '-?*' "$word"
                        if contains -- "$command $word" VALUED
                            set is_value 1
                        end
                    else if test $count = 0; and test -z "$command"; and test "$word" = help
                        continue
                    else if test $count = 0; and contains -- (string trim -- "$command $word") PATHS
                        set command (string trim -- "$command $word")
                    else
                        set count (math $count + 1)
                    end
                end
                test "$command" = "$argv[1]"; or return 1
                set -q argv[2]; or return 0
                if string match -q '*+' -- $argv[2]
                    test $count -ge (string trim -r -c + -- $argv[2])
                else
                    test $count = $argv[2]
                end
            end

            complete -c PROGRAM -f
            """#.replacing("PROGRAM", with: table.program).replacing("__NAME", with: "__\(name)")
            .replacing("VALUED", with: valued.joined(separator: " "))
            .replacing("PATHS", with: paths.joined(separator: " "))
        return ([head] + fishWords + fishOptions + fishArguments).joined(separator: "\n")
    }

    private var fishWords: [String] {
        branches.flatMap { path, words in
            words.map { "\(fishLine(path, "0")) -a \(Self.fish($0.word)) -d \(Self.fish($0.summary))" }
        }
    }

    private var fishOptions: [String] {
        let ofCommands = table.commands.flatMap { command in
            options(of: command).map { (command.words, $0) }
        }
        return (optionsOfProgram.map { ("", $0) } + ofCommands).map { command, option in
            let names = option.spellings.map { name in
                name.hasPrefix("--") ? "-l \(name.dropFirst(2))" : "-s \(name.dropFirst())"
            }
            let values = option.value == nil ? "" : " " + fishValues(option.values, isOption: true)
            let spellings = names.joined(separator: " ")
            return "\(fishLine(command)) \(spellings)\(values) -d \(Self.fish(option.help))"
        }
    }

    private var fishArguments: [String] {
        places.filter { $0.key.hasPrefix("#") && $0.values != .text }.map { place in
            let number = place.key.dropFirst()
            let count = table.command(place.command)?.arguments.count ?? 0
            let line = fishLine(place.command, number.isEmpty ? "\(count)+" : String(number))
            return "\(line) \(fishValues(place.values, isOption: false))"
        }
    }

    private func fishLine(_ command: String, _ count: String? = nil) -> String {
        let condition = "__\(name)_at \(Self.fish(command))" + (count.map { " \($0)" } ?? "")
        return "complete -c \(table.program) -n \(Self.fish(condition))"
    }

    private func fishValues(_ values: Values, isOption: Bool) -> String {
        let exclusive = isOption ? "-x " : ""
        switch values {
        case .text: return "-x"
        case .file: return isOption ? "-r -F" : "-F"
        case .directory:
            return exclusive + "-a '(__fish_complete_directories (commandline -ct))'"
        // fish expands the list once more.
        case .words(let words), .suggestions(let words):
            return exclusive + "-a " + Self.fish(words.map(Self.fish).joined(separator: " "))
        }
    }

    /// One word for fish.
    private static func fish(_ text: String) -> String {
        "'" + text.replacing("\\", with: "\\\\").replacing("'", with: "\\'") + "'"
    }
}
