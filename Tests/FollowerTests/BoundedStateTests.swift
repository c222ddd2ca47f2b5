import Bus
import Contract
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

/// State that clients can enlarge is limited in bytes, the error names the limit, and the present state
/// always fits into answers of legal size.
@Suite(.serialized) @LoopActor struct BoundedStateTests {
    /// Asks in text, so that nothing here knows more than a hostile peer.
    private func ask(
        _ directory: TestDirectory, _ service: ServiceName, _ method: String, _ params: String,
        client name: String? = nil, isWrite: Bool = true
    ) async throws -> RawJSON {
        let client = try RequestClient(
            to: service, in: try directory.configuration().runtime, tracer: Tracer(service: "test"))
        defer { client.close() }
        let options = CallOptions(deadline: 60_000, client: name)
        let result: Result<RawJSON, ServiceError> = await withCheckedContinuation { continuation in
            client.sendRaw(
                method: method, params: Array(params.utf8), isWrite: isWrite,
                traceparent: TraceContext.root().traceparent, options: options
            ) { continuation.resume(returning: $0) }
        }
        return try result.get()
    }

    /// Asks until it is refused.
    private func firstRefusal(
        of count: Int, _ ask: (Int) async throws -> Void
    ) async throws -> (accepted: Int, error: ServiceError)? {
        for number in 0..<count {
            do { try await ask(number) } catch let error as ServiceError { return (number, error) }
        }
        return nil
    }

    private func words(_ count: Int) -> String { String(repeating: "w", count: count) }

    // MARK: shield-service

    private func writeStore(_ directory: TestDirectory, _ name: String, bytes: Int) async throws {
        let settings = "[{\"key\":\"my.words\",\"value\":\"\(words(bytes))\"}]"
        _ = try await ask(
            directory, .shield, "settings.write", "{\"store\":\"\(name)\",\"settings\":\(settings)}")
    }

    @Test func theStoresOfAClientAreBoundedInBytes() async throws {
        let directory = try TestDirectory()
        let shield = try ShieldService(try directory.configuration())
        try shield.start()
        defer { shield.service.close() }
        let refusal = try await firstRefusal(of: 40) { number in
            try await writeStore(directory, "store-\(number)", bytes: 500_000)
        }
        #expect(refusal?.error.name == .limitExceeded)
        #expect(refusal?.error.message.contains("storeBytesPerClientMax") == true)
        #expect(refusal?.accepted == (8 << 20) / 500_200)
        // What makes them smaller has room, and makes room.
        try await writeStore(directory, "store-0", bytes: 10)
        try await writeStore(directory, "one-more", bytes: 400_000)
    }

    @Test func whatAnOlderVersionStoredIsReadAndMayBecomeSmaller() async throws {
        let directory = try TestDirectory()
        var shield = try ShieldService(try directory.configuration())
        try shield.start()
        let own = BuiltInClient.limits
        try shield.service.transact(trace: nil) { transaction in
            for number in 0..<20 {
                let settings = [Setting(key: "my.words", value: .string(words(500_000)))]
                let store = SettingsStore(
                    client: own, member: shield.service.member(nil), store: "old-\(number)", created: 1,
                    active: true, settings: settings)
                try shield.repository.commit(
                    [StoredStore(store).key: StoredStore(store)], now: 1, transaction)
            }
        }
        shield.service.close()
        shield = try ShieldService(try directory.configuration())
        try shield.start()
        defer { shield.service.close() }
        let read = try await ask(
            directory, .shield, "settings.read", "{\"store\":\"old-7\"}", isWrite: false)
        #expect(read.bytes.count > 500_000)
        try await writeStore(directory, "old-7", bytes: 400_000)
        await #expect(throws: ServiceError.self) {
            try await writeStore(directory, "new", bytes: 400_000)
        }
    }

    @Test func freezesAreBoundedTogether() async throws {
        let directory = try TestDirectory()
        let shield = try ShieldService(try directory.configuration())
        try shield.start()
        defer { shield.service.close() }
        let processes = (2..<4_000).map { "{\"pid\":\($0),\"start_time\":1234567}" }.joined(separator: ",")
        let refusal = try await firstRefusal(of: 40) { number in
            _ = try await ask(
                directory, .shield, "shield.freeze",
                "{\"agent\":\"a\",\"app\":\"app-\(number)\",\"processes\":[\(processes)]}")
        }
        #expect(refusal?.error.message.contains("freezeBytesMax") == true)
        let all = try await ask(directory, .shield, "shield.frozen", "{}", isWrite: false)
        #expect(all.bytes.count < 1 << 20)
    }

    /// A name of one character that has a million bytes.
    @Test func aRefusalIsToldWithAShortName() async throws {
        let directory = try TestDirectory()
        let shield = try ShieldService(try directory.configuration())
        try shield.start()
        defer { shield.service.close() }
        let name = "a" + String(repeating: "\u{301}", count: 450_000)
        await #expect(throws: ServiceError.self) {
            try await ask(directory, .shield, "settings.write", "{\"store\":\"\(name)\",\"settings\":[]}")
        }
        try await eventually("the refusal is told") { shield.service.head > 0 }
        let event = try #require(try shield.service.eventLog.read(after: 0, limit: 10).last)
        #expect(event.type == SettingsRejected.type)
        #expect(event.body.count < 8_192)
    }

    // MARK: auth-service

    @Test func theSelectionsOfAnAppAreBoundedInBytes() async throws {
        let directory = try TestDirectory()
        let auth = try AuthService(try directory.configuration())
        try auth.start()
        defer { auth.service.close() }
        let names = (0..<900).map { "\"app.\($0).\(words(200))\"" }.joined(separator: ",")
        let refusal = try await firstRefusal(of: 10) { number in
            _ = try await ask(
                directory, .auth, "selection.set",
                "{\"name\":\"s\(number)\",\"client\":\"org.test.app\","
                    + "\"applications\":[\(names)],\"categories\":[],"
                    + "\"web_domains\":[]}")
        }
        #expect(refusal?.accepted == 2)
        #expect(refusal?.error.message.contains("selectionBytesPerClientMax") == true)
        let list = try await ask(
            directory, .auth, "selection.list", "{\"client\":\"org.test.app\"}", isWrite: false)
        #expect(list.bytes.count > 300_000)
    }

    // MARK: activity-center

    /// Names count by a weight, so each definition of a thousand events is as heavy as this one.
    @Test func aMillionThresholdsOfThePersonFit() throws {
        let day = DateComponents(hour: 0, minute: 0)
        let events = (0..<1_000).map { number in
            EventDefinition(
                name: "event \(number)", applications: ["org.example.app"],
                threshold: DateComponents(minute: 1_441), includesPastActivity: true)
        }
        let definition = ActivityDefinition(
            name: "activity", schedule: Schedule(intervalStart: day, intervalEnd: day, repeats: true),
            events: events)
        #expect(Int64(definition.weight) * 1_000 <= ActivityLimits.bytesMax)
    }

    @Test func theActivitiesOfAnAppAreBoundedInBytes() async throws {
        let directory = try TestDirectory()
        let activity = try ActivityCenter(try directory.configuration())
        try activity.start()
        defer { activity.service.close() }
        let member = activity.service.member(nil)
        // As an app that the person approved.
        try activity.service.transact(trace: nil) { transaction in
            let approved = Authorization(
                id: "1", client: "org.test.app", member: member, status: .approved, access: true)
            try activity.service.household.note(approved, transaction)
        }
        let apps = (0..<400).map { "\"app.\($0).\(words(300))\"" }.joined(separator: ",")
        let events = (0..<6).map {
            "{\"name\":\"e\($0)\",\"applications\":[\(apps)],\"threshold\":{\"minute\":5}}"
        }.joined(separator: ",")
        let schedule =
            "{\"intervalStart\":{\"hour\":0,\"minute\":0},\"intervalEnd\":{\"hour\":23,\"minute\":59},"
            + "\"repeats\":true}"
        let refusal = try await firstRefusal(of: 40) { number in
            _ = try await ask(
                directory, .activity, "monitoring.start",
                "{\"activities\":[{\"name\":\"a\(number)\",\"schedule\":\(schedule),"
                    + "\"events\":[\(events)]}]}",
                client: "org.test.app")
        }
        #expect(refusal?.error.name == .limitExceeded)
        #expect(refusal?.error.message.contains("bytesPerClientMax") == true)
        #expect((refusal?.accepted ?? 0) > 15)
        // Stopping makes room.
        _ = try await ask(
            directory, .activity, "monitoring.stop", "{\"names\":[\"a0\"]}", client: "org.test.app")
        _ = try await ask(
            directory, .activity, "monitoring.start",
            "{\"activities\":[{\"name\":\"b\",\"schedule\":\(schedule),\"events\":[\(events)]}]}",
            client: "org.test.app")
    }
}
