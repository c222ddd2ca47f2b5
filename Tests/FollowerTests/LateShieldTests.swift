import Bus
import Contract
import JSON
import TestSupport
import Testing

@testable import ServiceKit
@testable import ShieldCore

/// A shield-service that is behind auth-service: the owner's answer lets a client write before its events
/// come, and a restored owner may know of no approval at all.
@Suite(.serialized) @BusActor struct LateShieldTests {
    private static let app = "org.example.app"

    private static func right(
        _ status: AuthorizationStatus, pending: Bool = false, restrictions: Bool = true
    ) -> Authorization {
        Authorization(
            id: "abcdef", client: app, member: Household.defaultMember, status: status, pending: pending,
            access: status == .approved, restrictions: status == .approved && restrictions, requestedMs: 1)
    }

    /// Suspends until `condition` holds at the end of a turn.
    private static func comes(
        _ what: String, _ condition: @escaping @BusActor () throws -> Bool
    ) async throws {
        let expectation = Expectation<Void>(what)
        @BusActor func judge() {
            do { if try condition() { expectation.fulfil(()) } } catch { expectation.fail(error) }
        }
        let token = Reactor.shared.atEndOfTurn { judge() }
        defer { Reactor.shared.forget(token) }
        judge()
        try await expectation.wait(deadlineMs: 20_000)
    }

    private static func client(_ directory: TestDirectory) throws -> RequestClient {
        try RequestClient(
            to: .shield, in: try directory.configuration().runtime, tracer: Tracer(service: "test"))
    }

    private static func shield(_ subject: String, in store: String, _ client: RequestClient) async throws {
        let setting = Setting(key: "shield.applications", value: .array([.string(subject)]))
        _ = try await client.call(
            SettingsWrite.self, SettingsWrite.Params(store: store, settings: [setting]),
            options: CallOptions(client: app))
    }

    /// What shield-service told of shields, in order: `applied a`, `lifted a`.
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

    @Test func questionsBeforeAnApprovalLiftNothingThatItAllowed() async throws {
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
                    AuthorizationList.Result(authorizations: [Self.right(.approved)])
                }
            }, following: { _ in })
        let core = try ShieldService(configuration)
        try core.start()
        let client = try Self.client(directory)
        try await Self.shield("a", in: "default", client)
        // What led to the approval comes after the write that rests on it.
        func tell(_ authorization: Authorization) throws {
            try owner.transact(trace: nil) {
                _ = try $0.emit(AuthorizationChanged(authorization: authorization))
            }
        }
        try tell(Self.right(.notDetermined, pending: true))
        try tell(Self.right(.denied))
        try tell(Self.right(.denied, pending: true))
        try tell(Self.right(.approved))
        try owner.transact(trace: nil) { _ = try $0.emit(MemberChanged(member: Member(id: "m", name: "m"))) }
        try await Self.comes("the last event") { core.service.household.member("m") != nil }
        #expect(try await Self.told(client) == ["applied a"])
        // The switch of restrictions, and the end of the approval, still do.
        try tell(Self.right(.approved, restrictions: false))
        try await Self.comes("the switch") { core.book.state.stores.values.allSatisfy { !$0.store.active } }
        try tell(Self.right(.approved))
        try await Self.comes("the switch back") { core.book.state.stores.values.allSatisfy(\.store.active) }
        try owner.transact(trace: nil) {
            _ = try $0.emit(AuthorizationChanged(authorization: Self.right(.denied), revoked: true))
        }
        try await Self.comes("the revocation") { core.book.state.stores.isEmpty }
        #expect(try await Self.told(client) == ["applied a", "lifted a", "applied a", "lifted a"])
        client.close()
        core.service.close()
        owner.close()
    }

    /// The restored owner knows that the client asked, and no approval.
    @Test func storesOutliveARestoredHouseholdInactive() async throws {
        let directory = try TestDirectory()
        let owner = try RestorableOwner(.auth, in: directory)
        try owner.tell(AuthorizationChanged(authorization: Self.right(.denied)))
        let copy = try owner.copy()
        owner.moreState = { [AuthorizationChanged(authorization: Self.right(.denied))] }
        try owner.tell(AuthorizationChanged(authorization: Self.right(.approved)))
        let core = try ShieldService(try directory.configuration())
        try core.start()
        func status() -> AuthorizationStatus? {
            core.service.household.authorization(client: Self.app, member: Household.defaultMember)?.status
        }
        try await Self.comes("the approval") { status() == .approved }
        let client = try Self.client(directory)
        try await Self.shield("a", in: "default", client)
        try owner.restore(copy) { owner in
            for number in 0..<9 { try owner.put("m\(number)", "m") }
        }
        try await Self.comes("the restored household") {
            status() == .denied && core.book.state.stores.values.allSatisfy { !$0.store.active }
        }
        #expect(core.book.state.stores.count == 1)
        #expect(try await Self.told(client) == ["applied a", "lifted a"])
        try owner.tell(AuthorizationChanged(authorization: Self.right(.approved)))
        try await Self.comes("the new approval") { core.book.state.stores.values.allSatisfy(\.store.active) }
        #expect(try await Self.told(client) == ["applied a", "lifted a", "applied a"])
        client.close()
        core.service.close()
        owner.stop()
    }
}
