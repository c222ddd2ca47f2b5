import CommandKit
import Foundation
import Loop
import ScreenTimeTesting
import Testing

/// Completion scripts, in the shells themselves.
@Suite(.timeLimit(.minutes(2))) struct CompletionTests {
    /// A shell and the completion of the sample in it.
    private struct Bench {
        let world: World
        let shell: Shell
        private let script: String

        @LoopActor init(_ world: World, _ shell: Shell) throws {
            self.world = world
            self.shell = shell
            script = "\(world.directory)/complete.\(shell.rawValue)"
            let text = CompletionScript(Sample.table, shell).text + "\n"
            try text.write(toFile: script, atomically: true, encoding: .utf8)
            for name in ["my file.txt", "it's $(touch made).md", "folder/inside.txt"] {
                let file = URL(filePath: "\(world.directory)/files/\(name)")
                try FileManager.default.createDirectory(
                    at: file.deletingLastPathComponent(), withIntermediateDirectories: true)
                try Data().write(to: file)
            }
        }

        /// The words that are offered, where the shell can tell them without a terminal.
        @LoopActor func offered(_ words: String...) async throws -> Set<String> {
            let quoted = words.map { "'" + $0.replacingOccurrences(of: "'", with: "'\\''") + "'" }
            let program: [String]
            switch shell {
            case .bash:
                // readline divides a word at an equals sign, which has no space before and after it.
                let given = (["sample"] + words).joined(separator: " ").replacing(" = ", with: "=")
                let line = """
                    source '\(script)'; COMP_WORDS=(sample \(quoted.joined(separator: " ")))
                    COMP_LINE='\(given)'; COMP_CWORD=\(words.count); _sample; printf '%s\\n' "${COMPREPLY[@]}"
                    """
                program = ["/bin/bash", "--norc", "-c", line]
            case .fish:
                let line = "sample " + words.joined(separator: " ").replacingOccurrences(of: "'", with: "\\'")
                let ask = "source '\(script)'; complete -C '\(line)'"
                program = ["/usr/bin/env", "fish", "--no-config", "-c", ask]
            case .zsh: preconditionFailure("zsh completes in its line editor alone")
            }
            let label = "offer-\(world.processes.count)"
            let place = ["/usr/bin/env", "-C", "\(world.directory)/files"]
            let (_, lines) = try await world.run(label, place + program)
            #expect(world.errors(of: label) == "")
            return Set(lines.compactMap { $0.split(separator: "\t").first.map(String.init) })
        }

        /// What the program is given when a person types this line, in which `\t` is the tab key.
        @LoopActor func typed(_ line: String) async throws -> [String] {
            let label = "typed-\(world.processes.count)"
            let outcome = try await world.run(
                label,
                [
                    "/usr/bin/python3", "-c", Self.typist, shell.rawValue, script,
                    world.directory + "/files", line,
                ],
                environment: ["LANG": "C.UTF-8"])
            #expect(outcome.status == 0, "\(world.errors(of: label))")
            return outcome.lines
        }

        /// Types at a terminal of its own. The program is a function that prints its arguments.
        private static let typist = #"""
            import os, pty, re, select, sys
            shell, script, place, line = sys.argv[1:]
            child, terminal = pty.fork()
            if child == 0:
                os.chdir(place)
                os.environ.update(TERM="vt100", HISTFILE="/dev/null", INPUTRC="/dev/null")
                options = {"bash": ["--norc", "--noprofile", "-i"], "zsh": ["-f", "-i"]}[shell]
                os.execvp(shell, [shell] + options)
            said = ""
            def wait(pattern):
                global said
                while not re.search(pattern, said):
                    if not select.select([terminal], [], [], 60)[0]: sys.exit("nothing came:\n" + said)
                    try: said += os.read(terminal, 65536).decode("utf-8", "replace")
                    except OSError: sys.exit("the shell ended; it said:\n" + said)
            def write(text): os.write(terminal, text.encode())
            if shell == "zsh": write("autoload -Uz compinit; compinit -u -D\n")
            write("source '%s'\n" % script)
            write("sample() { printf '<%s>' \"$@\"; printf '\\n%s\\n' DO''NE; }; printf '%s\\n' REA''DY\n")
            wait("[\r\n]READY\r")
            said = ""
            write(line + "\n")
            wait("\nDONE\r")
            given = re.findall("<([^>\r\n]*)>", said)
            print("\n".join(given))
            os.close(terminal)
            """#
    }

    private static func has(_ program: String) -> Bool {
        ["/bin", "/usr/bin"].contains { FileManager.default.isExecutableFile(atPath: "\($0)/\(program)") }
    }

    private static let commands: Set<String> = [
        "status", "member", "export", "check", "switch", "help", "completion", "man",
    ]

    @LoopActor private static func offers(_ bench: Bench) async throws {
        #expect(try await bench.offered("") == commands)
        #expect(try await bench.offered("mem") == ["member"])
        #expect(try await bench.offered("member", "") == ["list", "add"])
        #expect(try await bench.offered("help", "member", "a") == ["add"])
        #expect(try await bench.offered("member", "add", "--r") == ["--role"])
        #expect(try await bench.offered("member", "add", "--role", "") == ["guardian", "child"])
        #expect(try await bench.offered("member", "add", "Anna", "--role", "g") == ["guardian"])
        #expect(try await bench.offered("export", "--app", "status", "--form") == ["--format"], "a value")
        #expect(try await bench.offered("switch", "a", "") == ["on", "off"])
        #expect(try await bench.offered("switch", "a", "on", "") == [])
        #expect(try await bench.offered("switch", "--", "member", "") == ["on", "off"])
        #expect(try await bench.offered("completion", "") == ["bash", "zsh", "fish"])
        #expect(try await bench.offered("status", "--", "--j") == [], "no option")
        let made = "\(bench.world.directory)/files/made"
        #expect(!FileManager.default.fileExists(atPath: made), "a value was run")
    }

    @Test func bashOffersWhatTheTableHas() async throws {
        try await World.with([]) { world in
            let bench = try Bench(world, .bash)
            try await Self.offers(bench)
            #expect(try await bench.offered("member", "add", "--role", "=", "g") == ["guardian"])
            #expect(try await bench.offered("member", "add", "--role=g") == ["--role=guardian"])
        }
    }

    @Test(.enabled(if: has("fish"), "fish is not installed"))
    func fishOffersWhatTheTableHas() async throws {
        try await World.with([]) { world in
            let bench = try Bench(world, .fish)
            try await Self.offers(bench)
            #expect(try await bench.offered("member", "add", "--role=g") == ["--role=guardian"])
            #expect(try await bench.offered("export", "-o", "my") == ["my file.txt"])
            #expect(try await bench.offered("export", "--kind", "") == Set(Sample.hostile))
        }
    }

    /// Completed in the line editor and then read by the shell, so that what is quoted wrong is seen.
    @LoopActor private static func types(_ bench: Bench) async throws {
        let added = try await bench.typed("sample mem\tadd Anna --ro\tg\t")
        #expect(added == ["member", "add", "Anna", "--role", "guardian"])
        #expect(try await bench.typed("sample export --format=c\t") == ["export", "--format=csv"])
        #expect(try await bench.typed("sample export -o my\t") == ["export", "-o", "my file.txt"])
        let files = try await bench.typed("sample check my\tit\t")
        #expect(files == ["check", "my file.txt", "it's $(touch made).md"])
        // zsh takes the slash away where the line ends.
        let folder = try await bench.typed("sample check deep fo\t")
        #expect(folder == ["check", "deep", "folder/"] || folder == ["check", "deep", "folder"])
        #expect(try await bench.typed("sample export --kind tw\t") == ["export", "--kind", "two words"])
        #expect(try await bench.typed("sample export --kind \\$\t") == ["export", "--kind", "$(touch made)"])
        #expect(try await bench.typed("sample export --kind 'tw\t") == ["export", "--kind", "two words"])
        // readline divides words at colons, too.
        #expect(try await bench.typed("sample export --kind a:\t") == ["export", "--kind", "a:b"])
        #expect(try await bench.typed("sample export --kind=a:\t") == ["export", "--kind=a:b"])
        let afterColons = try await bench.typed("sample switch 07:30 of\t")
        #expect(afterColons == ["switch", "07:30", "off"])
        #expect(try await bench.typed("sample export --app= my\t") == ["export", "--app=", "my"])
        let made = "\(bench.world.directory)/files/made"
        #expect(!FileManager.default.fileExists(atPath: made), "a value was run")
    }

    @Test func bashCompletesAsOneTypes() async throws {
        try await World.with([]) { world in try await Self.types(try Bench(world, .bash)) }
    }

    @Test(.enabled(if: has("zsh"), "zsh is not installed")) func zshCompletesAsOneTypes() async throws {
        try await World.with([]) { world in
            let bench = try Bench(world, .zsh)
            try await Self.types(bench)
            #expect(try await bench.typed("sample help mem\tli\t") == ["help", "member", "list"])
            #expect(try await bench.typed("sample switch a of\t") == ["switch", "a", "off"])
        }
    }

    /// Those of every program that is installed are read by their shells.
    @Test(arguments: ["screentime", "limits", "charts", "downtime", "encouragement", "streaks", "worklog"])
    func everyProgramPrintsScripts(program: String) async throws {
        try await World.with([]) { world in
            for shell in Shell.allCases where Self.has(shell.rawValue) {
                let script = "\(world.directory)/script.\(shell.rawValue)"
                let line = "'\(World.products)/\(program)' completion \(shell.rawValue) >'\(script)'"
                let label = "\(program)-\(shell.rawValue)"
                let (status, lines) = try await world.run(
                    label, ["/bin/sh", "-c", "\(line) && \(shell.rawValue) -n '\(script)'"])
                #expect(status == 0 && lines.isEmpty && world.errors(of: label) == "", "\(label)")
            }
        }
    }
}
