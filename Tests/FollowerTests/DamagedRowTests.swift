import Bus
import Contract
import Loop
import ScreenTimeTesting
import Testing
import Units

@testable import AuthCore
@testable import MonitorCore
@testable import NotifierCore
@testable import ServiceKit
@testable import Store

/// A row that cannot be read stops only what needs it, and is reported, also where only a timer reads.
@Suite(.serialized) @LoopActor struct DamagedRowTests {
    private static let app = "org.example.c"
    private static let program = ExtensionRecord(
        id: "org.example.monitor", client: app, point: .monitor, path: "/nowhere",
        executable: "/nowhere/program")

    private static func isReported(_ service: Service) -> Bool {
        service.healthReport().notActing?.contains { $0.contains("is damaged") } == true
    }

    // MARK: deliveries

    /// monitor-runner with two deliveries that wait; the first one is damaged.
    private static func monitor(_ directory: TestDirectory) throws -> (MonitorService, second: Int64) {
        let core = try MonitorService(try directory.configuration(), clock: StandingClock())
        try core.start()
        var ids: [Int64] = []
        try core.service.transact(trace: nil) { transaction in
            try transaction.database.run(
                "INSERT INTO extension (id, body) VALUES (?1, ?2)", program.id, program.encoded())
            for activity in ["a", "b"] {
                var waiting = StoredDelivery(
                    delivery: Delivery(
                        callback: "intervalDidStart",
                        about: ActivityCallback(client: app, member: "uid-0", activity: activity),
                        state: .waiting),
                    traceparent: TraceContext.root().traceparent)
                waiting.delivery.program = program.id
                ids.append(try #require(try core.table.insert(waiting)).delivery.id)
            }
            try transaction.database.run("UPDATE delivery SET body = CAST('{' AS BLOB) WHERE id = ?1", ids[0])
        }
        core.service.endTurn()
        return (core, ids[1])
    }

    @Test func aRevocationMarksTheDeliveriesThatCanBeRead() throws {
        let (core, second) = try Self.monitor(try TestDirectory())
        let revoked = Authorization(client: Self.app, member: "uid-0", status: .denied, decided: 1)
        try core.service.transact(trace: nil) { _ in try core.table.revoke(revoked) }
        core.service.endTurn()
        let marked = try core.service.database.query("SELECT id FROM delivery WHERE is_revoked = 1") {
            $0.int64(0)
        }
        #expect(marked == [second])
        core.service.close()
    }

    /// A callback that was given up and cannot be read: later ones are recorded nevertheless.
    @Test func aMissingCallbackStopsNoOther() throws {
        let (core, second) = try Self.monitor(try TestDirectory())
        core.place(Self.program)
        let database = core.service.database
        try core.service.transact(trace: nil) { transaction in
            try database.run("UPDATE delivery SET state = 'failed', is_missing = 1 WHERE id <> ?1", second)
            var next = try #require(try core.table.next(of: Self.program.id))
            next.delivery.state = .delivered
            try core.table.noteDelivered(next.delivery)
            let revoked = Authorization(client: Self.app, member: "uid-0", status: .denied, decided: 1)
            try core.apply(AuthorizationChanged(authorization: revoked, revoked: true), transaction)
        }
        core.service.endTurn()
        #expect(try database.integer("SELECT is_revoked FROM delivery WHERE id = \(second)") == 1)
        #expect(Self.isReported(core.service))
        core.service.close()
    }

    @Test func anExtensionCanBeRemoved() throws {
        let (core, second) = try Self.monitor(try TestDirectory())
        core.place(Self.program)
        try core.service.transact(trace: nil) { _ = try core.remove(Self.program.id, $0) }
        core.service.endTurn()
        let finished = try core.table.finished(after: 0, limit: 10)
        #expect(finished.map(\.id) == [second] && finished.map(\.state) == [.failed])
        #expect(try core.service.database.integer("SELECT count(*) FROM delivery") == 1)
        core.service.close()
    }

    @Test func aDeliveryIsReportedWhenItIsNext() throws {
        let (core, _) = try Self.monitor(try TestDirectory())
        core.place(Self.program)
        #expect(!Self.isReported(core.service))
        core.dispatchers[Self.program.id]?.pump()
        #expect(Self.isReported(core.service))
        core.service.close()
    }

    // MARK: notifications

    private static func damage(_ table: String, _ service: Service) throws {
        try service.transact(trace: nil) {
            try $0.database.run("UPDATE \(table) SET body = CAST('{' AS BLOB)")
        }
        service.endTurn()
    }

    private static func add(
        _ identifier: String, _ state: NotificationState, _ core: NotifierService
    ) throws {
        var record = NotificationRecord(identifier: identifier)
        record.state = state
        try core.service.transact(trace: nil) { _ in
            try core.table.replace(StoredNotification(record: record, trace: ""))
        }
        core.service.endTurn()
    }

    @Test func aPendingNotificationIsReported() throws {
        let core = try NotifierService(try TestDirectory().configuration())
        try core.start()
        try Self.add("n", .pending, core)
        try Self.damage("notification", core.service)
        #expect(!Self.isReported(core.service))
        core.deliverer.receive(.daemonVanished)
        core.deliverer.flush()
        #expect(Self.isReported(core.service))
        core.service.close()
    }

    /// Otherwise no member could be removed.
    @Test func aPendingNotificationIsNoUnwrittenReport() throws {
        let core = try NotifierService(try TestDirectory().configuration())
        try core.start()
        try Self.add("n", .pending, core)
        try Self.damage("notification", core.service)
        #expect(try core.table.unwritten().isEmpty)
        core.service.close()
    }

    @Test func anOutgoingReportIsReported() throws {
        let core = try NotifierService(try TestDirectory().configuration())
        try core.start()
        try core.service.transact(trace: nil) {
            try $0.database.run("INSERT INTO channel (kind, body) VALUES ('email', CAST('{' AS BLOB))")
        }
        core.service.endTurn()
        #expect(!Self.isReported(core.service))
        core.outbox.poll()
        #expect(Self.isReported(core.service))
        core.service.close()
    }

    @Test func aScheduledNotificationIsReportedWhenItIsDue() throws {
        let core = try NotifierService(try TestDirectory().configuration())
        try core.start()
        try core.service.transact(trace: nil) {
            try $0.database.run(
                """
                INSERT INTO scheduled (client, identifier, member, due_ms, body, trace)
                    VALUES ('', 'n', 'uid-0', 1, CAST('{' AS BLOB), '')
                """)
        }
        core.service.endTurn()
        #expect(!Self.isReported(core.service))
        core.scheduler.poll()
        #expect(Self.isReported(core.service))
        core.service.close()
    }

    /// Otherwise the first post beyond the bound would be refused, and every later one.
    @Test func theOldestNotificationsMakeRoom() throws {
        let core = try NotifierService(try TestDirectory().configuration())
        try core.start()
        for identifier in ["a", "b"] { try Self.add(identifier, .delivered, core) }
        try Self.damage("notification", core.service)
        try Self.add("c", .delivered, core)
        try core.service.transact(trace: nil) { _ in try core.table.trim(keeping: 1) }
        core.service.endTurn()
        #expect(try core.table.page(after: 0, limit: 10).map(\.record.identifier) == ["c"])
        core.service.close()
    }

    // MARK: questions

    @Test func aRequestThatWaitsIsReportedAtItsDeadline() async throws {
        let core = try AuthService(try TestDirectory().configuration())
        try core.start()
        try core.service.transact(trace: nil) {
            let asker = Asker(
                caller: "0 app", key: "k", params: [], authorization: "a",
                traceparent: TraceContext.root().traceparent, deadline: 1)
            try core.askers.insert(asker)
            try $0.database.run("UPDATE asker SET answer = CAST('{' AS BLOB)")
        }
        core.service.endTurn()
        #expect(!Self.isReported(core.service))
        core.armDeadline()
        try await untilTurn("it is reported") { Self.isReported(core.service) }
        core.service.close()
    }
}
