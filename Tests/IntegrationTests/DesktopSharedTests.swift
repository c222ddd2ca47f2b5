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
    /// A window manager that ends, or is replaced, takes its list of windows with it.
    @Test(arguments: [SIGTERM, SIGKILL])
    func coversStayWhileNoWindowManagerRuns(signal: Int32) async throws {
        try await World.withDesktop(["shield-service"]) { world in
            let (_, process) = try await world.openWindows(["AlphaApp:400x300+50+50"])
            try await world.agentFollowsShields()
            try await world.shield(["alpha"])
            _ = try await DesktopShieldTests.frozen(world)
            let covered = try await world.covers()
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
