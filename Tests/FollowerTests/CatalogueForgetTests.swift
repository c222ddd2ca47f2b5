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

    /// As after a kill: the listing is read while the request, whose apps a predecessor removed, comes again.
    @Test func aListingThatIsUnderWayBringsNothingBack() async throws {
        let directory = try TestDirectory()
        let configuration = try directory.configuration()
        let owner = try Service(.activity, configuration: configuration, migrations: [])
        owner.snapshot = { _ in SnapshotPage(events: [], nextPage: nil) }
        let asked = Expectation<Void>("the listing")
        let forgotten = Expectation<Void>("the answer to privacy.forget")
        try owner.start(
            answering: { owner in
                owner.later(CatalogList.self) { _, _ in
                    asked.fulfil(())
                    try await forgotten.wait()
                    return CatalogList.Result(
                        items: [Self.secret, "org.example.kept"].map {
                            CatalogItem(kind: .app, subject: $0, category: "games", source: .entry)
                        })
                }
            }, following: { _ in })
        let core = try ShieldService(configuration)
        try core.start()
        let client = try RequestClient(
            to: .shield, in: configuration.runtime, tracer: Tracer(service: "test"))
        defer {
            client.close()
            core.service.close()
            owner.close()
        }
        try await asked.wait()
        let answer = try await client.call(
            PrivacyForget.self, PrivacyForget.Params(kind: .app, subject: Self.secret))
        #expect(answer.removed.allSatisfy { $0.count == 0 })
        forgotten.fulfil(())
        var apps: [String] = []
        try await untilTurn("the listing's end") {
            apps = try core.service.database.query("SELECT app FROM app_category") { $0.text(0) }
            return !apps.isEmpty
        }
        #expect(apps == ["org.example.kept"])
    }
}
