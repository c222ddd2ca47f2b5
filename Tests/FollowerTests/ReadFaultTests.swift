import Bus
import Contract
import Loop
import ScreenTimeTesting
import Testing
import Units

@testable import AuthCore
@testable import NotifierCore
@testable import ServiceKit
@testable import Store

/// A row that cannot be read or written for a while, as on a bad disk: what is due is done later, by itself.
@Suite @LoopActor struct ReadFaultTests {
    /// Otherwise it would be tried again in the same turn, for ever.
    @Test func anOverdueRequestThatCannotBeEndedIsTriedAfterAPause() throws {
        let configuration = try TestDirectory().configuration()
        try makeDirectories(configuration.stateDirectory, mode: 0o700)
        try ClockPage.create(in: configuration.stateDirectory, at: 1_772_438_400_000)
        let page = try #require(try ClockPage.find(in: configuration.stateDirectory, writable: true))
        let core = try AuthService(configuration)
        try core.start()
        let (service, database) = (core.service, core.service.database)
        let clock = try #require(service.clock as? SystemClock)
        service.endTurn()
        let due = clock.now + 5_000
        try service.transact(trace: nil) { _ in
            try core.askers.insert(
                Asker(
                    caller: "0 app", key: "k", params: [], authorization: "a",
                    traceparent: TraceContext.root().traceparent, deadline: due))
        }
        service.endTurn()
        core.deadlineTimer.arm()
        #expect(clock.nextDue == due)
        try database.run(
            "CREATE TEMP TRIGGER refusal BEFORE UPDATE ON asker BEGIN SELECT RAISE(ABORT, 'damaged'); END")
        pass(5_000)
        #expect(clock.nextDue == due + AuthLimits.rollbackPause)
        // The table cannot even be read.
        try database.run("DROP TRIGGER temp.refusal")
        try database.run("ALTER TABLE asker RENAME TO hidden")
        pass(AuthLimits.rollbackPause)
        #expect(clock.nextDue == due + AuthLimits.rollbackPause + AuthLimits.rollbackPause)
        try database.run("ALTER TABLE hidden RENAME TO asker")
        pass(AuthLimits.rollbackPause)
        #expect(try core.askers.overdue(at: clock.now).isEmpty)
        service.close()

        func pass(_ time: Milliseconds) {
            page.move(to: clock.now + time)
            clock.fire()
            service.endTurn()
        }
    }

    @Test func aNotificationThatCouldNotBeReadIsShownLater() async throws {
        let desktop = DirectedDesktop()
        let run = try desktop.run()
        let posted = await run.ask(Call("notification.post", #"{"identifier":"n","title":"N"}"#))
        #expect(!posted.hasPrefix("error"), "\(posted)")
        let database = try #require(run.service?.database)
        try database.run("ALTER TABLE notification RENAME TO hidden")
        desktop.appear()
        try database.run("ALTER TABLE hidden RENAME TO notification")
        try await untilTurn("it is shown") { desktop.shown == ["n"] }
        run.close()
    }
}
