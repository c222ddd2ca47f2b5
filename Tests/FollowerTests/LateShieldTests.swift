import Units
import Bus
import Contract
import JSON
import Loop
import ScreenTimeTesting
import Testing

@testable import AuthCore
@testable import ServiceKit
@testable import ShieldCore

/// Authorizations and the stores of shield-service, also when events arrive late or auth-service was restored
/// from an older copy; and the person's own limits, which need no approval.
@Suite(.serialized) @LoopActor struct LateShieldTests {
    private static let app = "org.example.app"

    private static func right(
        _ status: AuthorizationStatus, pending: Bool = false, restrictions: Bool = true,
        decided: Instant? = nil
    ) -> Authorization {
        Authorization(
            id: "abcdef", client: app, member: Household.defaultMember, status: status, pending: pending,
            access: status == .approved, restrictions: status == .approved && restrictions, requested: 1,
            decided: decided)
    }

    private static func isActive(_ core: ShieldService) -> Bool {
        core.repository.state.stores.values.contains(where: \.store.active)
    }

    private static func client(_ directory: TestDirectory) throws -> RequestClient {
        try RequestClient(
            to: .shield, in: try directory.configuration().runtime, tracer: Tracer(service: "test"))
    }

    private static func shield(
        _ subject: String, in store: String = "default", _ client: RequestClient,
        after positions: [Position] = []
    ) async throws {
        try await write("shield.applications", .array([.string(subject)]), in: store, client, positions)
    }

    private static func write(
        _ key: String, _ value: JSONValue, in store: String = "default", of app: String? = app,
        _ client: RequestClient, _ positions: [Position] = []
    ) async throws {
        _ = try await client.call(
            SettingsWrite.self,
            SettingsWrite.Params(store: store, settings: [Setting(key: key, value: value)]),
            options: CallOptions(client: app, notBefore: positions))
    }

    /// The shield events of shield-service, in order: `applied a`, `lifted a`.
    private static func told(_ client: RequestClient) async throws -> [String] {
        try await client.call(EventsRead.self, EventsRead.Params(after: 0)).events.compactMap { raw in
            let event = try AnyEvent.decode(raw.bytes)
            let data = event.data?.bytes ?? []
            switch event.head.type {
            case ShieldApplied.type: return "applied \(try ShieldApplied.decode(data).shield.subject)"
            case ShieldLifted.type: return "lifted \(try ShieldLifted.decode(data).subject)"
            default: return nil
            }
        }
    }

    @Test func whatLedToAnApprovalTakesNothingThatItAllowed() async throws {
        let directory = try TestDirectory()
        let configuration = try directory.configuration()
        let owner = try Service(.auth, configuration: configuration, migrations: [])
        owner.snapshot = { _ in SnapshotPage(events: [], nextPage: nil) }
        try owner.start(
            answering: { owner in
                owner.read(MemberList.self) { _, _ in
                    MemberList.Result(members: [Member(id: Household.defaultMember, name: "me")])
                }
                owner.read(AuthorizationList.self) { _, _ in
                    AuthorizationList.Result(authorizations: [Self.right(.approved, decided: 3)])
                }
            }, following: { _ in })
        let core = try ShieldService(configuration)
        try core.start()
        let client = try Self.client(directory)
        try await Self.shield("a", client)
        // What led to the approval comes after the write that rests on it.
        func publish(_ authorization: Authorization) throws {
            try owner.transact(trace: nil) {
                _ = try $0.emit(AuthorizationChanged(authorization: authorization))
            }
        }
        try publish(Self.right(.notDetermined, pending: true))
        try publish(Self.right(.denied))
        try publish(Self.right(.denied, pending: true))
        try publish(Self.right(.approved, decided: 3))
        try owner.transact(trace: nil) { _ = try $0.emit(MemberChanged(member: Member(id: "m", name: "m"))) }
        try await comes("the last event") { core.service.household.member("m") != nil }
        #expect(try await Self.told(client) == ["applied a"])
        // The switch of restrictions, and the end of the approval, still do.
        try publish(Self.right(.approved, restrictions: false))
        try await comes("the switch") { !Self.isActive(core) }
        try publish(Self.right(.approved))
        try await comes("the switch back") { Self.isActive(core) }
        try owner.transact(trace: nil) {
            _ = try $0.emit(AuthorizationChanged(authorization: Self.right(.denied), revoked: true))
        }
        try await comes("the revocation") { core.repository.state.stores.isEmpty }
        #expect(try await Self.told(client) == ["applied a", "lifted a", "applied a", "lifted a"])
        client.close()
        core.service.close()
        owner.close()
    }

    /// The restored owner knows that the client asked, and no approval.
    @Test func storesOutliveARestoredHouseholdInactive() async throws {
        let directory = try TestDirectory()
        let owner = try RestorableOwner(.auth, in: directory)
        try owner.publish(AuthorizationChanged(authorization: Self.right(.denied)))
        let copy = try owner.copy()
        owner.moreState = { [AuthorizationChanged(authorization: Self.right(.denied))] }
        try owner.publish(AuthorizationChanged(authorization: Self.right(.approved)))
        let core = try ShieldService(try directory.configuration())
        try core.start()
        func status() -> AuthorizationStatus? {
            core.service.household.authorization(client: Self.app, member: Household.defaultMember)?.status
        }
        try await comes("the approval") { status() == .approved }
        let client = try Self.client(directory)
        try await Self.shield("a", client)
        try owner.restore(copy) { owner in
            for number in 0..<9 { try owner.put("m\(number)", "m") }
        }
        try await comes("the restored household") {
            status() == .denied && !Self.isActive(core)
        }
        #expect(core.repository.state.stores.count == 1)
        #expect(try await Self.told(client) == ["applied a", "lifted a"])
        try owner.publish(AuthorizationChanged(authorization: Self.right(.approved)))
        try await comes("the new approval") { Self.isActive(core) }
        #expect(try await Self.told(client) == ["applied a", "lifted a", "applied a"])
        client.close()
        core.service.close()
        owner.stop()
    }

    /// What is written while restrictions are off must fit when they are on again, since switching them on
    /// cannot be refused.
    @Test func theShieldsOfAClientThatIsSwitchedOffCount() async throws {
        let directory = try TestDirectory()
        let owner = try RestorableOwner(.auth, in: directory)
        let core = try ShieldService(try directory.configuration())
        try core.start()
        let client = try Self.client(directory)
        try owner.publish(AuthorizationChanged(authorization: Self.right(.approved, restrictions: false)))
        try await comes("the approval") {
            core.service.household.authorization(client: Self.app, member: Household.defaultMember) != nil
        }
        let domains = (0..<1_800).map { JSONValue.string("host-\($0).example.org") }
        let error = await #expect(throws: ServiceError.self) {
            try await Self.write("shield.webDomains", .array(Array(domains.prefix(700))), client)
        }
        #expect(error?.name == .limitExceeded && error?.message.contains("shieldBytesPerAppMax") == true)
        #expect(error?.message.contains("that are switched off") == true)
        try await Self.write("shield.webDomains", .array(Array(domains.prefix(500))), client)
        // The person's own limits have to leave room for them, and may go at any time.
        let own = await #expect(throws: ServiceError.self) {
            try await Self.write("shield.webDomains", .array(Array(domains.suffix(1_300))), of: nil, client)
        }
        #expect(own?.name == .limitExceeded && own?.message.contains("(shieldBytesMax)") == true)
        try owner.publish(AuthorizationChanged(authorization: Self.right(.approved)))
        try await comes("the switch") { core.repository.state.shields.count == 500 }
        // Without an approval, as after a restore, they do not count: the app has to be approved again.
        let denied = Self.right(.denied, decided: 9_000_000_000_000_000)
        try owner.publish(AuthorizationChanged(authorization: denied))
        try await comes("the end of them") { core.repository.state.shields.isEmpty }
        try await Self.write("shield.webDomains", .array(Array(domains.suffix(1_300))), of: nil, client)
        #expect(core.repository.state.shields.count == 1_300)
        client.close()
        core.service.close()
        owner.stop()
    }

    /// An older version stored more than the limit: events of auth-service are applied anyway.
    @Test func whatAuthServiceTellsIsNeverRefused() async throws {
        let directory = try TestDirectory()
        let owner = try RestorableOwner(.auth, in: directory)
        let core = try ShieldService(try directory.configuration())
        try core.start()
        try owner.publish(AuthorizationChanged(authorization: Self.right(.approved, restrictions: false)))
        try await comes("the approval") {
            core.service.household.authorization(client: Self.app, member: Household.defaultMember) != nil
        }
        let domains = (0..<2_500).map { JSONValue.string("host-\($0).example.org") }
        let key = StoreKey(client: Self.app, member: Household.defaultMember, name: "default")
        let store = SettingsStore(
            client: key.client, member: key.member, store: key.name, created: 1,
            settings: [Setting(key: "shield.webDomains", value: .array(domains))])
        try core.service.transact(trace: nil) {
            try core.repository.commit([key: StoredStore(store)], now: 1, isRefusable: false, $0)
        }
        try owner.publish(AuthorizationChanged(authorization: Self.right(.approved)))
        try owner.put("m1", "after the switch")
        try await comes("what came after the switch") { core.service.household.member("m1") != nil }
        #expect(core.repository.state.shields.count == 2_500)
        try owner.publish(AuthorizationChanged(authorization: Self.right(.denied), revoked: true))
        try await comes("the revocation") { core.repository.state.stores.isEmpty }
        core.service.close()
        owner.stop()
    }

    /// Events of auth-service about it, from a version in which it could ask for approval.
    @Test func thePersonsOwnLimitsRestOnNoApproval() async throws {
        let directory = try TestDirectory()
        let owner = try RestorableOwner(.auth, in: directory)
        let core = try ShieldService(try directory.configuration())
        try core.start()
        let client = try Self.client(directory)
        try await Self.write("shield.applications", ["a"], of: nil, client)
        var right = Self.right(.denied, decided: 9_000_000_000_000_000)
        right.client = BuiltInClient.limits
        try owner.publish(AuthorizationChanged(authorization: right))
        try owner.publish(AuthorizationChanged(authorization: right, revoked: true))
        try owner.put("m1", "after them")
        try await comes("what came after them") { core.service.household.member("m1") != nil }
        try await Self.write("shield.applications", ["b"], in: "late", of: nil, client)
        #expect(try await Self.told(client) == ["applied a", "applied b"])
        client.close()
        core.service.close()
        owner.stop()
    }

    /// An older version deactivated them when somebody asked in their name.
    @Test func thePersonsOwnLimitsAreActiveAfterAStart() async throws {
        let directory = try TestDirectory()
        let before = try ShieldService(try directory.configuration())
        try before.start()
        for (name, inactive) in [("daily", nil), ("off", true)] as [(String, Bool?)] {
            let own = StoreKey(
                client: BuiltInClient.limits, member: Household.defaultMember, name: name)
            let settings = [Setting(key: "shield.applications", value: [.string(name)])]
            let store = SettingsStore(
                client: own.client, member: own.member, store: name, created: 1, active: false,
                inactive: inactive, settings: settings)
            try before.service.transact(trace: nil) {
                try before.repository.commit([own: StoredStore(store)], now: 1, $0)
            }
        }
        before.service.close()
        let core = try ShieldService(try directory.configuration())
        try core.start()
        #expect(core.repository.state.shields.keys.map(\.subject) == ["daily"])
        core.service.close()
    }

    @Test func anOldApprovalOfThePersonsOwnLimitsTakesNothingAway() async throws {
        let directory = try TestDirectory()
        let core = try AuthService(try directory.configuration())
        try core.start()
        var old = Self.right(.approved, decided: 1)
        old.client = BuiltInClient.limits
        try core.service.transact(trace: nil) { _ in try core.authorizations.save(old) }
        let client = try RequestClient(
            to: .auth, in: try directory.configuration().runtime, tracer: Tracer(service: "test"))
        _ = try await client.call(
            AuthorizationRevoke.self, AuthorizationRevoke.Params(client: BuiltInClient.limits))
        let events = try await client.call(EventsRead.self, EventsRead.Params(after: 0)).events.compactMap {
            let event = try AnyEvent.decode($0.bytes)
            guard event.head.type == AuthorizationChanged.type else { return nil as AuthorizationChanged? }
            return try AuthorizationChanged.decode(event.data?.bytes ?? [])
        }
        #expect(events.map(\.revoked) == [false])
        #expect(events.map(\.authorization.status) == [.notDetermined])
        client.close()
        core.service.close()
    }

    /// What a request waits for may be the end of the approval that it rests on.
    @Test func aRequestIsJudgedAgainAfterItWaited() async throws {
        let directory = try TestDirectory()
        let owner = try RestorableOwner(.auth, in: directory)
        owner.present = [Self.right(.denied)]
        let core = try ShieldService(try directory.configuration())
        try core.start()
        let client = try Self.client(directory)
        try owner.publish(AuthorizationChanged(authorization: Self.right(.approved)))
        try await comes("the approval") {
            core.service.household.authorization(client: Self.app, member: Household.defaultMember) != nil
        }
        let next = Position(.auth, try owner.service.head + 1)
        async let refused = #expect(throws: ServiceError.self) {
            try await Self.shield("a", client, after: [next])
        }
        try await comes("the request") { !core.service.waiting.isEmpty }
        try owner.publish(AuthorizationChanged(authorization: Self.right(.denied), revoked: true))
        #expect(await refused?.name == SettingsWrite.refusal)
        #expect(core.repository.state.stores.isEmpty)
        client.close()
        core.service.close()
        owner.stop()
    }

    /// A store without an approval behind it, whatever brought it here, is inactive when its client asks
    /// again.
    @Test func aQuestionSilencesWhatWasWrittenBeforeIt() async throws {
        let directory = try TestDirectory()
        let owner = try RestorableOwner(.auth, in: directory)
        let core = try ShieldService(try directory.configuration())
        try core.start()
        let client = try Self.client(directory)
        try owner.publish(AuthorizationChanged(authorization: Self.right(.approved)))
        try await comes("the approval") {
            core.service.household.authorization(client: Self.app, member: Household.defaultMember) != nil
        }
        try await Self.shield("a", client)
        var question = Self.right(.notDetermined, pending: true)
        question.requested = core.service.clock.now + 1
        try owner.publish(AuthorizationChanged(authorization: question))
        try await comes("the question") { !Self.isActive(core) }
        #expect(core.repository.state.stores.count == 1)
        client.close()
        core.service.close()
        owner.stop()
    }
}
