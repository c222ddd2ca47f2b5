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
    @Test func anOverdueRequestThatCannotBeEndedIsTriedAfterAPause() async throws {
        let directory = try TestDirectory()
        let core = try AuthService(try directory.configuration())
        try core.start()
        let (service, database) = (core.service, core.service.database)
        service.endTurn()
        try service.transact(trace: nil) { _ in
            try core.askers.insert(
                Asker(
                    caller: "0 app", key: "k", params: [], authorization: "a",
                    traceparent: TraceContext.root().traceparent, deadline: service.clock.now))
        }
        service.endTurn()
        try database.run(
            "CREATE TEMP TRIGGER refusal BEFORE UPDATE ON asker BEGIN SELECT RAISE(ABORT, 'damaged'); END")
        core.armDeadline()
        var armed = try #require(core.deadlineTimer?.due)
        func triesLater() async throws {
            try await untilTurn("it is tried later") { core.deadlineTimer.map { $0.due > armed } ?? false }
            let next = try #require(core.deadlineTimer?.due)
            #expect(next >= armed + AuthLimits.rollbackPause)
            armed = next
        }
        try await triesLater()
        // The table cannot even be read.
        try database.run("DROP TRIGGER temp.refusal")
        try database.run("ALTER TABLE asker RENAME TO hidden")
        try await triesLater()
        try database.run("ALTER TABLE hidden RENAME TO asker")
        try await untilTurn("it is ended") { try core.askers.waiting().isEmpty }
        service.close()
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
