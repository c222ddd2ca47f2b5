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

/// Whoever meets a row that cannot be read, also where only a timer reads, is stopped by it once: it is set
/// aside (``UnreadableRowTests``).
@Suite(.serialized) @LoopActor struct DamagedRowTests {
    private static let app = "org.example.c"
    private static let program = ExtensionRecord(
        id: "org.example.monitor", client: app, point: .monitor, path: "/nowhere",
        executable: "/nowhere/program")

    private static func isReported(_ service: Service) -> Bool { UnreadableRowTests.isReported(service) }

    /// Goes on once rows of a table are set aside.
    private static func untilSetAside(_ tables: [String], _ service: Service) async throws {
        #expect(!isReported(service))
        try await untilTurn("\(tables) is set aside") { isReported(service) }
        #expect(try UnreadableRowTests.setAside(service) == tables)
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
    @Test func aMissingCallbackStopsNoOther() async throws {
        let (core, second) = try Self.monitor(try TestDirectory())
        core.place(Self.program)
        let database = core.service.database
        func deliver() throws {
            try core.service.transact(trace: nil) { _ in
                var next = try #require(try core.table.next(of: Self.program.id))
                next.delivery.state = .delivered
                try core.table.noteDelivered(next.delivery)
            }
        }
        try core.service.transact(trace: nil) { _ in
            try database.run("UPDATE delivery SET state = 'failed', is_missing = 1 WHERE id <> ?1", second)
        }
        #expect(throws: ServiceError.self) { try deliver() }
        try await Self.untilSetAside(["delivery"], core.service)
        try deliver()
        let revoked = Authorization(client: Self.app, member: "uid-0", status: .denied, decided: 1)
        try core.service.transact(trace: nil) {
            try core.apply(AuthorizationChanged(authorization: revoked, revoked: true), $0)
        }
        core.service.endTurn()
        #expect(try database.integer("SELECT is_revoked FROM delivery WHERE id = \(second)") == 1)
        core.service.close()
    }

    @Test func anExtensionCanBeRemovedTheSecondTime() async throws {
        let (core, second) = try Self.monitor(try TestDirectory())
        core.place(Self.program)
        func remove() throws {
            try core.service.transact(trace: nil) { _ = try core.remove(Self.program.id, $0) }
        }
        #expect(throws: ServiceError.self) { try remove() }
        try await Self.untilSetAside(["delivery"], core.service)
        try remove()
        core.service.endTurn()
        let finished = try core.table.finished(after: 0, limit: 10)
        #expect(finished.map(\.id) == [second] && finished.map(\.state) == [.failed])
        #expect(try core.service.database.integer("SELECT count(*) FROM delivery") == 1)
        core.service.close()
    }

    @Test func theDeliveryBehindItIsNext() async throws {
        let (core, second) = try Self.monitor(try TestDirectory())
        core.place(Self.program)
        core.dispatchers[Self.program.id]?.pump()
        try await Self.untilSetAside(["delivery"], core.service)
        #expect(try core.table.next(of: Self.program.id)?.delivery.id == second)
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

    @Test func aPendingNotificationIsSetAside() async throws {
        let core = try NotifierService(try TestDirectory().configuration())
        try core.start()
        try Self.add("n", .pending, core)
        try Self.damage("notification", core.service)
        core.deliverer.receive(.daemonVanished)
        core.deliverer.flush()
        try await Self.untilSetAside(["notification"], core.service)
        core.service.close()
    }

    @Test func aMemberCanBeRemoved() async throws {
        let configuration = try TestDirectory().configuration()
        let auth = try AuthService(configuration)
        try auth.start()
        let core = try NotifierService(configuration)
        try core.start()
        try Self.add("n", .pending, core)
        try Self.damage("notification", core.service)
        try auth.service.transact(trace: nil) {
            try $0.emit(MemberChanged(member: Member(id: "child", role: .child), removed: true))
            try $0.emit(MemberChanged(member: Member(id: "later", role: .child)))
        }
        auth.service.endTurn()
        try await Self.untilSetAside(["notification"], core.service)
        try await untilTurn("the removal is applied") { core.service.household.member("later") != nil }
        core.service.close()
        auth.service.close()
    }

    @Test func anOutgoingReportIsSetAside() async throws {
        let core = try NotifierService(try TestDirectory().configuration())
        try core.start()
        try core.service.transact(trace: nil) {
            try $0.database.run("INSERT INTO channel (kind, body) VALUES ('email', CAST('{' AS BLOB))")
        }
        core.service.endTurn()
        core.outbox.poll()
        try await Self.untilSetAside(["channel"], core.service)
        core.service.close()
    }

    @Test func aScheduledNotificationIsSetAsideWhenItIsDue() async throws {
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
        core.scheduler.poll()
        try await Self.untilSetAside(["scheduled"], core.service)
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
        core.armDeadline()
        try await untilTurn("it is reported") {
            core.service.healthReport().notActing?.contains { $0.contains("is damaged") } == true
        }
        core.service.close()
    }
}
