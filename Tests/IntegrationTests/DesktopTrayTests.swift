import Contract
import Foundation
import Glibc
import Loop
import ScreenTimeTesting
import TestSupport
import Testing

/// The icon in the panel with the time that is left, on a real session bus.
@Suite(
    "desktop agent: tray",
    .enabled(if: isTrayHere, "needs xvfb, openbox, xterm, xdotool, dbus-daemon, gdbus and python3-gi"))
struct DesktopTrayTests {
    private static let services = ["auth-service", "activity-center", "shield-service"]

    private static func withSession(_ body: @LoopActor (World) async throws -> Void) async throws {
        try await World.withDesktop(services, agent: false) { world in
            try await world.startSessionBus()
            try await body(world)
        }
    }

    @Test func itSaysWhatIsLeft() async throws {
        try await Self.withSession { world in
            let panel = try await TrayPanel(world)
            try await world.start("desktop-agent")
            try await panel.face("Active|No limits today|")
            try await world.openTerminal("Alpha")
            try await world.limit("alpha", minutes: 25)
            try await panel.face("Active|25 min left: Alpha|25 min")
            #expect(panel.process.lines.contains("tooltip 25 min left: Alpha|Alpha: 25 min left"))
            try await world.limit("beta", minutes: 3)
            try await world.openTerminal("Beta")
            try await panel.face("NeedsAttention|3 min left: Beta|3 min")
            try await world.eventually("both limits in the menu") {
                try await panel.labels() == ["Beta: 3 min left", "Alpha: 25 min left", "Open Screen Time"]
            }
            try await world.unlimit("beta")
            try await world.unlimit("alpha")
            try await panel.face("Active|No limits today|")
        }
    }

    /// A panel comes later, ends, comes back, and has no host for a time.
    @Test func itFollowsTheHost() async throws {
        try await Self.withSession { world in
            try await world.start("desktop-agent")
            try await world.limit("alpha", minutes: 25)
            #expect(try await Self.hasHost(world) == false)
            let first = try await TrayPanel(world, hasHost: false)
            first.toggleHost()
            try await first.face("Active|25 min left: Alpha|25 min")
            try await first.process.stop()
            try await world.eventually("no host") { try await !Self.hasHost(world) }
            let second = try await TrayPanel(world)
            try await second.face("Active|25 min left: Alpha|25 min")
            second.toggleHost()
            try await world.eventually("its host went") { try await !Self.hasHost(world) }
            try await world.limit("alpha", minutes: 10)
            second.toggleHost()
            try await second.face("Active|10 min left: Alpha|10 min")
            let count = second.process.lines.count { $0.hasPrefix("registered") }
            #expect(count == 1, "the watcher knows it still")
            #expect(try await world.agentHealth().notActing == nil)
        }
    }

    @LoopActor private static func hasHost(_ world: World) async throws -> Bool {
        try await world.agentHealth().counters.first { $0.name == "tray_host" }?.count == 1
    }

    /// The browser is a program that notes what it is asked to open.
    @Test func aPressOpensTheConsole() async throws {
        try await Self.withSession { world in
            let folder = world.directory + "/bin"
            try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
            try "#!/bin/sh\necho \"$1\" >>'\(world.directory)/opened'\n"
                .write(toFile: folder + "/xdg-open", atomically: true, encoding: .utf8)
            chmod(folder + "/xdg-open", 0o755)
            world.environment["PATH"] = folder + ":" + (world.environment["PATH"] ?? "/usr/bin:/bin")
            _ = try await world.startConsole()
            let panel = try await TrayPanel(world)
            try await world.start("desktop-agent")
            try await panel.face("Active|No limits today|")
            @LoopActor func opened() -> Int {
                world.readText(world.directory + "/opened").split(separator: "\n").count
            }
            for count in 1...5 {
                _ = try await panel.press("\(count)")
            }
            try await world.eventually("it is open") { opened() > 0 }
            #expect(opened() == 1, "it is opened once, however fast somebody clicks")
            let event = ["103", "clicked", "<0>", "0"]
            try await world.eventually("it opens from the menu, too") {
                let method = "com.canonical.dbusmenu.Event"
                _ = try await panel.call("/MenuBar", method, event[0], event[1], event[2], event[3])
                return opened() == 2
            }
        }
    }

    @Test func aRequestThatWaitsIsInTheMenu() async throws {
        try await Self.withSession { world in
            let panel = try await TrayPanel(world)
            try await world.start("desktop-agent")
            try await world.openTerminal("Alpha")
            try await panel.face("Active|No limits today|")
            try await world.shield(["alpha"])
            try await world.eventually("the app is shielded") {
                let shields = try await world.call(ShieldList.self, ShieldList.Params()).shields
                return !shields.isEmpty
            }
            let params = RequestCreate.Params(kind: .app, subject: "alpha", minutes: 5)
            let request = try await world.call(RequestCreate.self, params).request
            try await world.eventually("a request in the menu") {
                try await panel.labels() == ["No limits today", "1 request waits", "Open Screen Time"]
            }
            _ = try await world.call(RequestWithdraw.self, RequestWithdraw.Params(id: request.id))
            try await world.eventually("none in the menu") {
                try await panel.labels() == ["No limits today", "Open Screen Time"]
            }
        }
    }
}
