import Contract
import Glibc
import ScreenTimeTesting
import Testing
import Time
import Units

@Suite("asking by notification") struct AuthNotificationTests {
    let app = "org.example.focus"

    @Test(arguments: [Decision.approve, .deny])
    func aButtonDecides(decision: Decision) async throws {
        try await World.with(["auth-service"]) { world in
            let notifier = try ButtonPresser(world)
            defer { notifier.close() }
            let asking = world.ask(app, name: "<b>Focus</b>")
            try await notifier.wait(for: "the question") { $0.posts.count == 1 }
            let post = try #require(notifier.posts.first)
            let id = try #require(try await world.authorizations(app).first?.id)
            #expect(post.identifier.hasPrefix("authorization.\(id)."))
            #expect(post.title == "<b>Focus</b> (\(app)) asks for your permission")
            #expect(post.body?.contains("screentime authorization approve \(id)") == true)
            #expect(post.actions?.map(\.key) == ["approve", "deny"])
            try notifier.press(post.identifier, decision.rawValue)
            let error = await refusal { try await asking.value }
            #expect(error == (decision == .approve ? nil : .authorizationCanceled))
        }
    }

    @Test func oneQuestionForAllWhoAskAndTakenBackWhenDecidedElsewhere() async throws {
        try await World.with(["auth-service"]) { world in
            let notifier = try ButtonPresser(world)
            defer { notifier.close() }
            let first = world.ask(app)
            try await notifier.wait(for: "the question") { $0.posts.count == 1 }
            let second = world.ask(app)
            let identifier = try #require(notifier.posts.first?.identifier)
            try notifier.press(identifier, "snooze")
            try notifier.press(identifier + "x", "approve")
            try await world.process("auth-service").destroy()
            try await world.start("auth-service")
            let id = try #require(ButtonPresser.authorization(identifier))
            #expect(
                try await world.authorizations(app).map(\.pending) == [true], "an unknown button or question")
            try await world.decide(id, .approve)
            _ = (try await first.value, try await second.value)
            try await notifier.wait(for: "taking it back") { $0.withdrawn == [identifier] }
            #expect(notifier.posts.count == 1)
            _ = try await world.ask(app).value
            #expect(notifier.posts.count == 1, "once approved it is not asked again")
        }
    }

    @Test func aNotifierThatComesLaterShowsTheQuestion() async throws {
        try await World.with(["auth-service"]) { world in
            let events = try world.record(.auth)
            let asking = world.ask(app)
            _ = try await events.pending(app)
            let notifier = try ButtonPresser(world)
            defer { notifier.close() }
            try await notifier.wait(for: "the question") { $0.posts.count == 1 }
            try notifier.press(try #require(notifier.posts.first?.identifier), "approve")
            #expect(try await asking.value.authorization.status == .approved)
        }
    }
}
