# The rules of scripts/check.sh. Each is three functions: rule_NAME prints findings of the current directory's files,
# bad_NAME makes a tree with a violation, good_NAME one without. Sourced, never run.
# shellcheck shell=bash

rules=(file_length line_length function_length banned_calls proofs sleeps places unfinished packages rooms imports order executable)

file_lines_max=600
file_lines_warning=400
function_lines_max=60
columns_max=110

# The files of the tree: swift_files, text_files (all others that people write).
list_files() {
    mapfile -t swift_files < <(git ls-files -co --exclude-standard -- '*.swift' | sort)
    mapfile -t text_files < <(git ls-files -co --exclude-standard -- '*.sh' '*.md' '*.py' '*.txt' '*.service' \
        '*.target' '*.env' '.ci/*' 'Shared/System/*' '*.c' '*.h' | grep -v '\.swift$' | sort)
}

# usage: each_swift AWK-PROGRAM     with FILENAME, FNR and `previous`, the line above
each_swift() {
    ((${#swift_files[@]} == 0)) || awk "FNR == 1 { previous = \"\" } $1 { previous = \$0 }" "${swift_files[@]}"
}

rule_file_length() {
    ((${#swift_files[@]} == 0)) || wc -l "${swift_files[@]}" | awk -v max=$file_lines_max -v warn=$file_lines_warning '
        $2 == "total" { next }
        $1 > max { print $2 ":1: " $1 " lines; at most " max }
        $1 > warn && $1 <= max { print $2 ":1: warning: " $1 " lines; better below " warn }'
}
bad_file_length() { seq -f '// %g' 601 >Long.swift; }
good_file_length() { seq -f '// %g' 400 >Short.swift; }

# Exempt: rows of tables in comments, and lines of the contract or a test that are one string.
rule_line_length() {
    ((${#swift_files[@]} == 0)) ||
        LC_ALL=C.UTF-8 grep -nE "^.{$((columns_max + 1)),}" "${swift_files[@]}" /dev/null |
        grep -vE '^[^:]*:[0-9]+: *(/// \||(package static let summary = |== )?#?"[^"]*"[,)]*$|#"[^#]*"#,?$)' |
        sed -E "s/^([^:]*:[0-9]+):.*/\1: longer than $columns_max columns/" || true
}
bad_line_length() { printf '// %0109d\n' 0 >Wide.swift; }
good_line_length() { printf '// %0107d\n' 0 >Narrow.swift; }

# A function ends at the brace with the indentation of its beginning.
rule_function_length() {
    # shellcheck disable=SC2016
    each_swift '
        FNR == 1 { depth = 0 }
        /^ *([@a-z][^"\/]* )?(func [^ ]|init[?(<]|deinit \{|subscript[(<])/ {
            depth++; match($0, /^ */); indent[depth] = RLENGTH; first[depth] = FNR; open[depth] = 0
        }
        depth > 0 {
            match($0, /^ */)
            if (!open[depth] && RLENGTH == indent[depth] && /\{( [^}]*)?$/) open[depth] = 1
            else if (!open[depth] && (RLENGTH < indent[depth] || /^ *$/ || /\{.*\}$/)) depth--
            else if (open[depth] && RLENGTH == indent[depth] && /^ *\}/) {
                length_ = FNR - first[depth] + 1
                if (length_ > '$function_lines_max') print FILENAME ":" first[depth] ": a function of " length_ " lines; at most '$function_lines_max'"
                depth--
            }
        }'
}
bad_function_length() {
    { echo 'func long() {' && seq -f '    print(%g)' 59 && echo '}'; } >Long.swift
}
good_function_length() {
    { echo 'func short() {' && seq -f '    print(%g)' 58 && echo '}' && seq -f 'let a%g = 1' 80; } >Short.swift
}

rule_banned_calls() {
    each_swift '
        { code = $0; gsub(/"[^"]*"/, "\"\"", code); sub(/\/\/.*/, "", code) }
        code ~ /(^|[^a-zA-Z])try!/ { print FILENAME ":" FNR ": try! ends the program without a word; throw, or precondition with a sentence" }
        code ~ /(^|[^a-zA-Z])as!/ { print FILENAME ":" FNR ": as! ends the program without a message; use as? and report what is wrong" }
        code ~ /fatalError\(/ { print FILENAME ":" FNR ": fatalError; use preconditionFailure with a sentence" }
        code ~ /NSLog\(|debugPrint\(/ { print FILENAME ":" FNR ": a print that bypasses the log" }'
}
bad_banned_calls() { echo 'let a = try! b()' >Bad.swift; }
good_banned_calls() { echo 'let a = "try!" // try!' >Good.swift; }

# These need a comment with the reason: on the line, up to five lines above, or directly below.
rule_proofs() {
    each_swift '
        { code = $0; gsub(/"[^"]*"/, "\"\"", code); sub(/\/\/.*/, "", code) }
        FNR == 1 || !/\/\// { if (pending) print pending }
        { pending = "" }
        FNR == 1 { remembered = -9 }
        /\/\// { remembered = FNR }
        { near = (FNR - remembered <= 5) }
        !near && code ~ /(^|[^a-zA-Z])try\?/ { pending = FILENAME ":" FNR ": try? without a comment that says why the failure does not matter" }
        !near && code ~ /@unchecked Sendable|nonisolated\(unsafe\)|unsafeBitCast|assumeIsolated/ { pending = FILENAME ":" FNR ": an unchecked promise without the proof in a comment" }
        !near && code ~ /[a-zA-Z0-9_)\]]!([^=a-zA-Z]|$)/ { pending = FILENAME ":" FNR ": a forced unwrap without the proof in a comment" }
        END { if (pending) print pending }'
}
bad_proofs() { printf 'let a = 1\nlet b = try? c()\n' >Bad.swift; }
good_proofs() { printf '// It may be gone; then nothing is to do.\nlet b = try? c()\nlet d = e != f && !g\n' >Good.swift; }

rule_sleeps() {
    # shellcheck disable=SC2016
    each_swift '
        FILENAME ~ /Tests\// && /(^|[^a-zA-Z"])(u?sleep|nanosleep|Task\.sleep|Thread\.sleep)\(/ && !/^ *\/\// {
            print FILENAME ":" FNR ": a test that sleeps; wait for the event" }'
}
bad_sleeps() { mkdir Tests && echo 'try await Task.sleep(for: .seconds(1))' >Tests/Bad.swift; }
good_sleeps() { mkdir Tests && echo 'perl("sleep 1000")' >Tests/Good.swift; }

# Paths of one machine, and hosts of packages: both may differ tomorrow.
rule_places() {
    local all=("${swift_files[@]}" "${text_files[@]}")
    grep -nE '(^|[^a-zA-Z0-9_.~$})/-])/(work|root|home/[a-z]+|opt/swift)(/|"|$)|(debian|pypi|npmjs|ubuntu)\.(org|com|net|io)' \
        "${all[@]}" /dev/null | grep -v '^scripts/lib/rules.sh:' |
        sed -E 's/^([^:]*:[0-9]+):.*/\1: a path or host of one machine/' || true
}
bad_places() { echo 'let a = "/root/tools/usr"' >Bad.swift; }
good_places() { echo 'let a = "/usr/bin/env"; let b = "\(root)/desk/home"' >Good.swift; }

rule_unfinished() {
    local all=("${swift_files[@]}" "${text_files[@]}")
    grep -nE '(^|[^A-Za-z])(TODO|FIXME|XXX|HACK)([^A-Za-zX]|$)' "${all[@]}" /dev/null |
        grep -vE '^(scripts/lib/rules.sh|CONTRIBUTING.md):' |
        sed -E 's/^([^:]*:[0-9]+):.*/\1: unfinished; finish it or write an issue/' || true
}
bad_unfinished() { printf '// %s: later\n' 'TODO' >Bad.swift; }
good_unfinished() { echo '// mktemp XXXXXX' >Good.swift; }

# scripts/packages.txt has the packages that Package.swift names.
rule_packages() {
    local package
    while read -r package; do
        grep -qx "$package" scripts/packages.txt ||
            echo "Package.swift:1: $package is not in scripts/packages.txt"
    done < <(grep -oE 'apt: "[^"]+"' Package.swift 2>/dev/null | cut -d '"' -f 2 | sort -u)
}
bad_packages() { mkdir scripts && touch scripts/packages.txt && echo 'system("CZ", apt: "libz-dev")' >Package.swift; }
good_packages() { mkdir scripts && echo libz-dev >scripts/packages.txt && echo 'system("CZ", apt: "libz-dev")' >Package.swift; }

# The table of rooms in ARCHITECTURE.md lists who may import whom: no other import, no unused one, no cycle.
rule_rooms() {
    [[ -f ARCHITECTURE.md ]] || return 0
    # shellcheck disable=SC2016
    { grep -nE '^\| `(Shared|Services)/' ARCHITECTURE.md || true; printf '=\n'
        printf '%s\n' "${swift_files[@]}" | grep -E '^(Shared|Services)/' |
            xargs -r grep -nE '^(@[a-z_A-Z]+ )*((package|public|internal|private) )?import [a-z_A-Z0-9. ]+$' /dev/null || true
    } | awk -v toolchain=" Dispatch Foundation Glibc Observation PackagePlugin Synchronization Testing " '
        function names(text, list,   parts, count, index_, found) {
            count = split(text, parts, "`"); found = 0
            for (index_ = 2; index_ <= count; index_ += 2) list[++found] = parts[index_]
            return found
        }
        $0 == "=" { reading = 1; next }
        !reading {
            line = $0; sub(/:.*/, "", line); split($0, cell, "|"); names(cell[2], one); room = one[1]
            place[room] = line
            count = names(cell[5], list)
            for (i = 1; i <= count; i++) {
                if (!(list[i] in home))
                    print "ARCHITECTURE.md:" line ": " room " may use " list[i] ", which no room above has"
                may[room, list[i]] = line
            }
            count = names(cell[3], list)
            for (i = 1; i <= count; i++) { home[list[i]] = room }
            next
        }
        {
            split($0, part, ":"); file = part[1]; module = part[3]
            sub(/.*import /, "", module); sub(/^(struct|class|enum|func|typealias|protocol) /, "", module)
            sub(/[. ].*/, "", module)
            room = file
            while (room != "" && !(room in place)) { if (!sub("/[^/]*$", "", room)) room = "" }
            if (room == "") { print file ":" part[2] ": no room of ARCHITECTURE.md has this file"; next }
            if (!(module in home)) {
                if (index(toolchain, " " module " ") == 0)
                    print file ":" part[2] ": no room of ARCHITECTURE.md has the module " module
                next
            }
            if (home[module] == room) next
            used[room, module] = 1
            if (!((room, module) in may))
                print file ":" part[2] ": " room " may not use " module " (ARCHITECTURE.md)"
        }
        END {
            for (arrow in may) if (!(arrow in used)) {
                split(arrow, part, SUBSEP)
                print "ARCHITECTURE.md:" may[arrow] ": " part[1] " does not use " part[2]
            }
        }'
}
bad_rooms() {
    mkdir -p Shared/A Shared/B
    printf '| `Shared/A` | `A2` | a | nothing |\n| `Shared/B` | `B` | b | nothing |\n' >ARCHITECTURE.md
    echo 'package import A2' >Shared/B/B.swift
}
good_rooms() {
    bad_rooms
    printf '| `Shared/A` | `A2` | a | nothing |\n| `Shared/B` | `B` | b | `A2` |\n' >ARCHITECTURE.md
}

# Package.swift declares what a target imports from this package.
rule_imports() {
    # Without a lock, because it only reads the manifest: a running build need not be waited for.
    [[ -f Package.swift ]] || return 0
    swift package --ignore-lock describe --type json | python3 "$root/scripts/lib/imports.py"
}
bad_imports() { manifest_of_two ''; }
good_imports() { manifest_of_two ', dependencies: ["A"]'; }
manifest_of_two() {
    mkdir -p Sources/A Sources/B
    touch Sources/A/A.swift && echo 'package import A' >Sources/B/B.swift
    printf '// swift-tools-version: 6.0\nimport PackageDescription\nlet package = Package(name: "two", targets: [
        .target(name: "A"), .target(name: "B"%s)])\n' "$1" >Package.swift
}

# The scripts start the services that the contract names, in its order.
rule_order() {
    local source=Shared/Contract/Envelope/ServiceName.swift name names=''
    [[ -f $source ]] || return 0
    for name in $(sed -nE 's/.*startOrder.*= \[(.*)\].*/\1/p' "$source" | tr -d '.,'); do
        names+=" $(sed -nE "s/ *case $name = \"(.*)\"/\1/p" "$source")"
    done
    grep -qxF "services=(${names# })" scripts/lib/instance.sh ||
        echo "scripts/lib/instance.sh:1: the services are not${names}, as ServiceName.startOrder says"
}
bad_order() {
    mkdir -p Shared/Contract/Envelope scripts/lib
    printf '    case a = "x"\n    case b = "y"\n static let startOrder = [.b, .a]\n' >Shared/Contract/Envelope/ServiceName.swift
    echo 'services=(x y)' >scripts/lib/instance.sh
}
good_order() { bad_order && echo 'services=(y x)' >scripts/lib/instance.sh; }

rule_executable() {
    local file
    for file in scripts/*.sh .ci/run; do
        [[ ! -f $file || -x $file ]] || echo "$file:1: is not executable"
        [[ ! -f $file ]] || bash -n "$file" 2>&1 | head -n 1
    done
}
bad_executable() { mkdir scripts && echo 'if' >scripts/a.sh && chmod +x scripts/a.sh; }
good_executable() { mkdir scripts && echo 'true' >scripts/a.sh && chmod +x scripts/a.sh; }
