import Bus
import Contract
import Foundation
import Loop
import Store
import ScreenTimeTesting
import Testing

@testable import ActivityCore
@testable import AuthCore
@testable import ServiceKit
@testable import ShieldCore

/// `status` reports what is not applied: events deleted before they were read, owners that do not return
/// their events, rows that cannot be read.
@Suite(.serialized) @LoopActor struct MissedEventsTests {
    /// Services that act on events continue where the log begins, and report what they missed.
    @Test func deletedEventsAreNamedByWhatActs() async throws {
        let pair = try LogPair()
        try pair.emit(5)
        try await pair.takes(5)
        try pair.restartFollower {
            try pair.emit(95)
            try pair.owner.database.write { _ in _ = try pair.owner.eventLog.trim(keepingLast: 10) }
            try pair.owner.endTurn()
        }
        try await pair.takes(100)
        #expect(try pair.taken() == Array(1...5) + Array(91...100))
        let report = try pair.follower.healthReport()
        #expect(report.degradedBy.contains { $0.contains("events 6 to 90 of shield-service") })
        #expect(report.notActing == nil, "it acts upon all that comes")
        try pair.restartFollower()
        try pair.emit(1)
        try await pair.takes(101)
        #expect(try pair.follower.healthReport().degradedBy.isEmpty, "it is said once")
        pair.close()
    }

    /// Copies are rebuilt and deliveries continue, and both report that their owner lost data.
    @Test func whatARestoredOwnerLostIsSaidByItsFollowers() async throws {
        let keeper = try CopyKeeper()
        try keeper.auth.put("early", "early")
        try keeper.activity.publish(1)
        try await keeper.becomesInStep()
        try keeper.auth.copy()
        try keeper.activity.copy()
        try keeper.auth.restart()
        try await keeper.becomesInStep()
        #expect(keeper.service.healthReport().degradedBy.isEmpty, "a restart loses nothing")
        try keeper.auth.put("late", "late")
        try keeper.activity.publish(2)
        try await keeper.becomesInStep()
        try keeper.auth.restore(1) { try $0.put("other", "other") }
        try keeper.activity.restore(1) { try $0.publish(3) }
        try await keeper.becomesInStep()
        for (follower, owner) in [
            (keeper.service, ServiceName.auth), (keeper.deliverer, ServiceName.activity),
        ] {
            let report = follower.healthReport()
            let sentence = "\(owner.rawValue) lost its data after event 1"
            #expect(report.degradedBy.contains { $0.contains(sentence) }, "\(report.degradedBy)")
            #expect(report.notActing == nil)
        }
        try keeper.restart()
        #expect(keeper.service.healthReport().degradedBy.isEmpty, "it is said until the next start")
        keeper.close()
    }

    /// The sidecar has two states; each may be damaged, at rest and while it is used.
    @Test(arguments: [0, 1]) func aDamagedProofOfTheStoreIsSaid(slot: Int) async throws {
        let directory = try TestDirectory()
        let path = "\(directory.path)/state/auth-service/auth-service.sqlite3-state"
        func damage() throws {
            let file = try #require(FileHandle(forUpdatingAtPath: path))
            try file.seek(toOffset: UInt64(slot * 4096 + 20))
            let byte = try #require(try file.read(upToCount: 1)?.first)
            try file.seek(toOffset: UInt64(slot * 4096 + 20))
            try file.write(contentsOf: [byte ^ 1])
            try file.close()
        }
        try AuthService(try directory.configuration()).service.close()
        try damage()
        let core = try AuthService(try directory.configuration())
        try core.start()
        let report = core.service.healthReport()
        #expect(report.degradedBy.contains { $0.contains(path) }, "\(report.degradedBy)")
        #expect(try await core.service.checkStore().findings == [], "the starts were committed since")
        for (round, isRemoved) in [false, true].enumerated() {
            if isRemoved { try FileManager.default.removeItem(atPath: path) } else { try damage() }
            let found = try await core.service.checkStore().findings
            #expect(found.contains { $0.contains(path) }, "\(found)")
            for name in ["a\(round)", "b\(round)"] {
                try core.service.transact(trace: nil) { _ in
                    try core.members.insert(Member(id: name, name: name))
                }
                try await core.service.committed()
                try core.service.database.syncRecord()
            }
            #expect(try await core.service.checkStore().findings == [])
        }
        core.service.close()
        let again = try AuthService(try directory.configuration())
        #expect(again.service.healthReport().degradedBy.isEmpty)
        again.service.close()
    }

    /// An owner that answers with errors holds its follower up, and not only itself.
    @Test func anOwnerThatDoesNotGiveItsLogIsNamed() async throws {
        let pair = try LogPair()
        try pair.emit(5)
        try await pair.takes(5)
        try pair.restartFollower {
            try pair.emit(5)
            try pair.owner.endTurn()
            try Self.rename("event", "hidden", pair.owner)
        }
        try await Self.comes(pair, "the follower does not act") { !$0.isEmpty }
        let sentence = try pair.follower.healthReport().notActing?.first ?? ""
        #expect(sentence.contains("shield-service does not return its events after 5"), "\(sentence)")
        try Self.rename("hidden", "event", pair.owner)
        try await pair.takes(10)
        try await Self.comes(pair, "it acts again") { $0.isEmpty }
        #expect(try pair.taken() == Array(1...10))
        pair.close()
    }

    private static func rename(_ name: String, _ other: String, _ service: Service) throws {
        try service.database.write { try $0.run("ALTER TABLE \(name) RENAME TO \(other)") }
        try service.database.commit()
    }

    private static func comes(
        _ pair: LogPair, _ what: String, _ condition: @escaping @LoopActor ([String]) -> Bool
    ) async throws {
        let expectation = Expectation<Void>(what)
        let token = EventLoop.main.atEndOfTurn {
            do {
                if condition(try pair.follower.healthReport().notActing ?? []) { expectation.fulfil(()) }
            } catch { expectation.fail(error) }
        }
        defer { EventLoop.main.forget(token) }
        try await expectation.wait(deadline: 20_000)
    }

    /// A reader of a damaged row gets the error, and `status` reports it.
    @Test func aDamagedRowIsSaidByItsOwner() async throws {
        let directory = try TestDirectory()
        let core = try AuthService(try directory.configuration())
        try core.start()
        try core.service.transact(trace: nil) { try $0.database.run("UPDATE member SET role = 'nonsense'") }
        try await core.service.committed()
        let client = try RequestClient(
            to: .auth, in: try directory.configuration().runtime, tracer: Tracer(service: "test"))
        let error = await #expect(throws: ServiceError.self) {
            try await client.call(MemberList.self, Nothing())
        }
        #expect(error?.name == .storageDamaged)
        let report = core.service.healthReport()
        #expect(report.notActing?.contains { $0.contains("is damaged") } == true, "\(report.degradedBy)")
        client.close()
        core.service.close()
    }

    /// So is a stored record, which is found when the service starts.
    @Test func aDamagedRecordIsNoBug() async throws {
        let directory = try TestDirectory()
        let core = try ShieldService(try directory.configuration())
        try core.start()
        try core.service.transact(trace: nil) {
            try $0.database.run(
                "INSERT INTO freeze (agent, app, body) "
                    + "VALUES ('here/:1', 'chess', CAST('{\"agent\":3}' AS BLOB))")
        }
        core.service.endTurn()
        core.service.close()
        let error = #expect(throws: (any Error).self) { try ShieldService(try directory.configuration()) }
        let named = ServiceError(anything: try #require(error))
        #expect(named.name == .storageDamaged && named.message.contains("freeze"), "\(named)")
    }

    /// Also one that is read only to forget something, and the one that the clock is judged by.
    @Test func damagedRecordsOfActivityCenterAreNoBugs() async throws {
        let center = try ToldOnceTests.Center()
        let service = center.core.service
        let client = try center.client()
        let daily = ToldOnceTests.daily(9, 10)
        _ = try await client.call(MonitoringStart.self, MonitoringStart.Params(activities: [daily]))
        try service.transact(trace: nil) {
            try $0.database.run("UPDATE activity SET definition = CAST('{\"events\":3}' AS BLOB)")
            try Settings($0.database).set("trusted_time", "{\"told\":[]}")
        }
        try await service.committed()
        let asked = await #expect(throws: ServiceError.self) {
            try await client.call(PrivacyForget.self, PrivacyForget.Params(kind: .app, subject: "chess"))
        }
        #expect(asked?.name == .storageDamaged && asked?.message.contains("activity") == true)
        #expect(service.healthReport().notActing?.contains { $0.contains("is damaged") } == true)
        client.close()
        center.close()
        let started = #expect(throws: ServiceError.self) { try ActivityCenter(center.configuration) }
        #expect(started?.name == .storageDamaged && started?.message.contains("setting") == true)
    }

    /// Only timers read it: no limit acts, which nobody would be told.
    @Test func aDamagedActivityIsReportedWithoutAnyRequest() async throws {
        let center = try ToldOnceTests.Center()
        let client = try center.client()
        let daily = ToldOnceTests.daily(9, 10)
        _ = try await client.call(MonitoringStart.self, MonitoringStart.Params(activities: [daily]))
        client.close()
        try center.core.service.transact(trace: nil) {
            try $0.database.run("UPDATE activity SET definition = CAST('{\"events\":3}' AS BLOB)")
        }
        try await center.core.service.committed()
        try center.restart()
        let report = center.core.service.healthReport()
        #expect(report.notActing?.contains { $0.contains("is damaged") } == true, "\(report)")
        center.close()
    }

    /// Members are added and removed between the pages of a snapshot: those present all the time appear once.
    @Test(arguments: [UInt64.random(in: 0 ... .max), 1, 2])
    func thePagesOfTheHouseholdTellEveryRowOnce(seed: UInt64) throws {
        print("seed \(seed)")
        var chance = Chance(seed: seed)
        let core = try AuthService(try TestDirectory().configuration())
        func add(_ number: Int) throws {
            try core.members.insert(Member(id: "m\(number)", name: "m\(number)", role: .child))
            try core.authorizations.save(
                Authorization(
                    id: "a\(number)", client: "org.example.c", member: "m\(number)", status: .approved))
        }
        func remove(_ number: Int) throws {
            try core.authorizations.delete(id: "a\(number)")
            try core.members.delete(id: "m\(number)")
        }
        var present = Set((0..<700).filter { _ in chance.next() % 2 == 0 })
        try core.service.transact(trace: nil) { _ in for number in present { try add(number) } }
        var always = present
        var told: [String] = []
        var page: String?
        repeat {
            let answer = try core.snapshot(page)
            for bytes in answer.events {
                let event = try AnyEvent.decode(bytes)
                guard event.head.type == MemberChanged.type, let data = event.data else { continue }
                told.append(try MemberChanged.decode(data.bytes).member.id)
            }
            page = answer.nextPage
            try core.service.transact(trace: nil) { _ in
                for number in (0..<700) where chance.next() % 8 == 0 {
                    if present.remove(number) != nil {
                        try remove(number)
                        always.remove(number)
                    } else {
                        try add(number)
                        present.insert(number)
                    }
                }
            }
        } while page != nil
        #expect(Set(told).count == told.count, "told twice")
        #expect(always.allSatisfy { Set(told).contains("m\($0)") }, "not told")
        core.service.close()
    }
}
