import Units
import DBus
import Glibc
import Testing

@testable import NotifierCore

private let isBusHere = areInstalled("dbus-daemon")

/// What no well-behaved daemon does, done by one that follows a script.
@Suite(.enabled(if: isBusHere, "needs the package dbus-daemon"))
struct ScriptedDaemonTests {
    private func session(
        answerDeadline: Milliseconds = 5_000
    ) throws -> (DesktopWorld, BusPeer, Listener) {
        let world = try DesktopWorld()
        let daemon = try BusPeer(world, ownsName: true)
        let listener = try Listener(world, answerDeadline: answerDeadline)
        try listener.expect(.daemonAppeared)
        return (world, daemon, listener)
    }

    private func content(_ identifier: String) -> NotificationContent {
        NotificationContent(identifier: identifier, appName: "screentime", summary: "words", body: "<b>")
    }

    private func show(_ identifier: String, as serverID: UInt32, _ daemon: BusPeer, _ listener: Listener)
        throws
    {
        listener.desktop.show(content(identifier))
        if listener.desktop.capabilities == nil {
            try daemon.answer(try daemon.take("GetCapabilities", from: listener), .strings(["body"]))
        }
        try daemon.answer(try daemon.take("Notify", from: listener), .uint32(serverID))
        #expect(try listener.shown(identifier) == serverID)
    }

    @Test func aSecondSenderIsNotBelieved() throws {
        let (world, daemon, listener) = try session()
        try show("a", as: 7, daemon, listener)
        let liar = try BusPeer(world, ownsName: false)
        try liar.signal("ActionInvoked", to: daemon.caller, .uint32(7), .string("approve"))
        try liar.signal("NotificationClosed", to: daemon.caller, .uint32(7), .uint32(2))
        try daemon.signal("ActionInvoked", to: daemon.caller, .uint32(7), .string("deny"))
        try listener.expect(.actionInvoked(identifier: "a", key: "deny"))
    }

    @Test func aSignalBeforeTheAnswerIsKept() throws {
        let (_, daemon, listener) = try session()
        listener.desktop.show(content("a"))
        try daemon.answer(try daemon.take("GetCapabilities", from: listener), .strings([]))
        let call = try daemon.take("Notify", from: listener)
        try daemon.signal("ActionInvoked", to: daemon.caller, .uint32(3), .string("go"))
        try daemon.signal("NotificationClosed", to: daemon.caller, .uint32(3), .uint32(9))
        try daemon.answer(call, .uint32(3))
        #expect(try listener.shown("a") == 3)
        try listener.expect(.actionInvoked(identifier: "a", key: "go"))
        try listener.expect(.closed(identifier: "a", reason: .undefined))
    }

    @Test func aLateAnswerIsTakenOffTheScreen() throws {
        // Longer than the bus may be delayed before the daemon receives the call.
        let (_, daemon, listener) = try session(answerDeadline: 3_000)
        listener.desktop.show(content("a"))
        try daemon.answer(try daemon.take("GetCapabilities", from: listener), .strings([]))
        let call = try daemon.take("Notify", from: listener)
        try listener.expect(.refused(identifier: "a", reason: .noAnswer(afterMilliseconds: 3_000)))
        try daemon.answer(call, .uint32(4))
        _ = try daemon.take("CloseNotification", from: listener)
    }

    @Test func refusalsAreNamed() throws {
        let (_, daemon, listener) = try session()
        listener.desktop.show(content("zero"))
        daemon.fail(
            try daemon.take("GetCapabilities", from: listener), "org.freedesktop.DBus.Error.UnknownMethod")
        try daemon.answer(try daemon.take("Notify", from: listener), .uint32(0))
        try listener.expect(.refused(identifier: "zero", reason: .discarded))
        listener.desktop.show(content("error"))
        daemon.fail(try daemon.take("Notify", from: listener), "org.example.Full")
        try listener.expect(
            .refused(identifier: "error", reason: .daemonFailed(name: "org.example.Full", text: "scripted")))
        listener.desktop.show(NotificationContent(identifier: "blank", appName: "", summary: " "))
        #expect(listener.desktop.pollInterest.timeout_ms == 0, "a refusal at once must not wait for traffic")
        try listener.expect(.refused(identifier: "blank", reason: .blankSummary))
    }

    @Test func closingBeforeTheAnswerCloses() throws {
        let (_, daemon, listener) = try session()
        listener.desktop.show(content("a"))
        listener.desktop.close("a")
        try listener.expect(.refused(identifier: "a", reason: .withdrawn))
        try daemon.answer(try daemon.take("GetCapabilities", from: listener), .strings([]))
        listener.desktop.show(content("b"))
        let call = try daemon.take("Notify", from: listener)
        listener.desktop.close("b")
        try daemon.answer(call, .uint32(5))
        #expect(try listener.shown("b") == 5)
        _ = try daemon.take("CloseNotification", from: listener)
    }

    @Test func aQueueHasItsLimit() throws {
        let (_, daemon, listener) = try session()
        let limit = DesktopNotificationLimits.pendingMax
        for number in 0...limit { listener.desktop.show(content("\(number)")) }
        try listener.expect(.refused(identifier: "\(limit)", reason: .tooManyPending(limit: limit)))
        daemon.releaseName()
        try listener.expect(.daemonVanished)
    }

    /// The bus is asked for nothing and asks for nothing: no descriptor becomes ready and no timer is armed.
    @Test func idleMeansAsleep() throws {
        let (_, daemon, listener) = try session()
        try show("a", as: 1, daemon, listener)
        _ = listener.desktop.process()
        let interest = listener.desktop.pollInterest
        #expect(interest.timeout_ms == -1)
        #expect(interest.events == Int16(POLLIN))
        var descriptor = pollfd(
            fd: try #require(interest.fileDescriptor), events: interest.events, revents: 0)
        #expect(poll(&descriptor, 1, 300) == 0)
    }
}

@Suite(.enabled(if: isBusHere, "needs the package dbus-daemon"))
struct SessionBusTests {
    @Test func aBadAddressSaysWhatIsMissing() {
        #expect(throws: DBusError.addressMissing) { try DesktopNotifications(address: "").connect() }
        #expect(throws: DBusError.addressInvalid(address: "nonsense")) {
            try DesktopNotifications(address: "nonsense").connect()
        }
        let gone = "unix:path=/nonexistent/bus"
        #expect(throws: DBusError.unreachable(address: gone, code: ENOENT)) {
            try DesktopNotifications(address: gone).connect()
        }
    }

    @Test func aBusThatDiesIsReportedAndCanBeLeftForAnother() throws {
        let world = try DesktopWorld()
        let daemon = try BusPeer(world, ownsName: true)
        let listener = try Listener(world)
        try listener.expect(.daemonAppeared)
        listener.desktop.show(NotificationContent(identifier: "a", appName: "screentime", summary: "words"))
        try daemon.answer(try daemon.take("GetCapabilities", from: listener), .strings([]))
        try daemon.answer(try daemon.take("Notify", from: listener), .uint32(1))
        _ = try listener.shown("a")
        world.endBus()
        try listener.expect(.disconnected)
        try listener.expect(.daemonVanished)
        try listener.expect(.closed(identifier: "a", reason: .lost))
        #expect(listener.desktop.pollInterest == DBusInterest(fileDescriptor: nil, events: 0, timeout_ms: -1))
        listener.desktop.show(NotificationContent(identifier: "b", appName: "screentime", summary: "words"))
        try listener.expect(.refused(identifier: "b", reason: .disconnected))
        #expect(throws: DBusError.self) { try listener.desktop.connect() }
        try world.startBus()
        let successor = try BusPeer(world, ownsName: true)
        try listener.desktop.connect()
        try listener.expect(.daemonAppeared)
        successor.releaseName()
        try listener.expect(.daemonVanished)
    }

    @Test func aSocketThatSaysNothingIsGivenUp() throws {
        let world = try DesktopWorld()
        world.stopBus()
        let listener = try Listener(world, connectDeadline: 200)
        listener.desktop.show(NotificationContent(identifier: "a", appName: "screentime", summary: "words"))
        try listener.expect(.disconnected)
        try listener.expect(.refused(identifier: "a", reason: .disconnected))
    }
}
