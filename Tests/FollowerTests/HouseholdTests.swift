import Bus
import Contract
import Loop
import Store
import ScreenTimeTesting
import Testing

@testable import ServiceKit

/// What a service knows of approvals, when the owner's answers and its events cross.
@Suite(.serialized) @LoopActor struct HouseholdTests {
    private static let client = "org.example.app"

    private static func right(_ status: AuthorizationStatus) -> Authorization {
        Authorization(
            id: "abcdef", client: client, member: Household.defaultMember, status: status,
            access: status == .approved, requested: 1)
    }

    /// The owner answers that a client is approved; before the answer arrives, the end of the approval does.
    @Test func anAnswerIsNotTakenForNewerThanTheEventsThatOvertookIt() async throws {
        let directory = try TestDirectory()
        let configuration = try directory.configuration()
        let owner = try Service(.auth, configuration: configuration, migrations: [])
        let service = try Service(.shield, configuration: configuration, migrations: [])
        var present = Self.right(.approved)
        let ended = Expectation<Void>("the end of the approval was not taken in")
        owner.snapshot = { _ in SnapshotPage(events: [], nextPage: nil) }
        try owner.start(
            answering: { owner in
                owner.read(MemberList.self) { _, _ in
                    MemberList.Result(members: [Member(id: Household.defaultMember, name: "me")])
                }
                owner.later(AuthorizationList.self) { _, _ in
                    let answer = present
                    if answer.status == .approved {
                        present = Self.right(.notDetermined)
                        try owner.transact(trace: nil) {
                            _ = try $0.emit(AuthorizationChanged(authorization: present, revoked: true))
                        }
                        try await ended.wait()
                    }
                    return AuthorizationList.Result(authorizations: [answer])
                }
            }, following: { _ in })
        try service.start(
            answering: { service in
                service.write(SettingsDelete.self) { _, _, transaction in
                    SettingsDelete.Result(deleted: [], sequence: try transaction.head())
                }
            },
            following: { service in
                try service.followHousehold(changed: { _, transaction in
                    transaction.afterCommit { ended.fulfil(()) }
                })
            })
        let asker = try RequestClient(
            to: .shield, in: configuration.runtime, tracer: Tracer(service: "test"))
        let refused = await #expect(throws: ServiceError.self) {
            try await asker.call(
                SettingsDelete.self, SettingsDelete.Params(stores: ["a"]),
                options: CallOptions(client: Self.client))
        }
        #expect(refused?.name == SettingsDelete.refusal, "\(String(describing: refused))")
        asker.close()
        service.close()
        owner.close()
    }

    /// monitor-runner follows no household: an answer that it kept would outlive the approval.
    @Test func aServiceWithoutACopyAsksEachTime() async throws {
        let directory = try TestDirectory()
        let configuration = try directory.configuration()
        let owner = try Service(.auth, configuration: configuration, migrations: [])
        let service = try Service(.monitor, configuration: configuration, migrations: [])
        var present = Self.right(.approved)
        try owner.start(
            answering: { owner in
                owner.read(MemberList.self) { _, _ in
                    MemberList.Result(members: [Member(id: Household.defaultMember, name: "me")])
                }
                owner.read(AuthorizationList.self) { _, _ in
                    AuthorizationList.Result(authorizations: [present])
                }
            }, following: { _ in })
        try service.start(
            answering: { _ in }, following: { service in try service.follow(.auth) { _ in } })
        let asker = try RequestClient(
            to: .monitor, in: configuration.runtime, tracer: Tracer(service: "test"))
        let read = EventsRead.Params(after: 0)
        _ = try await asker.call(EventsRead.self, read, options: CallOptions(client: Self.client))
        present = Self.right(.notDetermined)
        let refused = await #expect(throws: ServiceError.self) {
            try await asker.call(EventsRead.self, read, options: CallOptions(client: Self.client))
        }
        #expect(refused?.name == .notAuthorized, "\(String(describing: refused))")
        asker.close()
        service.close()
        owner.close()
    }
}
