import Bus
import CSQLite
import Contract
import Loop
import ScreenTimeTesting
import Testing
import Time
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
        core.armDeadline()
        #expect(clock.nextDue == due)
        try database.run(
            "CREATE TEMP TRIGGER refusal BEFORE UPDATE ON asker BEGIN SELECT RAISE(ABORT, 'damaged'); END")
        pass(5_000)
        #expect(clock.nextDue == due + Service.retryPause)
        // The table cannot even be read.
        try database.run("DROP TRIGGER temp.refusal")
        try database.run("ALTER TABLE asker RENAME TO hidden")
        pass(Service.retryPause)
        #expect(clock.nextDue == due + Service.retryPause + Service.retryPause)
        try database.run("ALTER TABLE hidden RENAME TO asker")
        pass(Service.retryPause)
        #expect(try core.askers.waiting().isEmpty)
        service.close()

        func pass(_ time: Milliseconds) {
            page.move(to: clock.now + time)
            clock.fire()
            service.endTurn()
        }
    }

    /// One read that fails is not reported until the next day.
    @Test func aDailyCheckThatCouldNotReadIsRepeatedAfterAnHour() async throws {
        let core = try AuthService(try TestDirectory().configuration())
        try core.start()
        let service = core.service
        try service.database.run("ALTER TABLE cursor RENAME TO hidden")
        #expect(await service.checkStoreOfToday() == .hour)
        let sentence = try #require(service.healthReport().degradedBy.first)
        #expect(sentence.contains("the daily check of the store could not read it"), "\(sentence)")
        try service.database.run("ALTER TABLE hidden RENAME TO cursor")
        #expect(await service.checkStoreOfToday() == .day)
        #expect(service.healthReport().degradedBy == [])
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

    /// Otherwise the person would never be asked; nobody knows yet whether the question is still open.
    @Test func aQuestionThatCouldNotBeReadIsShownOnceLater() async throws {
        let room = try QuestionRoom()
        let asking = room.ask()
        let asked = try await room.question()
        let table = try UnreadableTable("question", room.auth.service.database)
        try await untilTurn("it cannot be read twice") { table.reads.count > 1 }
        try table.heal()
        try room.show()
        #expect(table.reads[1] - table.reads[0] >= AuthLimits.notifierAttempt)
        try await untilTurn("it is shown") { !room.desktop.shown.isEmpty }
        let identifier = try room.auth.questions.open(asked.id)?.identifier
        try await room.press(.approve)
        #expect(try await asking.value.status == .approved)
        #expect(room.desktop.shown == [identifier])
        room.close()
    }

    /// Otherwise a question that is over would stay on the screen until the next one is.
    @Test func aQuestionThatCouldNotBeReadLeavesTheScreenLater() async throws {
        let room = try QuestionRoom()
        try room.show()
        let asking = room.ask()
        _ = try await room.question()
        try await untilTurn("the notifier has shown it") {
            guard let notifier = room.notifier else { return false }
            return try notifier.table.all(.delivered).count == 1 && !notifier.service.hasUncommitted
        }
        var fault: UnreadableTable?
        // In the transaction that ends the question, so that the next reader cannot read it.
        room.auth.service.beforeCommit.append { _ in
            guard fault == nil, try room.auth.questions.firstOver() != nil else { return }
            fault = try UnreadableTable("question", room.auth.service.database)
        }
        try await room.decide(.approve)
        #expect(try await asking.value.status == .approved)
        let table = try #require(fault)
        try await untilTurn("it cannot be read twice") { table.reads.count > 1 }
        #expect(room.desktop.closed.isEmpty)
        try table.heal()
        #expect(table.reads[1] - table.reads[0] >= AuthLimits.notifierAttempt)
        try await untilTurn("it is closed") { !room.desktop.closed.isEmpty }
        try await untilTurn("it is not to be withdrawn again") {
            try room.auth.questions.firstOver() == nil && !room.auth.service.hasUncommitted
        }
        #expect(room.desktop.closed.count == 1 && room.desktop.shown.count == 1)
        room.close()
    }
}

/// A table that cannot be read until it is healed, as on a bad disk.
private final class UnreadableTable {
    /// When it was tried.
    private(set) var reads: [Milliseconds] = []
    private let name: String
    private let database: Database

    init(_ name: String, _ database: Database) throws {
        (self.name, self.database) = (name, database)
        sqlite3_create_function(
            database.connection.raw, "unreadable", 0, SQLITE_UTF8,
            Unmanaged.passUnretained(self).toOpaque(),
            { call, _, _ in
                // The view that calls it is dropped before this object goes.
                guard let context = sqlite3_user_data(call) else { return }
                let table = Unmanaged<UnreadableTable>.fromOpaque(context).takeUnretainedValue()
                table.reads.append(MonotonicClock.now)
                sqlite3_result_error_code(call, SQLITE_IOERR)
            }, nil, nil)
        try database.run("ALTER TABLE \(name) RENAME TO hidden")
        try database.run("CREATE TEMP VIEW \(name) AS SELECT * FROM hidden WHERE unreadable()")
    }

    func heal() throws {
        try database.run("DROP VIEW temp.\(name)")
        try database.run("ALTER TABLE hidden RENAME TO \(name)")
    }
}
