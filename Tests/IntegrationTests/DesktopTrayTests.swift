import Contract
import Foundation
import Glibc
import Loop
import ScreenTimeTesting
import TestSupport
import Testing
import Time
import Units

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
            let told = panel.process.lines.filter { $0.hasPrefix("signal ") }
            #expect(
                told.suffix(3) == [
                    "signal NewTitle", "signal NewToolTip", "signal XAyatanaNewLabel 25 min 88 h 88 min",
                ], "only what changed, and once")
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

    /// Time that counts passes by itself, and stands still while something else is in use.
    @Test func minutesPass() async throws {
        try await Self.withSession { world in
            let panel = try await TrayPanel(world)
            try await world.start("desktop-agent")
            try await world.openTerminal("Alpha")
            try await world.limit("alpha", minutes: 6, seconds: 3)
            // Seven, rounded up, for three seconds.
            try await panel.face("Active|6 min left: Alpha|6 min")
            try await world.limit("alpha", minutes: 5, seconds: 2)
            try await panel.face("NeedsAttention|5 min left: Alpha|5 min")
            try await world.openTerminal("Beta")
            try await panel.face("Active|5 min left: Alpha|5 min")
        }
    }

    /// A panel comes later, ends, comes back, and has no host for a time.
    @Test func itFollowsTheHost() async throws {
        try await Self.withSession { world in
            try await world.start("desktop-agent")
            try await world.limit("alpha", minutes: 25)
            #expect(try await !world.hasTrayHost())
            let first = try await TrayPanel(world, hasHost: false)
            first.toggleHost()
            try await first.face("Active|25 min left: Alpha|25 min")
            try await first.process.stop()
            try await world.eventually("no host") { try await !world.hasTrayHost() }
            let second = try await TrayPanel(world)
            try await second.face("Active|25 min left: Alpha|25 min")
            second.toggleHost()
            try await world.eventually("its host went") { try await !world.hasTrayHost() }
            try await world.limit("alpha", minutes: 10)
            second.toggleHost()
            try await second.face("Active|10 min left: Alpha|10 min")
            let count = second.process.lines.count { $0.hasPrefix("registered") }
            #expect(count == 1, "the watcher knows it still")
            #expect(try await world.agentHealth().notActing == nil)
        }
    }

    /// AgentLimits.consoleOpening: for how long a press after another one opens nothing.
    private static let opening: Milliseconds = 2_000

    @Test func aPressOpensTheConsole() async throws {
        try await Self.withSession { world in
            try await world.startConsoleWithoutBrowser()
            let panel = try await TrayPanel(world)
            try await world.start("desktop-agent")
            try await panel.face("Active|No limits today|")
            // Who clicks again after some time opens it again, as a slow machine does here.
            var took: Milliseconds = .max, opened = 0
            for attempt in 1...20 where took >= Self.opening {
                let begin = MonotonicClock.now
                for count in 1...5 { _ = try await panel.press("\(5 * attempt + count)") }
                took = MonotonicClock.now - begin
                let before = opened
                try await world.eventually("it is open") { world.openedCount > before }
                let end = MonotonicClock.now + Self.opening
                try await world.eventually("nobody has clicked for some time") { MonotonicClock.now > end }
                opened = world.openedCount
                if took < Self.opening {
                    #expect(opened == before + 1, "it is opened once, however fast somebody clicks")
                }
            }
            #expect(took < Self.opening, "no attempt was quick enough")
            let event = ["103", "clicked", "<0>", "0"]
            try await world.eventually("it opens from the menu, too") {
                let method = "com.canonical.dbusmenu.Event"
                _ = try await panel.call("/MenuBar", method, event[0], event[1], event[2], event[3])
                return world.openedCount > opened
            }
        }
    }

    @Test func aPressThatOpensNothingIsTold() async throws {
        try await Self.withSession { world in
            let panel = try await TrayPanel(world)
            try await world.start("notifier")
            try await world.start("desktop-agent")
            try await panel.face("Active|No limits today|")
            _ = try await panel.press()
            let told = try await world.eventually(NotificationList.self, NotificationList.Params()) {
                !$0.notifications.isEmpty
            }
            #expect(told.notifications.map(\.title) == ["Screen Time cannot be opened"], "no console runs")
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

/// Anybody in the session may call the icon, and claim to show it.
@Suite(
    "desktop agent: tray among others",
    .enabled(if: isTrayHere, "needs xvfb, openbox, xterm, xdotool, dbus-daemon, gdbus and python3-gi"))
struct DesktopHostileTrayTests {
    private static func withPanel(_ body: @LoopActor (World, TrayPanel) async throws -> Void) async throws {
        try await World.withDesktop(
            ["auth-service", "activity-center", "shield-service"], agent: false
        ) { world in
            try await world.startSessionBus()
            let panel = try await TrayPanel(world)
            try await world.start("desktop-agent")
            try await panel.face("Active|No limits today|")
            try await body(world, panel)
        }
    }

    @Test func onlyTheWatcherAndTheBusAreBelieved() async throws {
        try await Self.withPanel { world, panel in
            let liar = try panel.attack("lies")
            _ = try await liar.line("DONE")
            #expect(liar.lines.first == "Ping ()")
            #expect(try await world.hasTrayHost())
            try await world.limit("alpha", minutes: 25)
            try await panel.face("Active|25 min left: Alpha|25 min")
        }
    }

    @Test func whatIsTooMuchIsRefused() async throws {
        try await Self.withPanel { world, panel in
            let other = try panel.attack("sends much")
            _ = try await other.line("DONE")
            func refused(_ method: String, _ types: String) -> String {
                "\(method) InvalidArgs: '\(method)' takes '\(types)'"
            }
            #expect(
                other.lines.dropLast() == [
                    refused("AboutToShowGroup", "ai"), refused("GetGroupProperties", "aias"),
                    refused("GetProperty", "is"), refused("EventGroup", "a(isvu)"),
                    refused("GetLayout", "iias"),
                    "Nothing UnknownMethod: '/MenuBar' has no method 'Nothing'",
                    "Nothing UnknownObject: there is no object '/x' here",
                    "Set PropertyReadOnly: no property can be changed here",
                ])
            #expect(try await panel.labels() == ["No limits today", "Open Screen Time"])
        }
    }

    /// Measuring goes on, and the icon comes back under another name.
    @Test func aFloodOfCallsDisturbsNobody() async throws {
        try await Self.withPanel { world, panel in
            let events = try world.record(.activity)
            let first = panel.item
            let flood = try panel.attack("floods")
            _ = try await flood.line("FLOODING")
            try await world.openTerminal("Alpha")
            _ = try await events.first(UsageRecorded.self) { $0.subject == "alpha" && $0.openSince != nil }
            try await world.shield(["alpha"])
            _ = try await world.agentSpan("a cover") { $0.name == "cover.show" && $0.outcome == "ok" }
            try await world.eventually("another name") { panel.item != first }
            #expect(flood.status == nil, "it goes on")
            flood.signal(SIGKILL)
            try await world.shield([])
            try await world.limit("alpha", minutes: 25)
            try await panel.face("Active|25 min left: Alpha|25 min")
        }
    }

    /// A watcher that answers nothing, and one that dies while it is asked.
    @Test func aWatcherThatHangsIsNoHost() async throws {
        try await World.withDesktop(["auth-service", "activity-center"], agent: false) { world in
            try await world.startSessionBus()
            let panel = try await TrayPanel(world)
            panel.process.signal(SIGSTOP)
            try await world.start("desktop-agent")
            let events = try world.record(.activity)
            try await world.openTerminal("Alpha")
            _ = try await events.first(UsageRecorded.self) { $0.subject == "alpha" && $0.openSince != nil }
            #expect(try await !world.hasTrayHost())
            panel.process.signal(SIGKILL)
            let next = try await TrayPanel(world)
            try await next.face("Active|No limits today|")
        }
    }
}

/// A host as people have it.
@Suite(
    "desktop agent: tray in a real panel",
    .enabled(
        if: isTrayHere && World.areInstalled("xfce4-panel", "xfconf-query", "import"),
        "needs xfce4-panel, xfconf and imagemagick, and what the other tests of the tray need"))
struct DesktopPanelTests {
    @Test func thePanelShowsItAndItsMenuOpensTheConsole() async throws {
        try await World.withDesktop(
            ["auth-service", "activity-center", "shield-service"], agent: false
        ) { world in
            try await world.startSessionBus(isStarting: true)
            try await world.startConsoleWithoutBrowser()
            try world.startXfcePanel()
            try await world.start("desktop-agent")
            var icon: (x: Int, y: Int)?
            try await world.eventually("our colour in the panel") {
                icon = try await world.placeInPanel(of: "#4F46B8")
                return icon != nil
            }
            let place = try #require(icon)
            let point = [String(place.x), String(place.y + 6)]
            try await world.eventually("the menu opens the console, by the keyboard") {
                // The panel may take the pointer's click for one outside of a menu that is open.
                try await world.xdotool("key", "Escape")
                try await world.xdotool(["mousemove"] + point + ["click", "3"])
                try await world.xdotool("key", "--delay", "100", "Down", "Return")
                return world.openedCount > 0
            }
            #expect(try await world.agentHealth().notActing == nil)
        }
    }
}
