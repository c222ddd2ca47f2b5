extension CompletionScript {
    var bash: String {
        let options = table.commands.map { command in
            "        \(Self.quoted(command.words))) options=(\(list(self.options(of: command)))) ;;"
        }
        let words = branches.map { path, words in
            let list = words.map { Self.quoted($0.word) }.joined(separator: " ")
            return "        \(Self.quoted(path))) next=(\(list)) ;;"
        }
        return """
            # bash completion for \(table.program), printed by `\(table.program) completion bash`.

            # The words that may follow the words of a command: next.
            _\(name)_words() {
                next=()
                case $1 in
            \(words.joined(separator: "\n"))
                esac
            }

            # The options of a command: options.
            _\(name)_options() {
                case $1 in
            \(options.joined(separator: "\n"))
                    '') options=(\(list(optionsOfProgram))) ;;
                    *) options=('--help' '-h') ;;
                esac
            }

            \(valuesForBourneShells(list: "case"))

            \(bashWalk)
            complete -F _\(name) \(table.program)
            """
    }

    private func list(_ options: [Option]) -> String {
        options.flatMap(\.spellings).map(Self.quoted).joined(separator: " ")
    }

    /// What stands for an option's value or an argument; also zsh reads it.
    func valuesForBourneShells(list keyword: String) -> String {
        let rows = places.map { place in
            let pattern =
                place.key == "#"
                ? Self.quoted("\(place.command) #") + "*" : Self.quoted("\(place.command) \(place.key)")
            switch place.values {
            case .text: return "        \(pattern)) kind=text ;;"
            case .file: return "        \(pattern)) kind=file ;;"
            case .directory: return "        \(pattern)) kind=directory ;;"
            case .words(let words), .suggestions(let words):
                let list = words.map(Self.quoted).joined(separator: " ")
                return "        \(pattern)) kind=words values=(\(list)) ;;"
            }
        }
        return """
            # What an option of a command takes, or its argument #0, #1 …: kind and values. Fails for an
            # option without a value.
            _\(name)_values() {
                kind='' values=()
                \(keyword) "$1 $2" in
            \(rows.joined(separator: "\n"))
                    *) return 1 ;;
                esac
            }
            """
    }

    private var bashWalk: String {
        #"""
        _NAME() {
            local -a given=() next=() options=() values=() found=()
            local command='' key='' kind='' prefix='' gap='' word index
            local line=$COMP_LINE count=0 takes_options=1
            COMPREPLY=()
            # readline divides --option=value and 07:30 into words that have nothing between them in the line.
            for ((index = 0; index <= COMP_CWORD; index++)); do
                word=${COMP_WORDS[index]}
                gap=$line
                if [[ -n $word ]]; then
                    gap=${line%%"$word"*} line=${line#*"$word"}
                fi
                if ((index < 2)) || [[ -n $gap ]]; then given+=("$word"); else given[-1]+=$word; fi
            done
            local current=${given[-1]} last=$((${#given[@]} - 1))
            # What readline keeps of the last word, and adds a completion to.
            local kept=$current
            if [[ $word == *[!=:]* ]]; then kept=${current%"$word"}; fi
            for ((index = 1; index < last; index++)); do
                word=${given[index]}
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
            if [[ -z $key ]] && ((takes_options)) && [[ $current == --*=* ]]; then
                key=${current%%=*} current=${current#*=}
                # Where readline keeps nothing, the option is part of what it replaces.
                if [[ -n $kept ]]; then kept=${kept#*=}; else prefix=$key=; fi
            elif [[ -z $key ]] && ((takes_options)) && [[ $current == -* ]]; then
                _NAME_options "$command"
                found=("${options[@]}")
            elif [[ -z $key ]]; then
                key="#$count"
                if ((count == 0)); then
                    _NAME_words "$command"
                    found=("${next[@]}")
                fi
            fi
            if [[ -n $key ]] && _NAME_values "$command" "$key"; then
                # readline's own completion of files, which also quotes them.
                case $kind in
                    file) compopt -o default 2>/dev/null ;;
                    directory) compopt -o dirnames 2>/dev/null ;;
                    words) found+=("${values[@]}") ;;
                esac
            fi
            # What was typed is quoted as it stands there; an open quote stays and quotes what is added.
            local is_quoted=0 plain=''
            if [[ $current == [\'\"]* ]]; then
                is_quoted=1 current=${current:1}
            fi
            while ((!is_quoted)) && [[ $current == *\\?* ]]; do
                plain+=${current%%\\*} current=${current#*\\}
                plain+=${current:0:1} current=${current:1}
            done
            for word in "${found[@]}"; do
                if [[ $word == "$plain$current"* ]]; then
                    word=${word#"$kept"}
                    ((is_quoted)) || printf -v word '%q' "$word"
                    COMPREPLY+=("$prefix$word")
                fi
            done
        }

        _NAME_has() {
            local word
            local -a next
            _NAME_words "$1"
            for word in "${next[@]}"; do
                if [[ $word == "$2" ]]; then return 0; fi
            done
            return 1
        }
        """#.replacing("_NAME", with: "_\(name)")
    }
}
