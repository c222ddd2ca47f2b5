import Contract
import JSON
import Loop
import ScreenTimeTesting
import Testing

@Suite("tokens") struct TokenTests {
    private let app = "org.example.focus"
    private let subjects = [
        TokenSubject(.app, "org.mozilla.firefox"), TokenSubject(.category, "social"),
        TokenSubject(.domain, "example.org"),
    ]

    @Test func tokensLiveUntilTheGrantIsTakenAway() async throws {
        try await World.with(["auth-service"]) { world in
            let events = try world.record(.auth)
            try await world.approve(app, events)
            let made = try await world.tokens(subjects, app)
            #expect(try await world.tokens(subjects, app) == made)
            #expect(try await world.resolve(made, app) == subjects.map { .success($0) })
            // Across a restart: the key is in the store.
            _ = try await world.process("auth-service").stop()
            try await world.start("auth-service")
            #expect(try await world.tokens(subjects, app) == made)
            _ = try await world.turn(app, restrictions: false)
            #expect(try await world.resolve(made, app) == subjects.map { .success($0) })

            _ = try await world.turn(app, access: false)
            #expect(try await world.errors(made, app) == [.tokenRevoked, .tokenRevoked, .tokenRevoked])
            _ = try await world.turn(app, access: true)
            #expect(try await world.errors(made, app) == [.tokenRevoked, .tokenRevoked, .tokenRevoked])
            let fresh = try await world.tokens(subjects, app)
            #expect(Set(fresh).isDisjoint(with: made))
            #expect(try await world.resolve(fresh, app) == subjects.map { .success($0) })

            _ = try await world.call(AuthorizationRevoke.self, .init(client: app))
            #expect(try await world.errors(fresh, app) == [.tokenRevoked, .tokenRevoked, .tokenRevoked])
            #expect(try await world.errors(made, app) == [.tokenRevoked, .tokenRevoked, .tokenRevoked])
        }
    }

    @Test func whatIsNotTheClientsIsRefusedEachByItself() async throws {
        try await World.with(["auth-service"]) { world in
            let own = try await world.tokens([subjects[0]], app)
            let other = try await world.tokens([subjects[0]], "org.example.other")
            let person = try await world.tokens([subjects[0]], nil)
            let added = try await world.call(MemberAdd.self, .init(name: "Somebody else", role: .child))
            let child = try await world.call(
                TokenMake.self, .init(client: app, member: added.member.id, subjects: [subjects[0]])
            ).tokens
            #expect(Set(own + other + person + child).count == 4)
            let shown = own + other + person + child + ["AAAA", "no base64", ""]
            #expect(
                try await world.errors(shown, app) == [
                    nil, .tokenForeign, .tokenForeign, .tokenForeign, .tokenDamaged, .tokenDamaged,
                    .tokenDamaged,
                ])
            #expect(try await world.errors(person, nil) == [nil])
            // A client may ask which of its own are valid, and for nothing else.
            let refreshed = try await world.call(
                TokenRefresh.self, .init(tokens: own + other), client: app
            ).refreshed
            #expect(refreshed.map(\.token) == [own[0], nil])
            #expect(refreshed[1].error?.serviceError.name == .tokenForeign)
            let made = await refusal {
                try await world.call(TokenMake.self, .init(subjects: [TokenSubject(.app, "a")]), client: app)
            }
            let resolved = await refusal {
                try await world.call(TokenResolve.self, .init(tokens: own), client: app)
            }
            #expect(made == .accessDenied && resolved == .accessDenied)
        }
    }

    @Test func limitsAreNamed() async throws {
        try await World.with(["auth-service"]) { world in
            let many = Array(repeating: subjects[0], count: 2_001)
            let tooMany = await refusal { try await world.tokens(many, app) }
            #expect(tooMany == .limitExceeded)
            #expect(try await world.tokens(Array(many.dropLast()), app).count == 2_000)
            for name in ["", String(repeating: "a", count: 513), "a\nb"] {
                let refused = await refusal { try await world.tokens([TokenSubject(.app, name)], app) }
                #expect(refused == .invalidParams)
            }
            let longest = TokenSubject(.app, String(repeating: "a", count: 512))
            let token = try await world.tokens([longest], app)
            #expect(try await world.resolve(token, app) == [.success(longest)])
        }
    }

    @Test func aLongNameHasATokenLikeAnyOther() async throws {
        try await World.with(["auth-service"]) { world in
            let long = [70, 512].map { TokenSubject(.domain, String(repeating: "a", count: $0)) }
            let made = try await world.tokens(subjects + long, app)
            #expect(Set(made.map(\.utf8.count)).count == 1)
            _ = try await world.process("auth-service").stop()
            try await world.start("auth-service")
            #expect(try await world.tokens(subjects + long, app) == made)
            #expect(try await world.resolve(made, app) == (subjects + long).map { .success($0) })
        }
    }

    @Test func aForeignTokenIsAudited() async throws {
        try await World.with(["auth-service"]) { world in
            let other = try await world.tokens(subjects, "org.example.other")
            #expect(try await world.errors(other, app) == [.tokenForeign, .tokenForeign, .tokenForeign])
            let counters = try await world.health(.auth).counters
            #expect(counters.first { $0.name == "foreign_tokens" }?.count == 1)
            let log = try await world.screentime("logs", "auth-service").lines
            #expect(log.contains { $0.contains("made for another app") && $0.contains(app) }, "\(log)")
        }
    }

    @Test func accessToNamesIsAskedForAndTold() async throws {
        try await World.with(["auth-service"]) { world in
            let notifier = try ButtonPresser(world)
            defer { notifier.close() }
            let events = try world.record(.auth)
            try await world.approve(app, events)
            func ask() -> Task<AuthorizationRequest.Result, any Error> {
                Task { @LoopActor in
                    try await world.call(
                        AuthorizationRequest.self, .init(client: app, dataAccess: true), client: app,
                        deadline: 60_000)
                }
            }
            // Approved already, but for less: the person is asked, and keeps the last word on the rest only.
            let first = ask()
            let pending = try await events.pendingData(app)
            #expect(pending.status == .approved && pending.dataAccess == nil)
            try await notifier.wait(for: "the question") { presser in
                presser.posts.contains { ($0.body ?? "").contains("which apps are installed") }
            }
            try await world.decide(pending.id, .deny)
            await #expect(throws: ServiceError.self) { try await first.value }
            #expect(try await world.authorizations(app).first?.status == .approved)
            let second = ask()
            _ = try await events.wait(for: "asked again") {
                try $0.changes(app).count { $0.authorization.asksDataAccess == true } == 2 ? true : nil
            }
            try await world.decide(pending.id, .approve)
            #expect(try await second.value.authorization.dataAccess == true)
            // Not asked again, and gone with the grant.
            #expect(try await ask().value.authorization.dataAccess == true)
            _ = try await world.turn(app, access: false)
            _ = try await world.turn(app, access: true)
            #expect(try await world.authorizations(app).first?.dataAccess == nil)
        }
    }
}

extension World {
    fileprivate func tokens(_ subjects: [TokenSubject], _ client: String?) async throws -> [String] {
        try await call(TokenMake.self, TokenMake.Params(client: client, subjects: subjects)).tokens
    }

    fileprivate func resolve(
        _ tokens: [String], _ client: String?
    ) async throws -> [Result<TokenSubject, ServiceError>] {
        try await call(TokenResolve.self, TokenResolve.Params(client: client, tokens: tokens)).resolved.map {
            one in
            if let subject = one.subject { return .success(subject) }
            return .failure(one.error?.serviceError ?? ServiceError(.internalError, "neither", remedy: ""))
        }
    }

    /// The error of each; nil: it is valid.
    fileprivate func errors(_ tokens: [String], _ client: String?) async throws -> [ErrorName?] {
        try await resolve(tokens, client).map { result in
            guard case .failure(let error) = result else { return nil }
            return error.name
        }
    }
}

extension EventRecorder {
    fileprivate func pendingData(_ client: String) async throws -> Authorization {
        try await first(AuthorizationChanged.self) {
            $0.authorization.asksDataAccess == true && $0.authorization.client == client
        }.authorization
    }
}
