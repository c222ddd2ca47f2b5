import Units
import Bus
import Contract
import Foundation
import Glibc
import Loop
import ScreenTimeTesting
import Testing

@testable import AuthCore
@testable import NotifierCore
@testable import ReportCore
@testable import ServiceKit
@testable import Store
import Time

/// What holds for the turn of every service, beside what followers and undone writes show.
@Suite(.serialized) @LoopActor struct TurnTests {
    /// Nobody would make the first writes of a start again.
    @Test func aStartWhoseWritesAreNotKeptFails() throws {
        let directory = try TestDirectory()
        do {
            let core = try AuthService(try directory.configuration())
            let faults = CommitFaults(core.service.database)
            faults.failsCommit = { true }
            #expect(throws: ServiceError.self) { try core.start() }
            faults.failsCommit = { false }
            core.service.close()
        }
        let core = try AuthService(try directory.configuration())
        try core.start()
        #expect(try core.members.all().count == 1)
        #expect(try core.grants.master() != nil)
        core.service.close()
    }

    @Test(arguments: WriteCase.all) func nothingIsForgottenWhileABackupHoldsTheCommits(
        _ one: WriteCase
    ) async throws {
        let run = try CoreRun(one)
        let held = await run.ask(Call("backup.hold", #"{"id":"b"}"#))
        #expect(!held.hasPrefix("error"), "\(held)")
        for params in [#"{"everything":true,"rehearse":true}"#, #"{"everything":true}"#] {
            let refused = await run.ask(Call("privacy.forget", params))
            #expect(refused.hasPrefix("error conflict"), "\(refused)")
        }
        let given = await run.ask(Call("backup.copy", #"{"id":"b"}"#))
        #expect(!given.hasPrefix("error"), "\(given)")
        let forgotten = await run.ask(Call("privacy.forget", #"{"everything":true}"#))
        #expect(!forgotten.hasPrefix("error"), "\(forgotten)")
        run.close()
    }

    @Test func aSecondBackupIsToldHowLongTheFirstHolds() async throws {
        let run = try CoreRun(WriteCase.auth)
        _ = await run.ask(Call("backup.hold", #"{"id":"first"}"#))
        let refused = await run.ask(Call("backup.hold", #"{"id":"second"}"#))
        #expect(refused.hasPrefix("error conflict") && refused.hasSuffix(" s at most"), "\(refused)")
        run.close()
    }

    /// As on a disk that cannot be read any more. A turn that stayed open would be committed again for ever.
    @Test func aTurnWhoseLogCannotBeReadIsUndone() throws {
        let core = try AuthService(try TestDirectory().configuration())
        try core.start()
        let database = core.service.database
        func tables() throws -> Int64 {
            try database.integer("SELECT count(*) FROM sqlite_master WHERE name = 'event'")
        }
        try core.service.transact(trace: nil) { _ in
            try database.run("DROP TABLE event")
            #expect(try tables() == 0)
        }
        core.service.endTurn()
        #expect(try !core.service.hasUncommitted && tables() == 1)
        core.service.close()
    }

    /// Followers would look for an event that may never be.
    @Test func theHeadThatIsToldIsCommitted() throws {
        let core = try AuthService(try TestDirectory().configuration())
        try core.start()
        let service = core.service
        service.endTurn()
        let before = service.syncHead.head.value
        func add(_ id: String) throws {
            try service.transact(trace: nil) { transaction in
                _ = try transaction.emit(MemberChanged(member: Member(id: id, name: id)), subject: id)
            }
        }
        try add("a")
        #expect(service.syncHead.head.value == before)
        let faults = CommitFaults(service.database)
        faults.failsCommit = { true }
        service.endTurn()
        #expect(service.syncHead.head.value == before)
        faults.failsCommit = { false }
        try add("b")
        service.endTurn()
        #expect(service.syncHead.head.value == before + 1)
        service.close()
    }

    /// What changed first in a turn is where reports differ, in whatever order it is noted.
    @Test func aTurnTellsOnceFromWhenReportsDiffer() throws {
        let run = try CoreRun(WriteCase.report)
        let service = try #require(run.service)
        let notice = ChangeNotice(service)
        var told: [String] = []
        notice.onPublished = { told.append($0) }
        try service.transact(trace: nil) { transaction in
            let noted: [(String, Int64)] = [("uid-0", 500), ("uid-0", 200), ("kim", 700), ("uid-0", 900)]
            for one in noted { notice.note(one.0, from: Instant(milliseconds: one.1), transaction) }
        }
        let before = service.head
        try notice.publish()
        service.endTurn()
        let events = try service.eventLog.page(after: before, types: [], limit: 10).events
        let changes = try events.map { try #require(try AnyEvent.decode($0.body).data) }
            .map { try ReportChanged.decode($0.bytes) }
        #expect(changes.map(\.member) == ["kim", "uid-0"] && told == ["kim", "uid-0"])
        #expect(changes.map(\.from) == [700, 200])
        run.close()
    }

    struct Surprise: Error {}

    /// Otherwise what memory has beyond the store would decide, and would be stored.
    @Test func anUndoThatFailsIsRepeatedBeforeTheNextWrite() throws {
        let core = try AuthService(try TestDirectory().configuration())
        try core.start()
        let service = core.service
        var (isBroken, undone) = (true, 0)
        func write(_ name: String, fails: Bool) throws {
            try service.transact(trace: nil) { transaction in
                try core.members.insert(Member(id: name, name: name))
                guard fails else { return }
                transaction.onUndo {
                    if isBroken { throw Surprise() }
                    undone += 1
                }
                throw Surprise()
            }
        }
        try write("before", fails: false)
        #expect(throws: ServiceError.self) { try write("b", fails: true) }
        service.endTurn()
        #expect(try service.degradedBy("memory") != nil && core.members.find(id: "before") == nil)
        #expect(throws: ServiceError.self) { try write("c", fails: false) }
        isBroken = false
        try write("d", fails: false)
        service.endTurn()
        #expect(service.degradedBy("memory") == nil && undone == 1)
        #expect(try core.members.find(id: "c") == nil && core.members.find(id: "d") != nil)
        core.service.close()
    }

    /// Use that came in the same turn is in memory only when the forgetting begins.
    @Test func aForgettingThatFailsLosesNoUseOfItsTurn() async throws {
        let run = try CoreRun(WriteCase.report)
        let core = try #require(run.core as? ReportService)
        let plan = try #require(core.service.forgetPlan?())
        core.service.forgetPlan = {
            ForgetPlan(
                erases: plan.erases,
                remove: {
                    try plan.remove($0, $1, $2)
                    throw Surprise()
                })
        }
        let used = UsageRecorded(
            member: Household.defaultMember, device: "d", kind: .app, subject: "firefox", from: 0,
            to: 60_000, intervals: [Interval(start: 1_000, end: 61_000)])
        try core.service.transact(trace: nil) { _ in _ = try core.copy.apply(used) }
        await #expect(throws: ServiceError.self) {
            try await core.service.forget(Forgetting(member: nil, extent: .subject(.app, "mail")))
        }
        core.service.endTurn()
        #expect(core.copy.isSettled)
        #expect(try core.service.database.integer("SELECT count(*) FROM quarter") == 1)
        run.close()
    }

    /// A reader writes what is in memory only; if that fails, the turn does not go on without it.
    @Test func aReportThatCannotBeMadeLosesNoUseOfItsTurn() async throws {
        let run = try CoreRun(WriteCase.report)
        let core = try #require(run.core as? ReportService)
        let database = core.service.database
        let used = UsageRecorded(
            member: Household.defaultMember, device: "d", kind: .app, subject: "firefox", from: 0,
            to: 60_000, intervals: [Interval(start: 1_000, end: 61_000)])
        try core.service.transact(trace: nil) { _ in
            _ = try core.copy.apply(used)
            try Settings(database).set("position", "1")
        }
        try database.run(
            "CREATE TEMP TRIGGER refusal BEFORE INSERT ON rollup BEGIN SELECT RAISE(ABORT, 'full'); END")
        #expect(throws: (any Error).self) {
            try Reporter(core.copy).answer(
                ReportQuery.Params(), members: [ReportMember(id: Household.defaultMember)], now: 90_000)
        }
        try database.run("DROP TRIGGER temp.refusal")
        core.service.endTurn()
        #expect(core.copy.isSettled)
        let isKept = try database.integer("SELECT count(*) FROM quarter") == 1
        #expect(try Settings(database).get("position") == (isKept ? "1" : nil))
        run.close()
    }

    @Test(arguments: WriteCase.all) func aBackupNamesAWholePath(_ one: WriteCase) async throws {
        let run = try CoreRun(one)
        let name = "stk-backup-\(UInt32.random(in: 0 ... .max))"
        defer { unlink(name) }
        for path in [name, "./\(name)", "nowhere/../\(name)", ""] {
            _ = await run.ask(Call("backup.hold", #"{"id":"b"}"#))
            let refused = await run.ask(Call("backup.copy", #"{"id":"b","path":"\#(path)"}"#))
            #expect(refused.hasPrefix("error invalidParams"), "'\(path)': \(refused)")
        }
        #expect(access(name, F_OK) != 0)
        run.close()
    }

    /// Like a read, a write waits for the events of others.
    @Test func aWriteWaitsForWhatItIsToFollow() async throws {
        let run = try CoreRun(WriteCase.shield)
        let write = WriteCase.shield.writes[0]
        // Connected: what cannot be handed over is refused otherwise.
        #expect(await run.ask(Call("settings.list")) == #"{"stores":[]}"#)
        let late = await run.ask(
            write, CallOptions(deadline: 200, notBefore: [Position(.shield, 1)]))
        #expect(late.hasPrefix("error deadlineExceeded"), "\(late)")
        #expect(await run.ask(Call("settings.list")) == #"{"stores":[]}"#)
        let follows = Task { @LoopActor in
            await run.ask(write, CallOptions(deadline: 20_000, notBefore: [Position(.shield, 1)]))
        }
        await Task.yield()
        let first = await run.ask(
            Call("shield.freeze", #"{"agent":"d","app":"a","processes":[{"pid":77,"start_time":1}]}"#))
        #expect(first == #"{"sequence":1}"#)
        #expect(await follows.value == #"{"sequence":3}"#)
        run.close()
    }

    @Test func aServiceWithADamagedStoreDoesNotAct() async throws {
        let run = try CoreRun(WriteCase.shield)
        _ = await run.ask(WriteCase.shield.writes[0])
        let service = try #require(run.service)
        service.endTurn()
        #expect(try service.database.checkpoint(.truncate))
        #expect(try await service.checkStore().findings == [])
        #expect(service.healthReport().notActing == nil)
        // Through a descriptor that stays open: closing it would drop SQLite's locks of this process.
        let file = open(service.database.path, O_RDWR | O_CLOEXEC)
        var byte: UInt8 = 0
        try #require(pread(file, &byte, 1, 4096 * 3 + 2000) == 1)
        byte ^= 4
        try #require(pwrite(file, &byte, 1, 4096 * 3 + 2000) == 1)
        #expect(try await service.checkStore().findings != [])
        #expect(service.healthReport().notActing?.first?.contains("damaged") == true)
        run.close()
    }

    /// A store that keeps nothing is asked again, but not all the time.
    @Test func whatIsDueDoesNotSpinWhileNothingCanBeKept() async throws {
        let run = try CoreRun(WriteCase.notifier)
        let core = try #require(run.core as? NotifierService)
        let failed = Expectation<Void>("no commit failed")
        var failures: [Milliseconds] = []
        try core.service.transact(trace: nil) { _ in
            var record = NotificationRecord(
                identifier: "n", title: "N", state: .scheduled, posted: 1,
                trigger: NotificationTrigger(after: 1))
            record.due = core.service.clock.now - 10
            try core.scheduler.table.replace(
                ScheduledNotification(member: Household.defaultMember, record: record, trace: ""))
        }
        core.service.endTurn()
        run.faults?.failsCommit = {
            failures.append(MonotonicClock.now)
            if failures.count == 3 { failed.fulfil(()) }
            return true
        }
        core.scheduler.poll()
        try await failed.wait()
        run.faults?.failsCommit = { false }
        let apart = zip(failures, failures.dropFirst()).map { $1 - $0 }
        #expect(apart.allSatisfy { $0 > 500 }, "\(apart)")
        run.close()
    }

    /// The daemon reports it once.
    @Test(arguments: [1, 3]) func aPressedButtonIsKeptThoughItsCommitFails(failures: Int) async throws {
        let run = try CoreRun(WriteCase.notifier)
        let core = try #require(run.core as? NotifierService)
        _ = await run.ask(WriteCase.notifier.writes[0])
        let key = NotificationKey(client: nil, identifier: "n")
        try core.service.transact(trace: nil) { _ in
            var row = try #require(try core.table.find(key))
            row.record.state = .delivered
            try core.table.update(row)
        }
        core.service.endTurn()
        let kept = Expectation<Void>("the answer was not kept")
        var left = failures
        run.faults?.failsCommit = {
            left -= 1
            return left >= 0
        }
        let token = EventLoop.main.atEndOfTurn {
            // A read that fails is one that finds nothing.
            if left <= 0, (try? core.table.find(key))?.record.answer == "k" { kept.fulfil(()) }
        }
        core.deliverer.receive(.actionInvoked(identifier: key.text, key: "k"))
        core.deliverer.receive(.closed(identifier: key.text, reason: .dismissed))
        try await kept.wait()
        EventLoop.main.forget(token)
        #expect(try core.table.find(key)?.record.state == .answered)
        #expect(try core.service.eventLog.previous(of: NotificationAnswered.type) > 0)
        run.close()
    }
}
