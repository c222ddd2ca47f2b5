import Contract
import Loop
import ScreenTimeTesting
import Testing

@testable import NotifierCore
@testable import ServiceKit

/// What was withdrawn leaves the screen, whatever happened meanwhile.
@Suite @LoopActor struct WithdrawnNotificationTests {
    /// The daemon shows notifications of these names.
    private func show(_ names: [String], _ run: CoreRun, _ desktop: DirectedDesktop) async throws {
        desktop.appear()
        for name in names {
            let posted = await run.ask(
                Call("notification.post", #"{"identifier":"\#(name)","title":"T"}"#))
            #expect(!posted.hasPrefix("error"), "\(posted)")
        }
        let table = NotificationTable(database: try #require(run.service?.database))
        try await untilTurn("they are shown") { try table.all(.delivered).count == names.count }
    }

    /// Closing is stored before it is done.
    @Test func itIsClosedThoughACommitFails() async throws {
        let desktop = DirectedDesktop()
        let run = try desktop.run()
        try await show(["a"], run, desktop)
        desktop.vanish()
        _ = await run.ask(Call("notification.withdraw", #"{"identifier":"a"}"#))
        let faults = try #require(run.faults)
        faults.failsCommit = { faults.failures == 0 }
        desktop.appear()
        try await untilTurn("it is closed") { !desktop.closed.isEmpty }
        #expect(faults.failures == 1 && desktop.closed == [1])
        run.close()
    }

    /// The notifier had no bus when it was withdrawn, or ended before it could tell the daemon.
    @Test(arguments: [false, true])
    func whatTheDaemonWasNotToldIsClosedWhenItCanBe(isTold: Bool) async throws {
        let desktop = DirectedDesktop()
        let run = try desktop.run()
        try await show(["a", "b"], run, desktop)
        desktop.tellsClosing = false
        if !isTold { desktop.vanish() }
        let withdrawn = await run.ask(Call("notification.withdraw", #"{"identifier":"a"}"#))
        #expect(!withdrawn.hasPrefix("error"), "\(withdrawn)")
        // A daemon that was told may have ended before it did so.
        #expect(desktop.closed == (isTold ? [1] : []))
        if isTold { desktop.vanish() }
        desktop.tellsClosing = true
        desktop.appear()
        try await untilTurn("it is closed") { desktop.closed == (isTold ? [1, 1] : [1]) }
        // No more.
        desktop.vanish()
        desktop.appear()
        #expect(desktop.closed.count == (isTold ? 2 : 1) && desktop.shown == ["a", "b"])
        run.close()
    }
}
