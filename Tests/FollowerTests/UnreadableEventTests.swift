import Bus
import Contract
import Loop
import ScreenTimeTesting
import Testing

@testable import AuthCore
@testable import NotifierCore
@testable import ServiceKit
@testable import Store

/// An event of a service's log that cannot be read. Without it a follower would not know of a revocation, so
/// that nobody passes it.
@Suite(.serialized) @LoopActor struct UnreadableEventTests {
    /// auth-service with three members; the event about the second cannot be read.
    private static func damage(_ auth: AuthService) throws {
        try auth.service.transact(trace: nil) { transaction in
            for id in ["a", "b", "c"] {
                let member = Member(id: id, name: id, role: .child)
                try auth.members.insert(member)
                try auth.publish(member, transaction)
            }
        }
        auth.service.endTurn()
        let sequence = auth.service.head - 1
        try auth.service.transact(trace: nil) {
            try $0.database.run(
                "UPDATE event SET body = CAST('{\"' AS BLOB) WHERE sequence = ?1", sequence)
        }
        auth.service.endTurn()
    }

    private static func isDamaged(_ service: Service) -> Bool {
        service.healthReport().notActing?.contains { $0.contains("is damaged") } == true
    }

    /// A repair makes followers whole: their copies are built from the present state.
    @Test func followersWaitAndSaySo() async throws {
        let configuration = try TestDirectory().configuration()
        let auth = try AuthService(configuration)
        try auth.start()
        try Self.damage(auth)
        let notifier = try NotifierService(configuration)
        try notifier.start()
        func members() throws -> [String] {
            try notifier.service.database.query(
                "SELECT id FROM household_copy WHERE kind = 'member' AND length(id) = 1 ORDER BY id"
            ) { $0.text(0) }
        }
        try await untilTurn("auth-service says so") { Self.isDamaged(auth.service) }
        try await untilTurn("its follower says so") {
            notifier.service.healthReport().notActing?.contains { $0.contains("auth-service") } == true
        }
        #expect(try members().isEmpty)
        #expect(try UnreadableRowTests.setAside(auth.service).isEmpty)
        try notifier.service.rebuildCopy(of: .auth, because: "the test asks")
        try await untilTurn("it is whole") { try members() == ["a", "b", "c"] }
        notifier.service.close()
        auth.service.close()
    }

    @Test func forgettingIsRefused() async throws {
        let run = try CoreRun(WriteCase.auth)
        let auth = try #require(run.core as? AuthService)
        try Self.damage(auth)
        let before = try auth.service.eventLog.read(after: 0, limit: 1_000)
        let answer = await run.ask(Call("privacy.forget", #"{"kind":"app","subject":"mail"}"#))
        #expect(answer.hasPrefix("error storageDamaged the table event"), "\(answer)")
        try await untilTurn("it is reported") { Self.isDamaged(auth.service) }
        #expect(try auth.service.eventLog.read(after: 0, limit: 1_000) == before)
        run.close()
    }
}
