import Contract
import ScreenTimeTesting
import TestSupport
import Testing

/// Apps that keep the keyboard from all others, which nobody could use if they stood still.
@Suite("desktop agent: grabs", .enabled(if: isX11Here, "needs xvfb, openbox, xterm and xdotool"))
struct DesktopGrabTests {
    /// The server gives no key to anybody until the frozen app has answered.
    @Test func aHotkeyOfAFrozenAppIsAnswered() async throws {
        try await World.withDesktop(["shield-service"]) { world in
            let (_, process) = try await world.openWindows(["AlphaApp:300x200+10+10:hotkey"])
            let file = world.directory + "/typed"
            let beta = try await world.openTerminal("Beta", ["sh", "-c", "cat >'\(file)'"]).window
            try await world.agentFollowsShields()
            try await world.shield(["alpha"])
            _ = try await DesktopShieldTests.frozen(world)
            try await world.xdotool("windowactivate", "--sync", beta)
            try await world.xdotool("key", "F5", "h", "i", "Return")
            try await world.eventually("the keys arrive") { world.readText(file).contains("hi") }
            try await world.eventually("it stands still again") { world.state(process) == "T" }
            try await world.agentIsDegraded(by: [])
        }
    }

    /// It has the keyboard while another app has the focus, and the pointer waits for it (GrabModeSync).
    @Test func anAppThatThePointerWaitsForIsNotFrozen() async throws {
        try await World.withDesktop(["shield-service"]) { world in
            let (windows, process) = try await world.openWindows(["AlphaApp:300x200+10+10:waiting"])
            let beta = try await world.openTerminal("Beta", ["cat"]).window
            try await world.agentFollowsShields()
            try await world.xdotool("windowactivate", "--sync", beta)
            try await world.shield(["alpha"])
            _ = try await world.agentSpan("giving way") { $0.outcome == "pointer_held" }
            #expect(try await world.awaitCovers().map(\.window) == windows)
            // It lets go at the first key.
            try await world.xdotool("key", "a")
            try await world.eventually("it stands still") { world.state(process) == "T" }
            try await world.agentIsDegraded(by: [])
        }
    }

    /// As viewers of other machines have it, and terminals for passwords.
    @Test func anAppThatHasTheKeyboardIsFrozenWhenItLetsGo() async throws {
        try await World.withDesktop(["shield-service"]) { world in
            let (windows, process) = try await world.openWindows(["AlphaApp:300x200+10+10:keyboard"])
            try await world.agentFollowsShields()
            try await world.eventually("the focus") {
                try await world.run("xdotool", ["xdotool", "getactivewindow"]).lines == ["\(windows[0])"]
            }
            try await world.shield(["alpha"])
            _ = try await world.agentSpan("giving way") { $0.outcome == "keyboard_held" }
            #expect(
                try await world.agentHealth().degradedBy.contains {
                    $0.hasPrefix("alpha is shielded and runs on: it holds the session")
                })
            #expect(try await world.awaitCovers().map(\.window) == windows)
            try await world.xdotool("key", "a")
            try await world.eventually("it stands still") { world.state(process) == "T" }
            try await world.agentIsDegraded(by: [])
        }
    }
}
