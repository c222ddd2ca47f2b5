extension CompletionScript {
    var zsh: String {
        let words = branches.map { path, words in
            "        (\(Self.quoted(path))) next=(\(described(words.map { ($0.word, $0.summary) }))) ;;"
        }
        let options = table.commands.map { command in
            "        (\(Self.quoted(command.words))) options=(\(described(self.options(of: command)))) ;;"
        }
        return """
            #compdef \(table.program)
            # zsh completion for \(table.program), printed by `\(table.program) completion zsh`.

            # The words that may follow the words of a command, each with what it does: next.
            _\(name)_words() {
                next=()
                case $1 in
            \(words.joined(separator: "\n"))
                esac
            }

            # The options of a command, each with what it does: options.
            _\(name)_options() {
                case $1 in
            \(options.joined(separator: "\n"))
                    ('') options=(\(described(optionsOfProgram))) ;;
                    (*) options=(\(described([.help]))) ;;
                esac
            }

            \(valuesForBourneShells(list: "case"))

            \(zshWalk)

            if [[ $funcstack[1] == _\(name) ]]; then
                _\(name) "$@"
            elif (($+functions[compdef])); then
                compdef _\(name) \(table.program)
            fi
            """
    }

    private func described(_ options: [Option]) -> String {
        described(options.flatMap { option in option.spellings.map { ($0, option.help) } })
    }

    /// As `_describe` takes them: a colon between the word and what it means.
    private func described(_ words: [(String, String)]) -> String {
        words.map { word, summary in
            let word = word.replacing("\\", with: "\\\\").replacing(":", with: "\\:")
            return Self.quoted(summary.isEmpty ? word : "\(word):\(summary)")
        }.joined(separator: " ")
    }

    private var zshWalk: String {
        #"""
        _NAME() {
            local -a next options values
            local command='' key='' kind='' word
            local -i index count=0 takes_options=1
            for ((index = 2; index < CURRENT; index++)); do
                word=${words[index]}
                if [[ -n $key ]]; then
                    key=''
                elif ((takes_options)) && [[ $word == -- ]]; then
                    takes_options=0
                elif ((takes_options)) && [[ $word == -?* ]]; then
                    if [[ $word != *=* ]] && _NAME_values "$command" "$word"; then key=$word; fi
                elif ((count == 0)) && [[ -z $command && $word == help ]]; then
                    :
                elif ((count == 0)) && _NAME_has "$command" "$word"; then
                    command=${command:+$command }$word
                else
                    ((++count))
                fi
            done
            if [[ -z $key ]] && ((takes_options)) && [[ $PREFIX == --*=* ]]; then
                key=${PREFIX%%=*}
                compset -P '*='
            elif [[ -z $key ]] && ((takes_options)) && [[ $PREFIX == -* ]]; then
                _NAME_options "$command"
                _describe -o option options
                return
            elif [[ -z $key ]]; then
                key="#$count"
                if ((count == 0)); then
                    _NAME_words "$command"
                    (($#next)) && _describe command next
                fi
            fi
            _NAME_values "$command" "$key" || return
            case $kind in
                (file) _files ;;
                (directory) _files -/ ;;
                (words) compadd -- "${values[@]}" ;;
            esac
        }

        _NAME_has() {
            local word
            local -a next
            _NAME_words "$1"
            for word in "${next[@]}"; do
                if [[ ${word%%:*} == "$2" ]]; then return 0; fi
            done
            return 1
        }
        """#.replacing("_NAME", with: "_\(name)")
    }
}
