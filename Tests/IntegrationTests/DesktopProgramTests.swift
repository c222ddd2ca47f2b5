import Contract
import Foundation
import Loop
import ScreenTimeTesting
import Testing

/// A shielded app's program under another name, on a real display: it is stopped, and its use counts for the
/// app.
@Suite("desktop agent: programs", .enabled(if: isX11Here, "needs xvfb, openbox, xterm and xdotool"))
struct DesktopProgramTests {
    /// An app `gamma` whose desktop entry names a program of its own.
    @LoopActor private static func install(_ world: World) throws -> String {
        let program = world.directory + "/marbles"
        try FileManager.default.copyItem(atPath: "/usr/bin/xterm", toPath: program)
        try """
        [Desktop Entry]
        Type=Application
        Name=Gamma
        Exec=\(program)
        StartupWMClass=GammaApp
        Categories=Game;
        """.write(
            toFile: world.directory + "/data/applications/gamma.desktop", atomically: true, encoding: .utf8)
        return program
    }

    @Test(arguments: ["copy", "loader"])
    func anotherNameIsShieldedAndCounted(way: String) async throws {
        try await World.withDesktop(["shield-service", "activity-center"], agent: false) { world in
            let program = try Self.install(world)
            try await world.start("desktop-agent")
            let use = try world.record(.activity)
            let beta = try await world.openTerminal("Beta").process
            // A program is compared with those of shielded apps only: the agent must know them first.
            _ = try await world.openTerminal("Alpha")
            try await world.shield(["alpha", "gamma"])
            _ = try await DesktopShieldTests.frozen(world)
            let copy = world.directory + "/homework"
            try FileManager.default.copyItem(atPath: program, toPath: copy)
            let words = way == "copy" ? [copy] : ["/lib64/ld-linux-x86-64.so.2", copy]
            let other = try world.launch(
                "homework", words + ["-class", "Homework", "-e", "sh", "-c", "read line"])
            try await world.eventually("the copy stands still") {
                let freezes = try await world.call(ShieldFrozen.self, ShieldFrozen.Params()).freezes
                let own = freezes.filter { $0.app == "gamma" }.flatMap(\.processes)
                return own.contains { $0.pid == Int64(other.pid) }
                    && world.states(own).allSatisfy { $0 == "T" }
            }
            #expect(world.areRunning([FrozenProcess(pid: Int64(beta.pid))]), "a terminal is a terminal")
            // After the shield is lifted it continues, and is still the same app.
            try await world.shield([])
            _ = try await use.first(UsageRecorded.self) { $0.subject == "gamma" && $0.openSince != nil }
            #expect(try use.all(UsageRecorded.self).allSatisfy { !$0.subject.contains("homework") })
        }
    }
}
