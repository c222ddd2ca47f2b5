import Contract
import Foundation
import Glibc
import Loop
import ScreenTimeTesting
import TestSupport
import Testing
import Time
import Units

private let isDunstHere = isX11Here && World.areInstalled("dunst", "dunstctl", "dbus-daemon")

/// A warning is on the screen once, however many programs could show it.
@Suite(
    "desktop agent: warnings",
    .enabled(if: isDunstHere, "needs xvfb, openbox, xterm, xdotool, dunst and dbus-daemon"))
struct DesktopWarningTests {
    private static func withNotifier(
        _ services: [String] = [], daemon: Bool = true, _ body: @LoopActor (World) async throws -> Void
    ) async throws {
        try await World.withDesktop(services, agent: false) { world in
            try await world.startSessionBus()
            if daemon { try world.startDunst() }
            try await world.start("notifier")
            try await body(world)
        }
    }

    @LoopActor private static func delivered(
        _ world: World, _ isWanted: @escaping (NotificationRecord) -> Bool
    ) async throws {
        _ = try await world.eventually(NotificationList.self, NotificationList.Params()) {
            $0.notifications.contains { isWanted($0) && $0.state == .delivered }
        }
    }

    /// It is in the list of notifications, and on the screen as the agent's banner only.
    @Test func theAgentsBannerIsTheOnlyOne() async throws {
        let services = ["auth-service", "activity-center", "shield-service", "monitor-runner"]
        try await Self.withNotifier(services) { world in
            try await world.start("desktop-agent")
            try await world.openTerminal("Alpha")
            try await world.eventually("the app is known") {
                // Five seconds of use until the warning.
                let words = ["set", "alpha", "1h", "--warn", "59m55s", "--app"]
                return try await world.app("limits", words: words).status == 0
            }
            try await Self.delivered(world) { $0.title == "Almost there" }
            let banner = try await world.agentSpan("a banner") { $0.name == "warning.show" }
            #expect(banner.outcome == "ok")
            #expect(try await world.notificationsOnScreen() == 0)
        }
    }

    /// A daemon that comes later would show what the person has seen.
    @Test func theBannerCountsWithoutADaemon() async throws {
        let services = ["auth-service", "activity-center", "shield-service", "monitor-runner"]
        try await Self.withNotifier(services, daemon: false) { world in
            try await world.start("desktop-agent")
            _ = try await world.call(
                NotificationPost.self, NotificationPost.Params(identifier: "a", title: "For the daemon"))
            try await world.openTerminal("Alpha")
            try await world.eventually("the app is known") {
                let words = ["set", "alpha", "1h", "--warn", "59m55s", "--app"]
                return try await world.app("limits", words: words).status == 0
            }
            try await Self.delivered(world) { $0.title == "Almost there" }
            let all = try await world.call(NotificationList.self, NotificationList.Params()).notifications
            #expect(all.first { $0.identifier == "a" }?.state == .pending)
        }
    }

    /// The agent stood still while its banner was waited for.
    @Test func aWarningThatCameTooLateIsLeftToTheNotification() async throws {
        let services = ["auth-service", "activity-center", "shield-service", "monitor-runner"]
        try await Self.withNotifier(services) { world in
            try await world.start("desktop-agent")
            try await world.openTerminal("Alpha")
            let agent = try #require(world.holder("desktop-agent"))
            // Within the three seconds of use; a busy machine begins again.
            var begin: Milliseconds = 0
            try await world.eventually("the app is known, and its agent stands still") {
                kill(agent, SIGCONT)
                begin = MonotonicClock.now
                let words = ["set", "alpha", "1h", "--warn", "59m57s", "--app"]
                guard try await world.app("limits", words: words).status == 0 else { return false }
                kill(agent, SIGSTOP)
                return MonotonicClock.now - begin < 2_500
            }
            try await Self.delivered(world) { $0.title == "Almost there" }
            #expect(try await world.notificationsOnScreen() == 1)
            kill(agent, SIGCONT)
            try await world.openTerminal("Beta")
            try await world.warn(of: "beta")
            try await world.eventually("the next warning") { try await world.isWarned(of: "Beta") }
            #expect(try await !world.isWarned(of: "Alpha"), "it came before")
        }
    }

    @Test func withoutAnAgentTheNotificationIsShown() async throws {
        try await Self.withNotifier { world in
            _ = try await world.call(
                NotificationPost.self,
                NotificationPost.Params(
                    identifier: "a", title: "Almost there", details: NotificationDetails(warning: "1/2/x/y")))
            try await Self.delivered(world) { $0.identifier == "a" }
            #expect(try await world.notificationsOnScreen() == 1)
        }
    }

    /// The agent has no banner of it.
    @Test func aWarningThatTheAgentDoesNotShowIsShown() async throws {
        try await Self.withNotifier(["activity-center"]) { world in
            try await world.start("desktop-agent")
            _ = try await world.call(
                NotificationPost.self,
                NotificationPost.Params(
                    identifier: "a", title: "Almost there", details: NotificationDetails(warning: "1/2/x/y")))
            try await Self.delivered(world) { $0.identifier == "a" }
            #expect(try await world.notificationsOnScreen() == 1)
        }
    }
}

/// What stands, whoever ends.
@Suite(
    "desktop agent: standing warnings", .enabled(if: isX11Here, "needs xvfb, openbox, xterm and xdotool"))
struct DesktopStandingWarningTests {
    private static let services = ["auth-service", "activity-center", "shield-service"]

    @Test func aWarningOutlivesTheProcessThatShowsIt() async throws {
        try await World.withDesktop(Self.services) { world in
            try await world.openTerminal("Alpha")
            try await world.warn(of: "alpha")
            try await world.eventually("a warning") { try await world.warningCount() == 1 }
            for signal in [SIGTERM, SIGKILL] {
                let pid = try #require(world.coverPid)
                kill(pid, signal)
                try await world.eventually("signal \(signal): it comes back") {
                    guard let now = world.coverPid, now != pid else { return false }
                    return try await world.warningCount() == 1
                }
            }
        }
    }

    @Test func whatWasDismissedStaysAwayWithoutTheProcess() async throws {
        try await World.withDesktop(Self.services) { world in
            try await world.openTerminal("Alpha")
            try await world.warn(of: "alpha")
            try await world.eventually("a warning") { try await world.isWarned(of: "Alpha") }
            try await world.dismissWarning(of: "Alpha")
            try await world.eventually("dismissed") { try await world.warningCount() == 0 }
            kill(try #require(world.coverPid), SIGKILL)
            try await world.openTerminal("Beta")
            try await world.warn(of: "beta")
            try await world.eventually("the next warning") { try await world.isWarned(of: "Beta") }
            #expect(try await !world.isWarned(of: "Alpha"))
        }
    }

    /// An agent that stops in order takes its windows with it, and no announcement comes twice.
    @Test func anotherAgentShowsWhatWasAnnouncedBefore() async throws {
        try await World.withDesktop(Self.services) { world in
            try await world.openTerminal("Alpha")
            try await world.warn(of: "alpha")
            try await world.eventually("a warning") { try await world.isWarned(of: "Alpha") }
            #expect(try await world.process("desktop-agent").stop() == 0)
            try await world.eventually("nothing is shown") { world.coverPid == nil }
            try await world.start("desktop-agent")
            try await world.eventually("it comes back") { try await world.isWarned(of: "Alpha") }
            #expect(try await world.warningCount() == 1)
        }
    }

    /// Another agent knows what stands, and removes what is over.
    @Test func aWarningOutlivesTheAgent() async throws {
        try await World.withDesktop(Self.services) { world in
            try await world.openTerminal("Alpha")
            try await world.warn(of: "alpha")
            try await world.eventually("a warning") { try await world.warningCount() == 1 }
            try await world.process("desktop-agent").destroy()
            try await world.start("desktop-agent")
            try await world.agentIsDegraded(by: [])
            #expect(try await world.warningCount() == 1)
            _ = try await world.call(MonitoringStop.self, MonitoringStop.Params())
            try await world.eventually("it is over") { try await world.warningCount() == 0 }
        }
    }
}

extension World {
    /// Limits an app to an hour, with a warning after its first second.
    fileprivate func warn(of app: String) async throws {
        let day = Schedule(
            intervalStart: Contract.DateComponents(hour: 0, minute: 0),
            intervalEnd: Contract.DateComponents(hour: 24, minute: 0), repeats: true,
            warningTime: Contract.DateComponents(second: 3_599))
        let event = EventDefinition(
            name: "use", applications: [app], threshold: Contract.DateComponents(second: 3_600))
        let activity = ActivityDefinition(name: "limit of " + app, schedule: day, events: [event])
        _ = try await call(MonitoringStart.self, MonitoringStart.Params(activities: [activity]))
    }

    /// How many can be seen.
    fileprivate func warningCount() async throws -> Int64 {
        guard coverPid != nil else { return 0 }
        return try await coverClient().call(HealthCheck.self, Nothing()).counters
            .first { $0.name == "warnings" }?.count ?? 0
    }

    fileprivate func dismissWarning(of title: String) async throws {
        try await eventually("a warning that takes clicks") {
            let client = try coverClient()
            defer { client.close() }
            return try await client.call(TraceRead.self, TraceRead.Params()).spans
                .last { $0.name == "clicks" }?.outcome == "ok"
        }
        let search = ["search", "--onlyvisible", "--class", "org.screentime.ShieldCover"]
        for window in try await run("xdotool", ["xdotool"] + search).lines {
            let name = try await run("xdotool", ["xdotool", "getwindowname", window]).lines.first
            guard name == title else { continue }
            _ = try await run(
                "xdotool", ["xdotool", "mousemove", "--window", window, "100", "30", "click", "1"])
        }
    }

    fileprivate func isWarned(of title: String) async throws -> Bool {
        let search = ["search", "--onlyvisible", "--class", "org.screentime.ShieldCover"]
        return try await run("xdotool", ["xdotool"] + search + ["getwindowname", "%@"]).lines.contains(title)
    }
}
