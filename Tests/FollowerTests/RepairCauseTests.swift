import Bus
import Contract
import Loop
import ScreenTimeTesting
import Store
import Testing
import Units

@testable import AuthCore
@testable import ServiceKit
@testable import ShieldCore

/// `screentime repair` at a bad moment: what ended unread ends, and what nobody ended stays.
@Suite(.serialized) @LoopActor struct RepairCauseTests {
    fileprivate static let app = "org.example.app"

    /// auth-service with an approved app, and shield-service with a store of that app.
    @LoopActor final class Home {
        let directory: TestDirectory
        private(set) var auth: AuthService
        private(set) var shield: ShieldService
        private let clients: [RequestClient]

        init() async throws {
            directory = try TestDirectory()
            let configuration = try directory.configuration()
            auth = try AuthService(configuration)
            shield = try ShieldService(configuration)
            clients = try [ServiceName.auth, .shield].map {
                try RequestClient(to: $0, in: configuration.runtime, tracer: Tracer(service: "test"))
            }
            try auth.start()
            try shield.start()
            try await approve()
            try await follow()
            try await RepairCauseTests.write(clients[1])
            let made = auth.service.clock.now
            await untilLater(than: made) { auth.service.clock.now }
        }

        private func approve() async throws {
            clients[0].send(
                AuthorizationRequest.self, AuthorizationRequest.Params(client: RepairCauseTests.app),
                options: CallOptions(deadline: 60_000, client: RepairCauseTests.app)
            ) { _ in }
            var asked: Authorization?
            try await untilTurn("it asks") { [self] in
                asked = try auth.authorizations.all(client: RepairCauseTests.app).first
                return asked != nil && !auth.service.hasUncommitted
            }
            _ = try await clients[0].call(
                AuthorizationDecide.self,
                AuthorizationDecide.Params(id: try #require(asked?.id), decision: .approve))
        }

        func revoke() async throws {
            let params = AuthorizationRevoke.Params(client: RepairCauseTests.app)
            _ = try await clients[0].call(AuthorizationRevoke.self, params)
        }

        func follow() async throws {
            try await untilTurn("shield-service has read all") { [self] in
                shield.service.followers[.auth]?.reached == auth.service.head
                    && !shield.service.hasUncommitted
            }
        }

        func stores() throws -> Int64 { try shield.service.database.integer("SELECT count(*) FROM store") }

        func stopShield() { shield.service.close() }
        func startShield() throws {
            shield = try ShieldService(try directory.configuration())
            try shield.start()
        }
        func stopAuth() { auth.service.close() }
        func startAuth(_ change: (AuthService) throws -> Void = { _ in }) throws {
            auth = try AuthService(try directory.configuration())
            try change(auth)
            try auth.start()
        }

        func close() {
            clients.forEach { $0.close() }
            stopShield()
            stopAuth()
        }
    }

    fileprivate static func write(_ client: RequestClient) async throws {
        _ = try await client.call(
            SettingsWrite.self,
            SettingsWrite.Params(
                store: "default",
                settings: [Setting(key: "shield.applications", value: .array([.string("chess")]))]),
            options: CallOptions(client: app))
    }

    /// The head of auth-service's log is not known yet, so nothing seems to be unread.
    @Test(arguments: [false, true]) func itLosesNoRevocation(repairs: Bool) async throws {
        let home = try await Home()
        home.stopShield()
        try await home.revoke()
        home.stopAuth()
        try home.startShield()
        if repairs {
            _ = try home.shield.service.followers[.auth]?.rebuildCopy("a person asked")
            try await home.shield.service.committed()
        }
        try home.startAuth()
        try await home.follow()
        #expect(try home.stores() == 0, "it was revoked")
        home.close()
    }

    /// A repair that could not be stored; later the log is trimmed beyond what was read.
    @Test(arguments: [false, true]) func oneThatIsRefusedChangesNothing(repairs: Bool) async throws {
        let home = try await Home()
        let database = home.shield.service.database
        if repairs {
            try database.run(
                "CREATE TEMP TRIGGER refusal BEFORE INSERT ON cursor BEGIN SELECT RAISE(ABORT, 'no'); END")
            #expect(throws: ServiceError.self) {
                try home.shield.service.followers[.auth]?.rebuildCopy("a person asked")
            }
            try database.run("DROP TRIGGER temp.refusal")
        }
        home.stopAuth()
        try home.startAuth { auth in
            try auth.service.transact(trace: nil) { transaction in
                let known = try #require(
                    try auth.authorizations.find(client: Self.app, member: Household.defaultMember))
                try auth.withdraw(known, status: .notDetermined, transaction)
                for number in 0..<3 {
                    try transaction.emit(MemberChanged(member: Member(id: "o\(number)", name: "o\(number)")))
                }
            }
            auth.service.endTurn()
            try auth.service.database.write { _ in _ = try auth.service.eventLog.trim(keepingLast: 1) }
            auth.service.endTurn()
        }
        try await home.follow()
        #expect(try home.stores() == 0, "it was revoked")
        home.close()
    }

    /// The repair comes while auth-service is away, so its snapshot is read before the logs are compared.
    @Test(arguments: [false, true]) func itHidesNoRestore(isRestored: Bool) async throws {
        let keeper = try CopyKeeper()
        for number in 0..<3 { try keeper.auth.put("m\(number)", "name \(number)") }
        try await keeper.becomesInStep()
        try keeper.auth.copy()
        for number in 0..<3 { try keeper.auth.put("late\(number)", "late") }
        try await keeper.becomesInStep()
        keeper.auth.stop()
        try keeper.repair(.auth)
        try await keeper.service.committed()
        if isRestored { try keeper.auth.restore(1) } else { try keeper.auth.start() }
        try keeper.auth.put("last", "last")
        try await keeper.becomesInStep()
        #expect((keeper.service.healthReport().dataLost?.count ?? 0) == (isRestored ? 1 : 0))
        keeper.close()
    }

    /// auth-service was restored without the approval, and the person repairs between two pages.
    @Test(arguments: [false, true]) func afterARestoreItDeletesNothing(repairs: Bool) async throws {
        let keeper = try CopyKeeper()
        for number in 0..<7 { try keeper.auth.put("m\(number)", "name \(number)") }
        try await keeper.becomesInStep()
        try keeper.auth.copy()
        try await keeper.becomesInStep()
        keeper.auth.present = [
            Authorization(
                id: "a", client: Self.app, member: Household.defaultMember, status: .approved, access: true,
                restrictions: true)
        ]
        let client = try RequestClient(
            to: .shield, in: try keeper.directory.configuration().runtime, tracer: Tracer(service: "test"))
        try await Self.write(client)
        for number in 0..<3 { try keeper.auth.put("late\(number)", "late") }
        try await keeper.becomesInStep()
        keeper.auth.present = []
        var isDue = repairs
        keeper.auth.willMakePage = { page in
            guard isDue, page != nil else { return }
            isDue = false
            try keeper.repair(.auth)
        }
        try keeper.auth.restore(1)
        try await keeper.becomesInStep()
        #expect(!isDue)
        #expect(
            try keeper.service.database.integer("SELECT count(*) FROM store") == 1, "nobody revoked it")
        client.close()
        keeper.close()
    }
}
