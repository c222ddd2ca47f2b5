import Bus
import Contract
import Glibc
import JSON
import Loop
import ScreenTimeTesting
import Testing

@Suite("authorization requests") struct AuthRequestTests {
    let app = "org.example.focus"

    @Test func anApprovedClientIsNotAskedAgain() async throws {
        try await World.with(["auth-service"]) { world in
            let events = try world.record(.auth)
            let asking = world.ask(app, name: "Focus")
            let pending = try await events.pending(app)
            #expect(pending.status == .notDetermined && !pending.access && pending.clientName == "Focus")
            #expect(pending.id.count == 6)
            let decided = try await world.decide(pending.id, .approve)
            let answer = try await asking.value
            #expect(answer.authorization == decided)
            #expect(decided.status == .approved && decided.access && decided.restrictions && !decided.pending)
            #expect(try await world.ask(app).value.authorization == decided)
            #expect(try events.changes(app).map(\.authorization.pending) == [true, false])
        }
    }

    @Test func noIsCanceledAndMayBeAskedAgain() async throws {
        try await World.with(["auth-service"]) { world in
            let events = try world.record(.auth)
            let asking = world.ask(app)
            let pending = try await events.pending(app)
            try await world.decide(pending.id, .deny)
            #expect(await refusal { try await asking.value } == .authorizationCanceled)
            #expect(try await world.authorizations(app).map(\.status) == [.denied])
            let again = world.ask(app)
            _ = try await events.wait(for: "a second question") {
                try $0.changes(app).filter(\.authorization.pending).count == 2 ? true : nil
            }
            try await world.decide(pending.id, .approve)
            #expect(try await again.value.authorization.id == pending.id)
        }
    }

    @Test func noAnswerIsCanceledAndChangesNothing() async throws {
        try await World.with(["auth-service"]) { world in
            let events = try world.record(.auth)
            #expect(
                await refusal { try await world.ask(app, deadline: 9_000).value } == .authorizationCanceled)
            let ended = try await events.first(AuthorizationChanged.self) { !$0.authorization.pending }
            #expect(
                ended.authorization.status == .notDetermined && !ended.authorization.access && !ended.revoked)
            let late = await refusal { try await world.decide(ended.authorization.id, .approve) }
            #expect(late == .conflict, "nobody waits for the word any more")
        }
    }

    @Test func aSecondRequestJoinsTheFirst() async throws {
        try await World.with(["auth-service"]) { world in
            let events = try world.record(.auth)
            let first = world.ask(app)
            let pending = try await events.pending(app)
            let second = world.ask(app)
            let impatient = world.ask(app, deadline: 10_000)
            #expect(await refusal { try await impatient.value } == .authorizationCanceled)
            #expect(try await world.authorizations(app).map(\.pending) == [true], "others still wait")
            try await world.decide(pending.id, .approve)
            let answers = (try await first.value, try await second.value)
            #expect(answers.0.authorization == answers.1.authorization)
            #expect(try events.changes(app).count == 2)
        }
    }

    /// Questions that were left unanswered do not block others.
    @Test func whoAsksUnderManyNamesFillsNoPlaceForGood() async throws {
        try await World.with(["auth-service"]) { world in
            let client = try world.client(.auth)
            // Connected: what cannot be sent for a second ends as unavailable.
            _ = try await world.health(.auth)
            for round in 0..<11 {
                let asked = (0..<50).map { number in
                    Task { @LoopActor in
                        await refusal {
                            try await client.call(
                                AuthorizationRequest.self, .init(client: "org.example.c\(round).n\(number)"),
                                options: CallOptions(deadline: 1_000))
                        }
                    }
                }
                for one in asked {
                    let name = await one.value
                    #expect(name == .authorizationCanceled || name == .deadlineExceeded)
                }
            }
            let events = try world.record(.auth)
            let waiting = world.ask(app)
            let pending = try await events.pending(app)
            try await world.decide(pending.id, .approve)
            #expect(try await waiting.value.authorization.status == .approved)
        }
    }

    @Test func onlyOneAppIsTheGuardianOfAMember() async throws {
        try await World.with(["auth-service"]) { world in
            let events = try world.record(.auth)
            _ = try await world.call(MemberAdd.self, MemberAdd.Params(name: "Anna"))
            try await world.approve("org.example.a", events, as: .child, member: "member-Anna")
            #expect(
                await refusal { try await world.ask("org.example.b", .child, member: "member-Anna").value }
                    == .authorizationConflict)
            try await world.approve("org.example.b", events, as: .individual, member: "member-Anna")
            try await world.approve("org.example.c", events, as: .child)
            #expect(await refusal { try await world.ask("org.example.c").value } == .authorizationConflict)
        }
    }

    @Test func whatIsNoBundleIDIsRefused() async throws {
        let bad = ["", "a b", "org.exämple", "a/b", String(repeating: "a", count: 256)]
        try await World.with(["auth-service"]) { world in
            for client in bad {
                let error = await refusal {
                    try await world.call(AuthorizationRequest.self, .init(client: client))
                }
                #expect(error == .invalidParams, "'\(client)'")
            }
            #expect(await refusal { try await world.ask(app, name: "a\nb").value } == .invalidParams)
            #expect(await refusal { try await world.ask(app, member: "member-Nobody").value } == .notFound)
            let other = await refusal {
                try await world.call(
                    AuthorizationRequest.self, .init(client: app), client: "org.example.other")
            }
            #expect(other == .accessDenied)
            // The person's own limits rest on no approval.
            #expect(await refusal { try await world.ask(BuiltInClient.limits).value } == .accessDenied)
            let left = try await world.authorizations()
            #expect(left == [], "nothing refused leaves a trace")
        }
    }

    @Test func theKeyOfAQuestionIsNoOtherRequests() async throws {
        try await World.with(["auth-service"]) { world in
            let events = try world.record(.auth)
            func ask(_ key: String) -> Task<AuthorizationRequest.Result, any Error> {
                Task { @LoopActor in
                    try await world.call(
                        AuthorizationRequest.self, .init(client: app), deadline: 60_000,
                        idempotencyKey: key)
                }
            }
            func add(_ key: String) async -> ErrorName? {
                await refusal {
                    try await world.call(MemberAdd.self, MemberAdd.Params(name: key), idempotencyKey: key)
                }
            }
            let asking = ask("asked")
            let pending = try await events.pending(app)
            #expect(await add("asked") == .idempotencyConflict)
            try await world.decide(pending.id, .deny)
            #expect(await refusal { try await asking.value } == .authorizationCanceled)
            #expect(await add("asked") == .idempotencyConflict, "also when it has ended")
            #expect(await refusal { try await ask("asked").value } == .authorizationCanceled)
            #expect(await add("added") == nil)
            #expect(await refusal { try await ask("added").value } == .idempotencyConflict)
            #expect(try await world.authorizations().allSatisfy { !$0.pending })
        }
    }

    @Test func theSameKeyGetsTheSameAnswer() async throws {
        try await World.with(["auth-service"]) { world in
            let events = try world.record(.auth)
            let asking = world.ask(app, key: "k")
            try await world.decide(try await events.pending(app).id, .deny)
            #expect(await refusal { try await asking.value } == .authorizationCanceled)
            #expect(await refusal { try await world.ask(app, key: "k").value } == .authorizationCanceled)
            #expect(
                await refusal { try await world.ask(app, .child, key: "k").value } == .idempotencyConflict)
            #expect(try events.changes(app).count == 2, "the repeat asked nobody")
        }
    }
}
