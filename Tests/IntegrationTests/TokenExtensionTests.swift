import Contract
import JSON
import ScreenTimeTesting
import Testing

/// What an extension sees of the names of apps and sites.
@Suite("extensions and names") struct TokenExtensionTests {
    private static let app = "org.example.app"

    @Test func aCallbackNamesSubjectsByTokens() async throws {
        try await World.with([]) { world in
            try await world.startMonitoring(["auth-service"])
            let bundle = try await FixtureBundle(world)
            try await world.approve(Self.app, try world.record(.auth))
            try bundle.write("", "definition")
            let recorder = try world.record(.monitor)
            try await world.publish(["eventDidReachThreshold:a"]) { event in
                event.applications = ["org.gnome.Chess"]
                event.categories = ["social"]
                event.webDomains = ["example.org"]
            }
            let delivered = try await recorder.first(CallbackDelivered.self)
            // The person and the services read names, the extension tokens.
            #expect(delivered.delivery.about.definition?.applications == ["org.gnome.Chess"])
            let line = try #require(bundle.lines("answer").first)
            let seen = try EventDefinition.decode(Array(line.utf8))
            let tokens = [seen.applications, seen.categories, seen.webDomains].compactMap { $0?.first }
            #expect(tokens.count == 3 && tokens.allSatisfy { $0.hasPrefix("token:") }, "\(line)")
            let resolved = try await world.call(
                TokenResolve.self,
                .init(client: Self.app, tokens: tokens.map { String($0.dropFirst("token:".count)) })
            ).resolved
            #expect(
                resolved.map(\.subject) == [
                    TokenSubject(.app, "org.gnome.Chess"), TokenSubject(.category, "social"),
                    TokenSubject(.domain, "example.org"),
                ])
        }
    }

    @Test func withoutAuthServiceACallbackWaitsAndShowsNoName() async throws {
        try await World.with([]) { world in
            try await world.startMonitoring()
            let bundle = try await FixtureBundle(world)
            try bundle.write("", "definition")
            let recorder = try world.record(.monitor)
            try await world.publish(["eventDidReachThreshold:a"]) { $0.applications = ["org.gnome.Chess"] }
            // It is on its way: what it may show is not known.
            #expect(try await world.deliveries().map(\.state) != [.delivered])
            try await world.start("auth-service")
            let delivered = try await recorder.first(CallbackDelivered.self)
            #expect(delivered.delivery.failures == nil)
            #expect(bundle.lines("answer").allSatisfy { $0.contains("token:") && !$0.contains("Chess") })
        }
    }
}
