import Bus
import Contract
import Glibc
import Loop
import ScreenTimeTesting
import Testing

@Suite("authorization across restarts") struct AuthRestartTests {
    let app = "org.example.focus"

    @Test func aPendingRequestOutlivesAKill() async throws {
        try await World.with(["auth-service"]) { world in
            let events = try world.record(.auth)
            let asking = world.ask(app)
            let pending = try await events.pending(app)
            try await world.process("auth-service").destroy()
            try await world.start("auth-service")
            #expect(try await world.authorizations(app) == [pending])
            try await world.decide(pending.id, .approve)
            #expect(try await asking.value.authorization.status == .approved)
            _ = try await events.wait(for: "the approval") { try $0.changes(app).count == 2 ? true : nil }
        }
    }

    @Test(arguments: ["before-commit", "after-commit", "after-publish"])
    func aKillInsideTheDecisionLosesNothing(point: String) async throws {
        try await World.with(["auth-service"]) { world in
            let events = try world.record(.auth)
            let asking = world.ask(app)
            let pending = try await events.pending(app)
            try world.arm(point, of: .auth)
            let deciding = Task { @LoopActor in try await world.decide(pending.id, .approve) }
            let killed = try await world.process("auth-service").exit()
            #expect(killed == 128 + SIGKILL)
            try await world.start("auth-service")
            // The decision is sent again with its key; the request, too.
            #expect(try await deciding.value.status == .approved)
            #expect(try await asking.value.authorization.status == .approved)
            _ = try await events.wait(for: "the approval") { try $0.changes(app).count >= 2 ? true : nil }
            let marker = try await world.call(MemberAdd.self, MemberAdd.Params(name: "Anna")).sequence
            _ = try await events.wait(for: "the marker") { $0.events.last?.sequence == marker ? true : nil }
            #expect(try events.changes(app).map(\.authorization.status) == [.notDetermined, .approved])
        }
    }

    @Test(arguments: ["before-commit", "after-commit", "after-publish"])
    func aKillInsideTheQuestionAsksOnce(point: String) async throws {
        try await World.with(["auth-service"]) { world in
            let notifier = try ButtonPresser(world)
            defer { notifier.close() }
            let events = try world.record(.auth)
            try world.arm(point, of: .auth)
            let asking = world.ask(app)
            let killed = try await world.process("auth-service").exit()
            #expect(killed == 128 + SIGKILL)
            try await world.start("auth-service")
            try await notifier.wait(for: "the question") { $0.posts.count == 1 }
            try notifier.press(try #require(notifier.posts.first?.identifier), "approve")
            #expect(try await asking.value.authorization.status == .approved)
            _ = try await events.wait(for: "the approval") { try $0.changes(app).count == 2 ? true : nil }
            #expect(notifier.posts.count == 1)
            #expect(try events.changes(app).map(\.authorization.pending) == [true, false])
        }
    }

    @Test func aRequestWhoseAskerIsGoneEndsByTimer() async throws {
        try await World.with(["auth-service"]) { world in
            let other = try RequestClient(to: .auth, in: world.runtime, tracer: world.tracer)
            let events = try world.record(.auth)
            other.send(
                AuthorizationRequest.self, .init(client: app), options: CallOptions(deadline: 10_000)
            ) { _ in }
            _ = try await events.pending(app)
            other.close()
            try await world.process("auth-service").destroy()
            try await world.start("auth-service")
            let ended = try await events.first(AuthorizationChanged.self) { !$0.authorization.pending }
            #expect(ended.authorization.status == .notDetermined)
        }
    }
}
