import Glibc
import Testing

@testable import DesktopCore

@Suite struct ProtectionTests {
    private let runner = Protection(ownPids: [getpid()], ownDirectory: nil)

    @Test func aTerminalThatTheAgentWasStartedFromIsSparedAndTheRestIsNot() throws {
        let scratch = try ScratchDirectory()
        let tree = ProcessTree()
        let lines = "sleep 1001 & echo $! >agent; sleep 1002 & echo $! >game; : >ready; wait"
        let terminal = try Child(["sh", "-c", "cd \(scratch.path); sh -c '\(lines)'; wait"])
        let root = try identity(of: terminal)
        let cleanup = Cleanup(tree, [root])
        try awaitFile(scratch.path + "/ready")
        func process(_ name: String) throws -> ProcessIdentity {
            let pid = try #require(Int32(fileText(scratch.path + "/" + name).dropLast()))
            return try #require(ProcessIdentity(livingPid: pid))
        }
        let (agent, game) = try (process("agent"), process("game"))
        let protection = Protection(ownPids: [getpid(), agent.pid], ownDirectory: nil)
        let outcome = Freezer(tree: tree, protection: protection).freeze([root])
        #expect(outcome.frozen == [game])
        #expect(outcome.refused[agent] == .protected(.own))
        #expect(outcome.refused[root] == .protected(.ancestorOfOwn))
        #expect(outcome.refused.count == 3)
        #expect(state(root) != "T" && state(agent) != "T")
        withExtendedLifetime(cleanup) {}
    }

    /// As after `run-all.sh --detach`: the started process is a child of process 1, and only its environment
    /// still names the terminal.
    @Test func theTerminalOfADetachedProcessIsSparedAndTheRestIsNot() throws {
        let scratch = try ScratchDirectory()
        let tree = ProcessTree()
        let script = try scratch.write(
            "start.sh",
            """
            start() { awk '{ print $22 }' /proc/$1/stat; }
            export SCREENTIME_STARTED_BY="$$:$(start $$) $PPID:$(start $PPID)"
            setsid -f sh -c 'echo $$ >agent; exec sleep 1015'
            """)
        let lines = "sh \(script); sleep 1016 & echo $! >game; : >ready; wait"
        let terminal = try Child(["sh", "-c", "cd \(scratch.path); \(lines)"])
        let root = try identity(of: terminal)
        let cleanup = Cleanup(tree, [root])
        try awaitFile(scratch.path + "/ready")
        func process(_ name: String) throws -> ProcessIdentity {
            let pid = try eventually(name) { Int32(fileText(scratch.path + "/" + name).dropLast()) }
            return try #require(ProcessIdentity(livingPid: pid))
        }
        let (agent, game) = try (process("agent"), process("game"))
        // While a program is being replaced it has no environment.
        _ = try eventually("the agent") { fileText("/proc/\(agent.pid)/comm") == "sleep\n" ? true : nil }
        #expect(ProcessTable.scan().ancestors(of: agent.pid).contains(root.pid) == false)
        let protection = Protection(ownPids: [getpid(), agent.pid], ownDirectory: nil)
        let outcome = Freezer(tree: tree, protection: protection).freeze([root])
        #expect(outcome.frozen == [game])
        // Where the kernel reports no forks, it is not found at all: it has left the terminal's session.
        #expect(outcome.refused[agent] == (tree.lineageProblem == nil ? .protected(.own) : nil))
        #expect(outcome.refused[root] == .protected(.ancestorOfOwn))
        #expect(state(root) != "T" && state(agent) != "T")
        withExtendedLifetime(cleanup) {}
    }

    @Test func theSessionsOwnPartsAreRefusedWithTheirReason() throws {
        let desktop = try TestDesktop()
        let session = try X11Session(display: desktop.display)
        let manager = try #require(desktop.manager)
        let (server, window) = try (identity(of: desktop.server), identity(of: manager))
        let address = "unix:path=\(desktop.scratch.path)/bus"
        let bus = try Child(["dbus-daemon", "--session", "--nofork", "--address=" + address])
        let busPid = try eventually("bus") { SessionBus.pid(address: address) }
        #expect(busPid == bus.pid)
        let told = Protection(
            ownPids: [getpid()], ownDirectory: nil, displayServer: session.serverPids(),
            windowManager: session.windowManagerPid(), sessionBus: busPid)
        let tree = ProcessTree()
        let outcome = try Freezer(tree: tree, protection: told).freeze([server, window, identity(of: bus)])
        #expect(outcome.frozen.isEmpty)
        #expect(outcome.refused[server] == .protected(.displayServer))
        #expect(outcome.refused[window] == .protected(.windowManager))
        #expect(try outcome.refused[identity(of: bus)] == .protected(.sessionBus))
        // Untold, they are known by name.
        let byName = Freezer(tree: tree, protection: runner).freeze([server, window])
        #expect(byName.frozen.isEmpty)
        #expect(byName.refused[server] == .protected(.system(name: "Xvfb")))
        #expect(session.roundTrip(timeout: 5_000))
    }

    @Test func theChildrenOfAWindowManagerAreNoApp() throws {
        let parent = try Child(["sh", "-c", "sleep 1003; exit"])
        let root = try identity(of: parent)
        let tree = ProcessTree()
        let cleanup = Cleanup(tree, [root])
        _ = try eventually("child") { tree.members(of: [root]).count == 2 ? true : nil }
        let manager = Protection(ownPids: [getpid()], ownDirectory: nil, windowManager: parent.pid)
        let outcome = Freezer(tree: tree, protection: manager).freeze([root])
        #expect(outcome.frozen.isEmpty)
        #expect(outcome.refused == [root: .protected(.windowManager)])
        withExtendedLifetime(cleanup) {}
    }

    @Test(.enabled(if: getuid() == 0, "only root can give a file away"))
    func aNameCountsOnlyForAnInstalledProgram() throws {
        let scratch = try ScratchDirectory()
        let program = scratch.path + "/gnome-shell"
        try Child(["cp", "/bin/sleep", program]).wait()
        let installed = try Child([program, "1000"])
        let judge = ProtectionJudge(runner, .scan())
        _ = try eventually("start") { ProcessFacts.executablePath(installed.pid) == program ? true : nil }
        #expect(judge.reason(installed.pid) == .system(name: "gnome-shell"))
        installed.end()
        try Child(["chown", "65534", program]).wait()
        let game = try Child([program, "1000"])
        _ = try eventually("start") { ProcessFacts.executablePath(game.pid) == program ? true : nil }
        #expect(judge.reason(game.pid) == nil)
    }

    /// An app may be the first that needs a part of the session, which it starts, and all others use.
    @Test(.enabled(if: getuid() == 0, "only root installs programs"))
    func aFreezeLeavesAloneWhatTheSessionNeeds() throws {
        let parts = [
            "ssh-agent", "gpg-agent", "dirmngr", "scdaemon", "gnome-keyring-daemon", "kwalletd6", "gvfsd",
            "dconf-service", "picom", "sway", "labwc", "kwin_wayland", "gnome-shell", "plasmashell",
            "openbox", "dbus-daemon", "systemd", "pipewire", "xsecurelock", "ibus-daemon", "fcitx5", "orca",
            "dunst",
        ]
        let scratch = try ScratchDirectory()
        for name in parts { _ = try copy(scratch, name) }
        let start = "for part in \(parts.joined(separator: " ")); do ./$part 1020 & echo $! >$part.pid; done"
        let app = try Child(["sh", "-c", "cd \(scratch.path); \(start); : >ready; exec sleep 1021"])
        let root = try identity(of: app)
        let tree = ProcessTree()
        let cleanup = Cleanup(tree, [root])
        try awaitFile(scratch.path + "/ready")
        var expected: [ProcessIdentity: RefusalReason] = [:]
        for name in parts {
            let pid = try #require(Int32(fileText("\(scratch.path)/\(name).pid").dropLast()))
            _ = try eventually("start") {
                ProcessFacts.executablePath(pid) == "\(scratch.path)/\(name)" ? true : nil
            }
            expected[try #require(ProcessIdentity(livingPid: pid))] = .protected(.system(name: name))
        }
        let outcome = Freezer(tree: tree, protection: runner).freeze([root])
        #expect(outcome.frozen == [root])
        #expect(outcome.refused == expected)
        #expect(expected.keys.allSatisfy { state($0) != "T" })
        withExtendedLifetime(cleanup) {}
    }

    @Test func ourProgramsAreOursUnlessAllShareTheirDirectory() throws {
        let scratch = try ScratchDirectory()
        let command = try ours(scratch, "screentime")
        let stranger = try ours(scratch, "zgame")
        let other = try Child(["sleep", "1000"])
        _ = try eventually("start") { ProcessFacts.executablePath(other.pid)?.hasSuffix("sleep") }
        let protection = Protection(ownPids: [], ownDirectory: scratch.path)
        let judge = ProtectionJudge(protection, .scan())
        #expect(judge.reason(command.pid) == .own)
        #expect(judge.reason(stranger.pid) == nil, "no program of ours has that name")
        #expect(judge.reason(getpid()) == nil, "whoever runs a command has not started the system")
        let shared = Protection(ownPids: [], ownDirectory: "/usr/bin")
        #expect(ProtectionJudge(shared, .scan()).reason(other.pid) == nil)
        #expect(ProtectionJudge(shared, .scan()).reason(1) == .first)
    }

    /// A game that has one of our programs as a child, or as a child of its window's process.
    @Test func whoRunsACommandOfOursIsNoStarter() throws {
        let scratch = try ScratchDirectory()
        let command = try copy(scratch, "screentime")
        let line = "\(command) 1017 & echo $! >\(scratch.path)/command; exec sleep 1018"
        let game = try Child(["sh", "-c", line])
        let root = try identity(of: game)
        let tree = ProcessTree()
        let cleanup = Cleanup(tree, [root])
        let pid = try eventually("command") { Int32(fileText(scratch.path + "/command").dropLast()) }
        _ = try eventually("start") { ProcessFacts.executablePath(pid) == command ? true : nil }
        let protection = Protection(ownPids: [getpid()], ownDirectory: scratch.path)
        let outcome = Freezer(tree: tree, protection: protection).freeze([root])
        #expect(outcome.frozen == [root])
        #expect(outcome.refused.map(\.value) == [.protected(.own)])
        #expect(outcome.refused.first?.key.pid == pid)
        withExtendedLifetime(cleanup) {}
    }

    /// Whoever has the shielded app's window is the app, whatever its file is called and wherever it lies.
    @Test(arguments: ["zgame", "app-link"])
    func aShieldedProgramInOurDirectoryIsFrozen(name: String) throws {
        let scratch = try ScratchDirectory()
        let game = try ours(scratch, name)
        let root = try identity(of: game)
        let protection = Protection(ownPids: [getpid()], ownDirectory: scratch.path)
        let freezer = Freezer(tree: ProcessTree(), protection: protection)
        #expect(freezer.plan([root]) == [root])
        let outcome = freezer.freeze([root])
        #expect(outcome.frozen == [root] && outcome.refused.isEmpty)
    }

    private func copy(_ scratch: ScratchDirectory, _ name: String) throws -> String {
        let path = scratch.path + "/" + name
        try Child(["cp", "/bin/sleep", path]).wait()
        return path
    }

    /// A program of this name in the directory, running.
    private func ours(_ scratch: ScratchDirectory, _ name: String) throws -> Child {
        let path = try copy(scratch, name)
        let child = try Child([path, "1000"])
        _ = try eventually("start") { ProcessFacts.executablePath(child.pid) == path ? true : nil }
        return child
    }
}
