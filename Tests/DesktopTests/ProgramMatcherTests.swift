import Glibc
import Testing

@testable import DesktopCore

/// A shielded app's program is recognised whatever it is called, and nothing else is.
@Suite struct ProgramMatcherTests {
    /// A resolver that knows one app, `game`, whose program is a copy of sleep.
    private final class Place {
        let scratch: ScratchDirectory
        let game: String
        let resolver: AppResolver

        init() throws {
            scratch = try ScratchDirectory()
            game = scratch.path + "/game"
            let entry = AppEntry(
                id: "org.example.Game", name: "Game", startupClass: "GameApp", program: "game",
                programPath: game, categories: ["Game"])
            resolver = AppResolver(cgroups: CgroupTree(), reading: { [entry] })
            try run("cp", "/bin/sleep", game)
        }

        func run(_ words: String...) throws { #expect(try Child(words).wait() == 0) }

        @discardableResult func shield(_ isShielded: Bool = true) -> Bool {
            resolver.setShielded(programs: []) { _ in isShielded }
        }

        /// The app of a process that runs `words`, and how it is known; asked until all is compared.
        func app(_ words: [String], window: String = "Other", path: String) throws -> AppIdentity? {
            let child = try Child(words)
            _ = try eventually("start of \(words[0])") { () -> Bool? in
                RunningProgram(pid: child.pid)?.path == path ? true : nil
            }
            defer { child.end() }
            var found = resolver.app(windowClass: window, pid: child.pid)
            while resolver.isComparing {
                if resolver.compare() { found = resolver.app(windowClass: window, pid: child.pid) }
            }
            return found
        }

        func app(running path: String) throws -> AppIdentity? { try app([path, "1000"], path: path) }
    }

    private static let loader = "/lib64/ld-linux-x86-64.so.2"

    @Test func aRenamedCopyIsTheShieldedApp() throws {
        let place = try Place()
        let copy = place.scratch.path + "/homework"
        try place.run("cp", place.game, copy)
        #expect(try place.app(running: copy)?.id == "exe:" + copy, "nothing is shielded")
        #expect(place.shield())
        #expect(!place.shield(), "the same again is no news")
        let found = try #require(try place.app(running: copy))
        #expect(found.id == "org.example.Game" && found.resolvedBy == .sameProgram)
        #expect(found.categories == ["Game"] && found.executablePath == copy)
        // Once recognised it counts there, shielded or not.
        place.shield(false)
        #expect(try place.app(running: copy)?.id == "org.example.Game")
    }

    @Test func anAppWithoutADesktopEntryIsRecognisedToo() throws {
        let place = try Place()
        let plain = place.scratch.path + "/plain", copy = place.scratch.path + "/homework"
        try place.run("cp", "/bin/cat", plain)
        try place.run("cp", plain, copy)
        _ = place.resolver.setShielded(programs: ["exe:" + plain]) { $0.id == "exe:" + plain }
        let found = try place.app([copy, "/dev/zero"], path: copy)
        #expect(found?.id == "exe:" + plain)
    }

    @Test(arguments: ["ln", "mv"]) func anotherNameOfTheSameFileChangesNothing(command: String) throws {
        let place = try Place()
        place.shield()
        let other = place.scratch.path + "/homework"
        try place.run(command, place.game, other)
        place.shield()
        #expect(try place.app(running: other)?.id == "org.example.Game")
    }

    @Test func anotherProgramOfTheSameSizeIsAnotherProgram() throws {
        let place = try Place()
        place.shield()
        let other = place.scratch.path + "/other"
        try place.run("cp", place.game, other)
        // Behind the segments that are loaded.
        let last = fileSize(other) - 1
        try place.run("sh", "-c", "printf x | dd of=\(other) bs=1 seek=\(last) conv=notrunc")
        #expect(fileSize(other) == fileSize(place.game))
        #expect(try place.app(running: other)?.id == "exe:" + other)
    }

    @Test func whatPackagesInstalledIsNobodysCopy() throws {
        let place = try Place()
        place.shield()
        let sleep = try #require(ProcFile.realPath("/bin/sleep"))
        #expect(try place.app(running: sleep)?.id == "exe:" + sleep)
    }

    @Test(arguments: [
        "chmod 700 game", "rm -f also; ln game also", "cp /bin/cat new; mv new game", "touch game",
    ])
    func aCopyIsRecognisedAfterTheProgramWasChanged(change: String) throws {
        let place = try Place()
        place.shield()
        try place.run("sh", "-c", "cd \(place.scratch.path); \(change)")
        for name in ["homework", "text"] {
            let copy = place.scratch.path + "/" + name
            try place.run("cp", place.game, copy)
            let words = change.contains("cat") ? [copy, "/dev/zero"] : [copy, "1000"]
            #expect(try place.app(words, path: copy)?.id == "org.example.Game", "after \(change)")
            try place.run("sh", "-c", "cd \(place.scratch.path); \(change)")
        }
    }

    @Test func aCopyOfTheProgramBeforeItsUpgradeIsRecognised() throws {
        let place = try Place()
        let copy = place.scratch.path + "/homework", later = place.scratch.path + "/text"
        for path in [copy, later] { try place.run("cp", place.game, path) }
        place.shield()
        #expect(try place.app(running: copy)?.id == "org.example.Game")
        try place.run("sh", "-c", "cd \(place.scratch.path); cp /bin/cat new; mv new game")
        place.shield()
        #expect(try place.app(running: later)?.id == "org.example.Game")
    }

    @Test func aWindowsOwnWordCountsWhereProgramsAreShared() throws {
        let place = try Place()
        let copy = place.scratch.path + "/homework", link = place.scratch.path + "/linked"
        try place.run("cp", place.game, copy)
        try place.run("ln", place.game, link)
        func entry(_ id: String, _ program: String) -> AppEntry {
            AppEntry(
                id: id, name: id, startupClass: id + "-class", program: ProcessFacts.baseName(program),
                programPath: program, categories: [])
        }
        let game = try #require(place.resolver.entries.first)
        let page = entry("page", place.game)
        let all = [game, page, entry("linked", link), entry("writing", "/bin/cat"), entry("lost", "/nowhere")]
        let resolver = AppResolver(cgroups: CgroupTree(), reading: { all })
        func expect(_ wanted: [String: String], running path: String, _ shielded: Set<String>) throws {
            _ = resolver.setShielded(programs: []) { shielded.contains($0.id) }
            let child = try Child([path, "1000"])
            _ = try eventually("start") { RunningProgram(pid: child.pid)?.path == path ? true : nil }
            for (name, id) in wanted {
                let found = resolver.app(windowClass: name, pid: child.pid)?.id
                #expect(found == id, "\(name) of \(path), shielded \(shielded)")
            }
        }
        // An entry that starts the same program is believed, any other is not.
        let own = ["page-class": "page", "linked-class": "linked", "GameApp": game.id]
        let others = ["writing-class", "writing", "lost-class"]
        try expect(
            own.merging(others.map { ($0, game.id) }) { $1 }, running: place.game, [game.id])
        // Nothing distinguishes which of two shielded apps it is.
        try expect(["writing-class": "writing"], running: place.game, [game.id, "page"])
        try expect(["writing-class": "writing"], running: place.game, [])
        // A copy is no other app's.
        try expect(["writing-class": game.id, "page-class": game.id], running: copy, [game.id])
    }

    @Test func aLoaderIsTheProgramThatItRuns() throws {
        let place = try Place()
        let copy = place.scratch.path + "/homework", loader = place.scratch.path + "/tool"
        try place.run("cp", place.game, copy)
        try place.run("cp", Self.loader, loader)
        // Unshielded: counted as what it is.
        #expect(try place.app([Self.loader, place.game, "1000"], path: place.game)?.id == "org.example.Game")
        #expect(try place.app([Self.loader, copy, "1000"], path: copy)?.id == "exe:" + copy)
        place.shield()
        let directory = place.scratch.path
        for words in [
            [Self.loader, copy, "1000"], [loader, copy, "1000"],
            [Self.loader, "--library-path", "/lib", "--argv0", "text", copy, "1000"],
            ["env", "-C", directory, Self.loader, "./homework", "1000"],
        ] { #expect(try place.app(words, path: copy)?.id == "org.example.Game", "\(words)") }
    }

    @Test func aCopyInMemoryIsRecognised() throws {
        let place = try Place()
        place.shield()
        // memfd_create(2), copied into, and run by fexecve(3).
        let script = """
            use strict; my $fd = syscall(319, my $name = "text", 0); open(my $out, ">&=", $fd) or die;
            open(my $in, "<", $ARGV[0]) or die; local $/; print $out scalar <$in>; $out->flush();
            exec {"/proc/self/fd/$fd"} "text", "1000";
            """
        let found = try place.app(["perl", "-e", script, place.game], path: "/memfd:text")
        #expect(found?.id == "org.example.Game")
    }

    /// An app that is a script: its window need not say so.
    @Test(arguments: ["", "Other"])
    func aScriptIsKnownByItsFile(_ windowClass: String) throws {
        let scratch = try ScratchDirectory()
        let script = scratch.path + "/marbles", copy = scratch.path + "/homework"
        let other = scratch.path + "/other"
        for (path, line) in [(script, "one"), (other, "two")] {
            let text = "#!/usr/bin/python3\nimport signal\nsignal.pause()\n#\(line)\n"
            let file = try #require(fopen(path, "w"))
            fputs(text, file)
            fclose(file)
            chmod(path, 0o700)
        }
        #expect(try Child(["cp", script, copy]).wait() == 0)
        let entry = AppEntry(
            id: "org.example.Marbles", name: "Marbles", startupClass: nil, program: "marbles",
            programPath: script, categories: ["Game"])
        let resolver = AppResolver(cgroups: CgroupTree(), reading: { [entry] })
        let python = try #require(ProcFile.realPath("/usr/bin/python3"))
        func app(_ words: [String]) throws -> AppIdentity? {
            let child = try Child(words, environment: ["PWD": scratch.path])
            defer { child.end() }
            // The kernel changes the file before the command line.
            _ = try eventually("\(words)") { () -> Bool? in
                guard RunningProgram(pid: child.pid)?.path == python else { return nil }
                return ProcFile.bytes("/proc/\(child.pid)/cmdline")?.isEmpty == false ? true : nil
            }
            return resolver.app(windowClass: windowClass, pid: child.pid)
        }
        let relative = ["sh", "-c", "cd '\(scratch.path)' && exec python3 ./marbles"]
        for words in [[script], ["python3", script], ["python3", "-u", script], relative] {
            let found = try app(words)
            #expect(found?.id == "org.example.Marbles" && found?.resolvedBy == .executableName, "\(words)")
            #expect(found?.executablePath == python)
        }
        #expect(try app([copy])?.id == "exe:" + python, "nothing is shielded")
        _ = resolver.setShielded(programs: []) { _ in true }
        let copied = try app([copy])
        #expect(copied?.id == "org.example.Marbles" && copied?.resolvedBy == .sameProgram)
        for words in [[other], ["python3", "-c", "import signal; signal.pause()"]] {
            #expect(try app(words)?.id == "exe:" + python, "\(words)")
        }
    }

    @Test func aDeletedCopyIsRecognised() throws {
        let place = try Place()
        place.shield()
        let copy = place.scratch.path + "/homework"
        try place.run("cp", place.game, copy)
        let found = try place.app(["sh", "-c", "\(copy) 1000 & rm \(copy); wait"], path: "/usr/bin/dash")
        #expect(found?.id != "org.example.Game", "a shell is a shell")
        // Another name: what the shell began outlives it, and may remove the first one only now.
        let second = place.scratch.path + "/exercise"
        try place.run("cp", place.game, second)
        let child = try Child([second, "1000"])
        _ = try eventually("start") { RunningProgram(pid: child.pid)?.path == second ? true : nil }
        unlink(second)
        #expect(place.resolver.app(ofProcess: child.pid)?.id == "org.example.Game")
    }

    @Test(arguments: ["python3", "perl", "sh", "node18", "electron"])
    func anInterpreterIsNoGame(name: String) throws {
        let scratch = try ScratchDirectory()
        let interpreter = scratch.path + "/" + name, copy = scratch.path + "/copy"
        for path in [interpreter, copy] { #expect(try Child(["cp", "/bin/sleep", path]).wait() == 0) }
        let matcher = ProgramMatcher()
        #expect(!matcher.set(named: ["game": [interpreter]], seen: [:]))
        #expect(!ProgramMatcher.isInterpreter(scratch.path + "/love-letters"))
        let child = try Child([copy, "1000"])
        let program = try eventually("start") {
            RunningProgram(pid: child.pid).flatMap { $0.path == copy ? $0 : nil }
        }
        #expect(matcher.app(of: program, namedByWindow: nil) == nil)
    }

    @Test func aLargeProgramIsComparedInPieces() throws {
        let place = try Place()
        let copy = place.scratch.path + "/homework"
        #expect(truncate(place.game, off_t(3 * ProgramMatcher.bytesAtOnce)) == 0)
        try place.run("cp", place.game, copy)
        place.shield()
        let child = try Child([copy, "1000"])
        _ = try eventually("start") { RunningProgram(pid: child.pid)?.path == copy ? true : nil }
        #expect(place.resolver.app(ofProcess: child.pid)?.id == "exe:" + copy, "it is not known yet")
        var pieces = 0
        while place.resolver.isComparing {
            pieces += 1
            if place.resolver.compare() { _ = place.resolver.app(ofProcess: child.pid) }
        }
        #expect(pieces >= 4)
        #expect(place.resolver.app(ofProcess: child.pid)?.id == "org.example.Game")
    }
}
