import Bus
import Contract
import Foundation
import Loop
import ScreenTimeTesting
import Testing

/// Shielded apps whose windows or processes are not only theirs, or not in the window manager's hands.
@Suite(
    "desktop agent: shared and unmanaged windows",
    .enabled(if: isX11Here, "needs xvfb, openbox, xterm and xdotool"))
struct DesktopSharedTests {
    /// As LibreOffice, or a browser with installed web apps.
    @Test func theWindowsOfAnotherAppInAFrozenProcessAreCoveredToo() async throws {
        try await World.withDesktop(["shield-service"]) { world in
            let (windows, process) = try await world.openWindows([
                "AlphaApp:300x200+10+10", "BetaApp:300x200+400+10",
            ])
            try await world.agentFollowsShields()
            try await world.shield(["alpha"])
            _ = try await DesktopShieldTests.frozen(world)
            #expect(Set(try await world.awaitCovers(windows.count).map(\.window)) == Set(windows))
            #expect(Set(try await world.covers().map(\.subject)) == ["alpha"])
            #expect(world.state(process) == "T")
            let sentence = "beta stands still, too, because it shares a process with alpha, which is shielded"
            try await world.agentIsDegraded(by: [sentence])
            #expect(try await world.screentime("shield", "explain", "beta").lines.last == sentence)
            #expect(try await world.screentime("shield", "explain", "alpha").lines.last != sentence)
            try await world.shield([])
            try await world.eventually("uncovered") { try await world.covers().isEmpty }
            #expect(try await world.screentime("shield", "explain", "beta").lines.last != sentence)
            #expect(world.state(process) != "T")
            try await world.agentIsDegraded(by: [])
        }
    }

    /// What was closed is alpha, and nobody wished beta to end, which is not shielded.
    @Test func anAppInAClosedProcessIsNeitherAskedNorEnded() async throws {
        try await World.withDesktop(["shield-service"]) { world in
            let (windows, process) = try await world.openWindows(
                ["AlphaApp:300x200+10+10", "BetaApp:300x200+400+10"], asked: ["AlphaApp:300x200+10+400"])
            try await world.agentFollowsShields()
            try await world.shield(["alpha"])
            // All windows: each of alpha opens another one when it is asked, and beta is not asked.
            for count in [windows.count + 1, windows.count + 3] {
                _ = try await DesktopShieldTests.frozen(world)
                try await world.pressCover()
                _ = try await process.wait(for: "it was asked") { $0.lines.count == count ? true : nil }
                try await world.eventually("its covers say why it was not ended") {
                    let covers = try await world.covers()
                    return covers.count == count && covers.allSatisfy { $0.closing == .shared }
                }
                try await world.eventually("it stands still again") { world.state(process) == "T" }
                let sentence =
                    "alpha has not closed, and was not ended, because it shares a process with another app"
                try await world.eventually("it is said") {
                    try await world.agentHealth().degradedBy.contains(sentence)
                }
                #expect(process.lines.count == count)
            }
            #expect(world.state(process) == "T", "also whoever closes it again ends nothing")
        }
    }

    /// As from a launcher, a file manager or a terminal.
    @Test(.needsForkReports) func anAppThatAShieldedOneStartedIsAnAppOfItsOwn() async throws {
        try await World.withDesktop(["shield-service"]) { world in
            let pidFile = world.directory + "/beta.pid"
            let beta = "echo $$ >\(pidFile); exec xterm -class BetaApp -title Beta -e sh -c 'read line'"
            try await world.openTerminal(
                "Alpha", ["sh", "-c", "setsid sh -c \"$0\" & sleep 1000 & wait", beta])
            _ = try await world.run(
                "xdotool", ["xdotool", "search", "--sync", "--onlyvisible", "--class", "^BetaApp$"])
            let pid = try #require(Int64(world.readText(pidFile).trimmingCharacters(in: .newlines)))
            try await world.agentFollowsShields()
            try await world.shield(["alpha"])
            let freeze = try await DesktopShieldTests.frozen(world)
            #expect(freeze.processes.count == 3, "the terminal, its shell and what that waits for")
            #expect(!freeze.processes.contains { $0.pid == pid })
            #expect(world.areRunning([FrozenProcess(pid: pid)]))
            #expect(try await world.awaitCovers().count == 1)
            try await world.agentIsDegraded(by: [])
            // Its own shield acts on it, and only on it.
            try await world.shield(["beta"])
            try await world.eventually("beta is frozen") {
                world.states([FrozenProcess(pid: pid)]) == ["T"] && world.areRunning(freeze.processes)
            }
        }
    }

    /// A window that asks the window manager to keep out of it: old full-screen games, some launchers.
    @Test func anUnmanagedWindowIsCoveredAndItsAppFrozen() async throws {
        try await World.withDesktop(["shield-service"]) { world in
            try await world.agentFollowsShields()
            let (before, first) = try await world.openWindows(["AlphaApp:400x300+50+50:or"])
            try await world.shield(["alpha", "beta"])
            try await world.eventually("frozen") { world.state(first) == "T" }
            #expect(try await world.awaitCovers().map(\.window) == before)
            try await world.eventually("the cover is on top") {
                try await world.windowAt(200, 200).map { $0 != before[0] } ?? false
            }
            let (after, second) = try await world.openWindows(["BetaApp:40x30+500+50:or"])
            try await world.xdotool("windowsize", "\(after[0])", "400", "300")
            try await world.eventually("one that grew, too") { world.state(second) == "T" }
            #expect(Set(try await world.awaitCovers(2).map(\.window)) == Set(before + after))
            try await world.shield([])
            try await world.eventually("uncovered") { try await world.windowAt(200, 200) == before[0] }
            try await world.eventually("no cover is left") { try await world.covers().isEmpty }
            #expect(world.state(first) != "T" && world.state(second) != "T")
        }
    }

    @Test func aMenuIsNoWindowOfItsOwn() async throws {
        try await World.withDesktop(["shield-service"]) { world in
            try await world.agentFollowsShields()
            let (windows, _) = try await world.openWindows([
                "AlphaApp:400x300+50+50", "AlphaApp:250x400+500+50:menu", "AlphaApp:90x20+800+50:or",
            ])
            try await world.shield(["alpha"])
            _ = try await DesktopShieldTests.frozen(world)
            #expect(try await world.awaitCovers().map(\.window) == [windows[0]])
        }
    }

    /// A window manager that ends, or is replaced, takes its list of windows with it.
    @Test(arguments: [SIGTERM, SIGKILL])
    func coversStayWhileNoWindowManagerRuns(signal: Int32) async throws {
        try await World.withDesktop(["shield-service"]) { world in
            let (_, process) = try await world.openWindows(["AlphaApp:400x300+50+50"])
            try await world.agentFollowsShields()
            try await world.shield(["alpha"])
            _ = try await DesktopShieldTests.frozen(world)
            let covered = try await world.awaitCovers()
            let manager = try world.process("openbox")
            manager.signal(signal)
            _ = try await manager.exit()
            try await world.eventually("the agent knows") { try await world.agentHealth().notActing != nil }
            #expect(try await world.covers() == covered && world.state(process) == "T")
            try await world.startWindowManager()
            try await world.eventually("the agent knows") { try await world.agentHealth().notActing == nil }
            #expect(try await world.covers() == covered && world.state(process) == "T")
            try await world.shield([])
            try await world.eventually("uncovered") { try await world.covers().isEmpty }
            #expect(world.state(process) != "T")
        }
    }

    /// `flock` is in every distribution: whoever holds the lock of a program is not that program.
    @Test(arguments: [AgentName.shieldCover, "report-service"])
    func whoeverHoldsALockOfOursIsNotOurs(name: String) async throws {
        try await World.withDesktop(["shield-service"]) { world in
            let lock = world.runtime.lockPath(named: name)
            let (_, process) = try await world.openWindows(
                ["AlphaApp:400x300+50+50"], through: ["flock", "-F", lock])
            #expect(world.holder(name) == process.pid)
            try await world.agentFollowsShields()
            try await world.shield(["alpha"])
            try await world.eventually("frozen") { world.state(process) == "T" }
            try await world.eventually("named") {
                try await world.agentHealth().degradedBy.contains {
                    $0.contains("the lock of \(name) is held by another program")
                }
            }
        }
    }

    /// Without being asked for a check, and without contradicting the last one.
    @Test func aMissingWindowManagerIsNamedAsLongAsItIsMissing() async throws {
        try await World.withDesktop(["shield-service"]) { world in
            let sentence =
                "limits do not act on this desktop, because no window manager that follows EWMH runs on this "
                + "display"
            try await world.process("openbox").destroy()
            try await world.eventually("named") { try await world.agentHealth().notActing == [sentence] }
            #expect(try await world.checkEnforcement().state == .notEnforcing)
            #expect(try await world.agentHealth().notActing == [sentence])
            try await world.startWindowManager()
            try await world.eventually("acting") { try await world.agentHealth().notActing == nil }
        }
    }
}
