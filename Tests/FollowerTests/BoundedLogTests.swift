import Units
import Bus
import Contract
import Rules
import JSON
import Loop
import Store
import ScreenTimeTesting
import Testing

@testable import ActivityCore
@testable import AuthCore
@testable import MonitorCore
@testable import NotifierCore
@testable import ServiceKit
@testable import ShieldCore

/// Logs are limited in bytes, and everything that is published fits into an answer: each event, and each page
/// of a snapshot.
@Suite(.serialized) @LoopActor struct BoundedLogTests {
    private func words(_ count: Int) -> String { String(repeating: "w", count: count) }

    private func client(_ service: ServiceName, _ directory: TestDirectory) throws -> RequestClient {
        try RequestClient(
            to: service, in: try directory.configuration().runtime, tracer: Tracer(service: "test"))
    }

    /// All events of the snapshot, page by page.
    private func snapshot(_ service: ServiceName, _ directory: TestDirectory) async throws -> [AnyEvent] {
        let client = try client(service, directory)
        defer { client.close() }
        var events: [AnyEvent] = []
        var page: String?
        var pages = 0
        repeat {
            let answer = try await client.call(
                EventsSnapshot.self, EventsSnapshot.Params(page: page),
                options: CallOptions(deadline: 60_000))
            events += try answer.events.map { try AnyEvent.decode($0.bytes) }
            page = answer.nextPage
            pages += 1
            try #require(pages < 1_000)
        } while page != nil
        return events
    }

    @Test func anEventThatNoAnswerCarriesIsRefusedWithWhatMadeIt() async throws {
        let directory = try TestDirectory()
        let owner = try Service(.shield, configuration: try directory.configuration(), migrations: [])
        owner.snapshot = { _ in SnapshotPage(events: [], nextPage: nil) }
        try owner.start(answering: { _ in }, following: { _ in })
        defer { owner.close() }
        let error = #expect(throws: ServiceError.self) {
            try owner.transact(trace: nil) {
                _ = try $0.emit(SettingsRejected(client: "a", store: "small", reason: "x"))
                try $0.emit(SettingsRejected(client: "a", store: "large", reason: words(800_000)))
            }
        }
        #expect(error?.name == .limitExceeded)
        #expect(error?.message.contains("eventBytesPerAnswerMax") == true)
        try owner.transact(trace: nil) {
            _ = try $0.emit(SettingsRejected(client: "a", store: "after", reason: words(700_000)))
        }
        try await owner.committed()
        #expect(owner.head == 1)
        let client = try client(.shield, directory)
        defer { client.close() }
        let page = try await client.call(EventsRead.self, EventsRead.Params(after: 0))
        #expect(page.events.count == 1)
    }

    @Test func theLogIsBoundedInBytes() async throws {
        let directory = try TestDirectory()
        var configuration = try directory.configuration()
        configuration.logBytesKept = 2 << 20
        let owner = try Service(.shield, configuration: configuration, migrations: [])
        owner.snapshot = { _ in SnapshotPage(events: [], nextPage: nil) }
        try owner.start(answering: { _ in }, following: { _ in })
        defer { owner.close() }
        for number in 0..<40 {
            try owner.transact(trace: nil) {
                _ = try $0.emit(SettingsRejected(client: "a", store: "s\(number)", reason: words(200_000)))
            }
            try await owner.committed()
        }
        let kept = try owner.eventLog.read(after: try owner.eventLog.first() - 1, limit: 100)
        #expect(owner.head == 40 && kept.last?.sequence == 40)
        #expect(kept.count >= 10 && kept.reduce(0) { $0 + $1.body.count } < 3 << 20)
        #expect(try owner.eventLog.first() > 20)
    }

    // MARK: the present state

    @Test func selectionsAreToldInPagesThatFit() async throws {
        let directory = try TestDirectory()
        let auth = try AuthService(try directory.configuration())
        try auth.start()
        defer { auth.service.close() }
        try auth.service.transact(trace: nil) { _ in
            for number in 0..<12 {
                let names = (0..<900).map { "app.\($0).\(words(400))" }
                try auth.selections.save(
                    Selection(
                        name: "s", client: "org.test.app\(number)", member: "m", applications: names,
                        categories: [], webDomains: [], includeEntireCategory: false, changed: 1))
            }
        }
        try await auth.service.committed()
        let events = try await snapshot(.auth, directory)
        #expect(events.count { $0.head.type == SelectionChanged.type } == 12)
    }

    @Test func notificationsAreToldInPagesThatFit() async throws {
        let directory = try TestDirectory()
        let notifier = try NotifierService(try directory.configuration())
        try notifier.start()
        defer { notifier.service.close() }
        try notifier.service.transact(trace: nil) { _ in
            for number in 0..<60 {
                var details = NotificationDetails()
                details.userInfo = words(60_000)
                let record = NotificationRecord(
                    identifier: "n\(number)", client: nil, title: "t", body: "", actions: [],
                    urgency: .normal, state: .delivered, posted: 1, subtitle: nil, trigger: nil,
                    details: details)
                try notifier.table.replace(StoredNotification(record: record, trace: ""))
            }
        }
        try await notifier.service.committed()
        #expect(try await snapshot(.notifier, directory).count == 60)
    }

    @Test func extensionsAreToldInPagesThatFit() async throws {
        let directory = try TestDirectory()
        let monitor = try MonitorService(try directory.configuration())
        try monitor.start()
        defer { monitor.service.close() }
        let before = try await snapshot(.monitor, directory).count
        for number in 0..<400 {
            var record = ExtensionRecord(
                id: "org.test.app\(number).report", client: "org.test.app\(number)", point: .report,
                path: "/" + words(4_000), executable: "/x")
            record.name = "x"
            monitor.place(record)
        }
        #expect(try await snapshot(.monitor, directory).count == before + 400)
    }

    /// A year of one app that is used often: more than one answer has room for.
    @Test func theUseOfOneAppIsToldInPagesThatFit() async throws {
        let directory = try TestDirectory()
        let activity = try ActivityCenter(try directory.configuration())
        try activity.start()
        defer { activity.service.close() }
        let rows = 40_000
        try activity.service.transact(trace: nil) { transaction in
            let database = transaction.database
            try database.run("INSERT INTO subject (id, kind, name) VALUES (1, 1, 'org.test.app')")
            try database.run(
                "INSERT INTO stream (id, member, device, model, machine, since_checkpoint, seen_ms, stale) "
                    + "VALUES (1, 'm', 'd', 'linux', ?1, 0, 0, 0)", UsageMachine().encoded())
            for row in 0..<rows {
                let start: Instant = 1_700_000_000_000 + .minutes(Int64(row))
                try database.run(
                    "INSERT INTO use (stream, subject, start_ms, end_ms) VALUES (1, 1, ?1, ?2)", start,
                    start + .seconds(30))
            }
        }
        try await activity.service.committed()
        let events = try await snapshot(.activity, directory)
        var starts: Set<Instant> = []
        var until: Instant = 0
        for event in events {
            let use = try UsageRecorded.decode(try #require(event.data).bytes)
            #expect(use.from == until, "each replaces its own part")
            until = use.to
            starts.formUnion(use.intervals.map(\.start))
        }
        #expect(starts.count == rows)
    }
}
