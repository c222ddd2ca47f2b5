import Bus
import Contract
import Loop
import ScreenTimeTesting
import Testing
import Units

@testable import ServiceKit
@testable import ShieldCore

/// What shield-service forgets does not come back from activity-center, which forgets it later.
@Suite(.serialized) @LoopActor struct CatalogueForgetTests {
    private static let secret = "org.example.secret"

    /// activity-center whose list of apps is answered when `answer` is fulfilled, and shield-service.
    @LoopActor private final class Pair {
        private let directory: TestDirectory
        let owner: Service
        let core: ShieldService
        let client: RequestClient
        let asked = Expectation<Void>("the listing")
        let answer = Expectation<Void>("what comes before the list")
        static let list = CatalogList.Result(
            items: [secret, "org.example.kept"].map {
                CatalogItem(kind: .app, subject: $0, category: "games", source: .entry)
            })

        init() throws {
            directory = try TestDirectory()
            let configuration = try directory.configuration()
            owner = try Service(.activity, configuration: configuration, migrations: [])
            owner.snapshot = { _ in SnapshotPage(events: [], nextPage: nil) }
            try owner.start(
                answering: { [asked, answer] owner in
                    owner.later(CatalogList.self) { _, _ in
                        asked.fulfil(())
                        try await answer.wait()
                        return Self.list
                    }
                }, following: { _ in })
            core = try ShieldService(configuration)
            try core.start()
            client = try RequestClient(
                to: .shield, in: configuration.runtime, tracer: Tracer(service: "test"))
        }

        func close() {
            client.close()
            core.service.close()
            owner.close()
        }

        func apps() throws -> [String] {
            try core.service.database.query("SELECT app FROM app_category") { $0.text(0) }
        }
    }

    /// As after a kill: the listing is read while the request, whose apps a predecessor removed, comes again.
    @Test func aListingThatIsUnderWayBringsNothingBack() async throws {
        let pair = try Pair()
        defer { pair.close() }
        try await pair.asked.wait()
        let answer = try await pair.client.call(
            PrivacyForget.self, PrivacyForget.Params(kind: .app, subject: Self.secret))
        #expect(answer.removed.allSatisfy { $0.count == 0 })
        pair.answer.fulfil(())
        var apps: [String] = []
        try await untilTurn("the listing's end") {
            apps = try pair.apps()
            return !apps.isEmpty
        }
        #expect(apps == ["org.example.kept"])
    }

    /// Nothing is committed between the two.
    @Test func aPageThatComesInTheSameTurnBringsNothingBack() async throws {
        let pair = try Pair()
        defer { pair.close() }
        try await pair.asked.wait()
        let forgetting = Forgetting(member: nil, extent: .subject(.app, Self.secret))
        try pair.core.service.transact(trace: nil) {
            _ = try pair.core.catalogue.forget(forgetting, $0)
        }
        try await pair.core.catalogue.store(Pair.list)
        #expect(try pair.apps() == ["org.example.kept"])
    }
}
