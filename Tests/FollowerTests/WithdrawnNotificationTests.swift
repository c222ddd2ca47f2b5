import Contract
import Loop
import ScreenTimeTesting
import Testing

@testable import NotifierCore
@testable import ServiceKit

/// What was withdrawn leaves the screen, whatever happened meanwhile.
@Suite @LoopActor struct WithdrawnNotificationTests {
    /// The notifier had no bus when it was withdrawn, or ended before it could tell the daemon.
    @Test(arguments: [false, true])
    func whatTheDaemonWasNotToldIsClosedWhenItCanBe(isTold: Bool) async throws {
        let desktop = DirectedDesktop()
        let run = try desktop.run()
        desktop.appear()
        for name in ["a", "b"] {
            let posted = await run.ask(
                Call("notification.post", #"{"identifier":"\#(name)","title":"T"}"#))
            #expect(!posted.hasPrefix("error"), "\(posted)")
        }
        let table = NotificationTable(database: try #require(run.service?.database))
        try await untilTurn("both are shown") { try table.all(.delivered).count == 2 }
        desktop.tellsClosing = false
        if !isTold { desktop.vanish() }
        let withdrawn = await run.ask(Call("notification.withdraw", #"{"identifier":"a"}"#))
        #expect(!withdrawn.hasPrefix("error"), "\(withdrawn)")
        // A daemon that was told may have ended before it did so.
        #expect(desktop.closed == (isTold ? [1] : []))
        if isTold { desktop.vanish() }
        desktop.tellsClosing = true
        desktop.appear()
        try await untilTurn("it is closed") { try table.shownAndOver().isEmpty }
        #expect(desktop.closed == (isTold ? [1, 1] : [1]))
        // No more.
        desktop.vanish()
        desktop.appear()
        #expect(desktop.closed.count == (isTold ? 2 : 1) && desktop.shown == ["a", "b"])
        run.close()
    }
}
