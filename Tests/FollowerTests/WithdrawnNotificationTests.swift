import Contract
import Loop
import ScreenTimeTesting
import Testing

@testable import NotifierCore
@testable import ServiceKit

/// What was withdrawn leaves the screen, whatever happened meanwhile.
@Suite @LoopActor struct WithdrawnNotificationTests {
    /// The notifier had no bus when it was withdrawn, or ended before it could tell the daemon.
    @Test func whatTheDaemonWasNotToldIsClosedWhenItCanBe() async throws {
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
        desktop.vanish()
        let withdrawn = await run.ask(Call("notification.withdraw", #"{"identifier":"a"}"#))
        #expect(!withdrawn.hasPrefix("error"), "\(withdrawn)")
        #expect(desktop.closed.isEmpty)
        desktop.appear()
        try await untilTurn("it is closed") { try table.shownAndOver().isEmpty }
        #expect(desktop.closed == [1])
        // Once.
        desktop.vanish()
        desktop.appear()
        #expect(desktop.closed == [1] && desktop.shown == ["a", "b"])
        run.close()
    }
}
