import Bus
import Contract
import class Foundation.FileManager
import Loop
import ScreenTimeTesting
import Store
import Testing
import Units

@testable import ActivityCore
@testable import AuthCore
@testable import NotifierCore
@testable import ServiceKit
@testable import ShieldCore

/// What ends with an approval or a member also ends if auth-service's log no longer had the event when the
/// service came back. What a restored auth-service does not know stays.
@Suite(.serialized) @LoopActor struct UnreadRevocationTests {
    enum Way: CaseIterable {
        case revoked
        case memberRemoved
        case nothing
        /// From a copy that does not have the approval; it is trimmed as well, beyond what they had read.
        case restored
    }

    private static let app = "org.example.app"

    private static func client(_ name: ServiceName, _ configuration: Configuration) throws -> RequestClient {
        try RequestClient(to: name, in: configuration.runtime, tracer: Tracer(service: "test"))
    }

    /// The three services that keep what an app made for a member.
    @LoopActor private struct Keepers {
        let activity: ActivityCenter
        let shield: ShieldService
        let notifier: NotifierService

        init(_ configuration: Configuration) throws {
            activity = try ActivityCenter(configuration)
            shield = try ShieldService(configuration)
            notifier = try NotifierService(configuration)
            try activity.start()
            try shield.start()
            try notifier.start()
        }

        var services: [Service] { [activity.service, shield.service, notifier.service] }

        /// What they keep.
        func kept() throws -> [Int64] {
            try [
                activity.service.database.integer("SELECT count(*) FROM activity"),
                shield.service.database.integer("SELECT count(*) FROM store"),
                notifier.service.database.integer("SELECT count(*) FROM scheduled"),
            ]
        }

        func follow(_ auth: AuthService) async throws {
            let head = auth.service.head
            try await untilTurn("they have read all") {
                services.allSatisfy { $0.followers[.auth]?.reached == head && !$0.hasUncommitted }
            }
        }

        func close() { services.forEach { $0.close() } }
    }

    /// The app plans one thing in each service.
    private static func plan(_ configuration: Configuration, _ member: String) async throws {
        let options = CallOptions(client: app)
        let clients = try [ServiceName.activity, .shield, .notifier].map { try client($0, configuration) }
        let schedule = Schedule(
            intervalStart: DateComponents(hour: 0, minute: 0),
            intervalEnd: DateComponents(hour: 0, minute: 0), repeats: true)
        _ = try await clients[0].call(
            MonitoringStart.self,
            MonitoringStart.Params(
                member: member, activities: [ActivityDefinition(name: "daily", schedule: schedule)]),
            options: options)
        _ = try await clients[1].call(
            SettingsWrite.self,
            SettingsWrite.Params(
                member: member, store: "default",
                settings: [Setting(key: "shield.applications", value: .array([.string("chess")]))]),
            options: options)
        _ = try await clients[2].call(
            NotificationPost.self,
            NotificationPost.Params(
                identifier: "n", title: "N", trigger: NotificationTrigger(after: 3_600_000), member: member),
            options: options)
        clients.forEach { $0.close() }
    }

    private static func trim(_ auth: AuthService) throws {
        try auth.service.database.write { _ in _ = try auth.service.eventLog.trim(keepingLast: 1) }
        auth.service.endTurn()
    }

    @Test(arguments: Way.allCases) func itEndsOrStays(way: Way) async throws {
        let directory = try TestDirectory()
        let configuration = try directory.configuration()
        var auth = try AuthService(configuration)
        try auth.start()
        let person = try Self.client(.auth, configuration)
        let kid = try await person.call(MemberAdd.self, MemberAdd.Params(name: "kid")).member.id
        let store = "\(configuration.stateDirectory)/auth-service"
        auth.service.close()
        try FileManager.default.copyItem(atPath: store, toPath: store + ".copy")
        auth = try AuthService(configuration)
        try auth.start()
        person.send(
            AuthorizationRequest.self, AuthorizationRequest.Params(client: Self.app, member: kid),
            options: CallOptions(deadline: 60_000, client: Self.app)
        ) { _ in }
        var asked: Authorization?
        try await untilTurn("it asks") {
            asked = try auth.authorizations.find(client: Self.app, member: kid)
            return asked != nil && !auth.service.hasUncommitted
        }
        _ = try await person.call(
            AuthorizationDecide.self,
            AuthorizationDecide.Params(id: try #require(asked?.id), decision: .approve))
        var keepers = try Keepers(configuration)
        try await keepers.follow(auth)
        try await Self.plan(configuration, kid)
        #expect(try keepers.kept() == [1, 1, 1])
        keepers.close()
        let made = auth.service.clock.now
        await untilLater(than: made) { auth.service.clock.now }
        switch way {
        case .revoked:
            _ = try await person.call(
                AuthorizationRevoke.self, AuthorizationRevoke.Params(client: Self.app))
        case .memberRemoved:
            _ = try await person.call(MemberRemove.self, MemberRemove.Params(name: "kid"))
        case .nothing: break
        case .restored:
            auth.service.close()
            try FileManager.default.removeItem(atPath: store)
            try FileManager.default.copyItem(atPath: store + ".copy", toPath: store)
            auth = try AuthService(configuration)
            try auth.start()
        }
        for number in 0..<30 {
            _ = try await person.call(MemberAdd.self, MemberAdd.Params(name: "other\(number)"))
        }
        try Self.trim(auth)
        keepers = try Keepers(configuration)
        try await keepers.follow(auth)
        let ends = way == .revoked || way == .memberRemoved
        #expect(try keepers.kept() == (ends ? [0, 0, 0] : [1, 1, 1]))
        keepers.close()
        person.close()
        auth.service.close()
    }
}
