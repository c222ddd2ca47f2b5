import Contract
import Loop
import ScreenTimeTesting
import Testing

@Suite("what clients may") struct AuthRightsTests {
    let app = "org.example.focus"

    @Test func aClientDecidesNothingAndRevokesOnlyItself() async throws {
        try await World.with(["auth-service"]) { world in
            let events = try world.record(.auth)
            let unknown = await refusal {
                try await world.call(AuthorizationRevoke.self, .init(client: app), client: app)
            }
            #expect(unknown == .notAuthorized)
            let asking = world.ask(app)
            let pending = try await events.pending(app)
            let own = await refusal {
                try await world.call(
                    AuthorizationDecide.self, .init(id: pending.id, decision: .approve), client: app)
            }
            #expect(own == .accessDenied, "nothing approves itself")
            let switched = await refusal {
                try await world.call(AuthorizationSwitch.self, .init(client: app, access: true), client: app)
            }
            #expect(switched == .accessDenied)
            try await world.decide(pending.id, .approve)
            _ = try await asking.value
            try await world.approve("org.example.b", events)
            let other = await refusal {
                try await world.call(AuthorizationRevoke.self, .init(client: "org.example.b"), client: app)
            }
            #expect(other == .accessDenied)
            _ = try await world.call(AuthorizationRevoke.self, .init(client: app), client: app)
            let last = try await events.first(AuthorizationChanged.self) { $0.revoked }
            #expect(last.authorization.client == app && last.authorization.status == .notDetermined)
            let gone = await refusal {
                try await world.call(AuthorizationRevoke.self, .init(client: app), client: app)
            }
            #expect(gone == .notAuthorized)
        }
    }

    @Test func aClientSeesOnlyItsOwn() async throws {
        try await World.with(["auth-service"]) { world in
            let events = try world.record(.auth)
            try await world.approve(app, events)
            try await world.approve("org.example.b", events)
            #expect(try await world.authorizations().map(\.client) == ["org.example.b", app])
            let own = try await world.call(AuthorizationList.self, .init(), client: app)
            #expect(own.authorizations.map(\.client) == [app])
            let others = try await world.call(
                AuthorizationList.self, .init(client: "org.example.b"), client: app)
            #expect(others.authorizations.isEmpty)
        }
    }

    @Test func theTwoSwitches() async throws {
        try await World.with(["auth-service"]) { world in
            let events = try world.record(.auth)
            try await world.approve(app, events)
            _ = try await world.turn(app, restrictions: false)
            _ = try await world.turn(app, access: false)
            let off = try #require(try await world.authorizations(app).first)
            #expect(off.status == .denied && !off.access && !off.restrictions)
            let head = try await world.turn(app, access: false)
            #expect(try await world.turn(app, access: false) == head, "off again changes nothing")
            _ = try await world.turn(app, access: true)
            let back = try #require(try await world.authorizations(app).first)
            #expect(back.status == .approved && back.access && !back.restrictions)
            _ = try await world.turn(app, restrictions: true)
            _ = try await events.wait(for: "the last switch") { try $0.changes(app).count == 6 ? true : nil }
            let flags = try events.changes(app).map(\.revoked)
            #expect(flags == [false, false, false, true, false, false])
            #expect(await refusal { try await world.turn("org.example.none", access: true) } == .notFound)
        }
    }

    @Test func otherServicesObeyTheWordAtOnce() async throws {
        try await World.with(["auth-service", "activity-center"]) { world in
            let events = try world.record(.auth)
            let list = { @LoopActor in try await world.call(MonitoringList.self, .init(), client: app) }
            #expect(await refusal { try await list() } == .notAuthorized)
            try await world.approve(app, events)
            #expect(await refusal { try await list() } == nil)
            let revoked = try await world.call(AuthorizationRevoke.self, .init(client: app)).sequence
            // The person's read waits until the other service has heard of it.
            _ = try await world.call(MonitoringList.self, .init(), notBefore: [Position(.auth, revoked)])
            #expect(await refusal { try await list() } == .notAuthorized)
            #expect(try await world.health(.activity).counters.contains { $0.name == "not_authorized" })
        }
    }

    @Test func aRevokedClientIsAskedAgain() async throws {
        try await World.with(["auth-service"]) { world in
            let events = try world.record(.auth)
            let first = try await world.approve(app, events)
            _ = try await world.call(AuthorizationRevoke.self, .init(client: app))
            let asking = world.ask(app)
            _ = try await events.wait(for: "a second question") {
                try $0.changes(app).filter(\.authorization.pending).count == 2 ? true : nil
            }
            _ = try await world.turn(app, access: true)
            #expect(try await asking.value.authorization.id == first.id, "a switch is the person's word, too")
        }
    }
}
