import Glibc
import NotifierCore
import Testing
import Units

private let isDunstHere = areInstalled("dunst", "dunstctl", "Xvfb", "dbus-daemon")

/// Against the real dunst, each test in a session of its own.
@Suite(.enabled(if: isDunstHere, "needs the packages dunst, xvfb and dbus-daemon"))
struct DunstTests {
    private func session(_ world: DesktopWorld, answerDeadline: Milliseconds = 5_000) throws -> Listener {
        let listener = try Listener(world, answerDeadline: answerDeadline)
        try world.startDunst()
        try listener.expect(.daemonAppeared)
        return listener
    }

    @Test func aNotificationIsShownAndClosed() throws {
        let world = try DesktopWorld()
        let listener = try session(world)
        listener.desktop.show(
            NotificationContent(identifier: "a", appName: "screentime", summary: "5 minutes left"))
        _ = try listener.shown("a")
        listener.desktop.close("a")
        try listener.expect(.closed(identifier: "a", reason: .closedByCall))
    }

    @Test func theDefaultActionAnswers() throws {
        let world = try DesktopWorld()
        let listener = try session(world)
        listener.desktop.show(
            NotificationContent(
                identifier: "a", appName: "screentime", summary: "Time is up",
                actions: [.init(key: "default", label: "Open")]))
        _ = try listener.shown("a")
        try world.run("dunstctl", "action", "0")
        try listener.expect(.actionInvoked(identifier: "a", key: "default"))
        // dunst keeps it on the screen until it expires: the receiver of the answer closes it.
        listener.desktop.close("a")
        try listener.expect(.closed(identifier: "a", reason: .closedByCall))
    }

    @Test(arguments: ["Approve", "Deny"]) func oneOfTwoActionsAnswers(choice: String) throws {
        let world = try DesktopWorld(menuChoice: choice)
        let listener = try session(world)
        listener.desktop.show(
            NotificationContent(
                identifier: "ask", appName: "screentime", summary: "15 minutes more?",
                actions: [.init(key: "approve", label: "Approve"), .init(key: "deny", label: "Deny")]))
        _ = try listener.shown("ask")
        try world.run("dunstctl", "action", "0")
        try listener.expect(.actionInvoked(identifier: "ask", key: choice == "Deny" ? "deny" : "approve"))
    }

    @Test func aNotificationExpires() throws {
        let world = try DesktopWorld()
        let listener = try session(world)
        listener.desktop.show(
            NotificationContent(
                identifier: "a", appName: "screentime", summary: "soon gone", expireTimeout_ms: 1))
        _ = try listener.shown("a")
        try listener.expect(.closed(identifier: "a", reason: .expired))
    }

    /// dunst's history contains the markup it would draw: escaped once, so the text is shown literally.
    @Test(arguments: ["full", "strip", "no"]) func wordsAreLiteral(markup: String) throws {
        let words = #"<b>5 & "6"</b> <i>not</i> &lt; ünïcödé 한국어 \n %s"#
        let drawn = #"&lt;b&gt;5 &amp; QQ6QQ&lt;/b&gt; &lt;i&gt;not&lt;/i&gt; &amp;lt; ünïcödé 한국어 \\n %s"#
        let world = try DesktopWorld(markup: markup)
        let listener = try session(world)
        listener.desktop.show(
            NotificationContent(
                identifier: "a", appName: "screentime", summary: words, body: words, expireTimeout_ms: 0))
        _ = try listener.shown("a")
        #expect(listener.desktop.capabilities?.contains("body-markup") == (markup != "no"))
        if let path = environmentValue("SCREENTIME_TEST_SCREENSHOT") {
            try world.run("xdotool", "search", "--sync", "--onlyvisible", "--class", "Dunst")
            try world.run("import", "-window", "root", "\(path)-\(markup).png")
        }
        listener.desktop.close("a")
        try listener.expect(.closed(identifier: "a", reason: .closedByCall))
        let message = try historyMessage(world)
        // Quotes may be drawn as an entity or as themselves: both are the same on the screen.
        let plain = message.replacing("&quot;", with: "QQ").replacing(#"\""#, with: "QQ")
        #expect(plain == "<b>\(drawn)</b>\\n\(drawn)")
    }

    private func historyMessage(_ world: DesktopWorld) throws -> String {
        let lines = try world.run("dunstctl", "history").split(separator: "\n")
        let key = try #require(lines.firstIndex { $0.contains("\"message\"") })
        let line = try #require(lines[key...].first { $0.contains("\"data\"") })
        let start = try #require(line.firstIndex(of: "<"))
        return String(line[start...].dropLast())
    }

    @Test func theSameIdentifierReplaces() throws {
        let world = try DesktopWorld()
        let listener = try session(world)
        for minutes in 1...3 {
            listener.desktop.show(
                NotificationContent(identifier: "a", appName: "screentime", summary: "\(minutes) minutes"))
        }
        let first = try listener.shown("a")
        listener.desktop.show(NotificationContent(identifier: "a", appName: "screentime", summary: "again"))
        #expect(try listener.shown("a") == first)
        listener.desktop.show(
            NotificationContent(identifier: "b", appName: "screentime", summary: "other", replaces: first))
        try listener.expect(.closed(identifier: "a", reason: .replaced))
        #expect(try listener.shown("b") == first)
    }

    @Test func otherProgramsNotificationsAreNotOurs() throws {
        let world = try DesktopWorld()
        let listener = try session(world)
        listener.desktop.show(NotificationContent(identifier: "a", appName: "screentime", summary: "ours"))
        let serverID = try listener.shown("a")
        try world.run(
            "gdbus", "call", "--session", "-d", "org.freedesktop.Notifications", "-o",
            "/org/freedesktop/Notifications", "-m", "org.freedesktop.Notifications.Notify", "other", "0", "",
            "theirs",
            "", "[]", "{}", "0")
        try world.run(
            "gdbus", "call", "--session", "-d", "org.freedesktop.Notifications", "-o",
            "/org/freedesktop/Notifications", "-m", "org.freedesktop.Notifications.CloseNotification",
            "\(serverID + 1)")
        listener.desktop.close("a")
        try listener.expect(.closed(identifier: "a", reason: .closedByCall))
    }

    @Test func aDaemonThatDiesAndComesBackIsFollowed() throws {
        let world = try DesktopWorld()
        let listener = try session(world)
        listener.desktop.show(NotificationContent(identifier: "a", appName: "screentime", summary: "one"))
        _ = try listener.shown("a")
        world.dunst?.end()
        try listener.expect(.daemonVanished)
        try listener.expect(.closed(identifier: "a", reason: .lost))
        #expect(!listener.desktop.daemonPresent)
        listener.desktop.show(NotificationContent(identifier: "b", appName: "screentime", summary: "two"))
        try listener.expect(.refused(identifier: "b", reason: .noDaemon))
        try world.startDunst()
        try listener.expect(.daemonAppeared)
        listener.desktop.show(NotificationContent(identifier: "b", appName: "screentime", summary: "two"))
        _ = try listener.shown("b")
    }

    @Test func aHungDaemonIsRefusedInTime() throws {
        let world = try DesktopWorld()
        let listener = try session(world)
        listener.desktop.show(NotificationContent(identifier: "a", appName: "screentime", summary: "before"))
        _ = try listener.shown("a")
        world.dunst?.signal(SIGSTOP)
        let start = now()
        listener.desktop.show(NotificationContent(identifier: "b", appName: "screentime", summary: "during"))
        #expect(now() - start < 1_000)
        try listener.expect(.refused(identifier: "b", reason: .noAnswer(afterMilliseconds: 5_000)))
        #expect(now() - start >= 5_000)
        #expect(listener.desktop.pollInterest.timeout_ms == -1, "nothing to wake up for")
        world.dunst?.signal(SIGCONT)
        listener.desktop.show(NotificationContent(identifier: "c", appName: "screentime", summary: "after"))
        _ = try listener.shown("c")
        // The late one must not stay on the screen: "a" and "c" do.
        listener.desktop.close("c")
        try listener.expect(.closed(identifier: "c", reason: .closedByCall))
        #expect(try world.run("dunstctl", "count", "displayed").contains("1"))
    }

    @Test func theBusStartsADaemonThatIsInstalled() throws {
        let world = try DesktopWorld(activatable: true)
        let listener = try Listener(world)
        try listener.expect(.daemonAppeared)
        listener.desktop.show(NotificationContent(identifier: "a", appName: "screentime", summary: "wake up"))
        _ = try listener.shown("a")
        try world.run("dunstctl", "close-all")
        try listener.expect(.closed(identifier: "a", reason: .dismissed))
    }
}
