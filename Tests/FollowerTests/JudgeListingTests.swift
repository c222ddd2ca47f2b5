import Bus
import Contract
import Loop
import Testing

@testable import ActivityCore
@testable import ServiceKit
@testable import ShieldCore

/// shield-service reads the catalogue while it changes.
extension JudgeTests {
    /// Repeated with more and more turns in between, so that the change meets each step of the listing.
    @Test func aCategoryThatChangesDuringAListingIsTheNewerOne() async throws {
        try await Self.with { pair in
            try await pair.install(["chess": ["Game"], "mail": ["Office"]])
            for turns in 0..<60 {
                try pair.shieldCore?.service.rebuildCopy(of: .activity, because: "a test")
                for _ in 0..<turns { await Self.turn() }
                let category = turns % 2 == 0 ? "social" : "games"
                let moved = try await pair.set("chess", category)
                _ = try await pair.judge([], after: [moved])
                try await pair.until("the end of the listing") { pair.isCatalogueRead }
                #expect(pair.copy["chess"] == category, "after \(turns) turns")
            }
        }
    }

    @Test func anAppForgottenDuringAListingIsForgotten() async throws {
        try await Self.with { pair in
            for turns in 0..<60 {
                let app = "org.secret.App\(turns)"
                let position = try await pair.install([app: ["Game"], "mail": ["Office"]])
                _ = try await pair.judge([], after: [position])
                try pair.shieldCore?.service.rebuildCopy(of: .activity, because: "a test")
                for _ in 0..<turns { await Self.turn() }
                let params = PrivacyForget.Params(kind: .app, subject: app)
                for client in [pair.shield, pair.activity] {
                    _ = try await client.call(PrivacyForget.self, params)
                }
                let moved = try await pair.set("mail", turns % 2 == 0 ? "social" : "games")
                _ = try await pair.judge([], after: [moved])
                try await pair.until("the end of the listing") { pair.isCatalogueRead }
                #expect(pair.copy[app] == nil, "after \(turns) turns")
            }
        }
    }

    /// What only an interrupted listing had is not taken for a part of the next one.
    @Test func aListingThatWasInterruptedLeavesNothing() async throws {
        try await Self.with { pair in
            let shield = try #require(pair.shieldCore)
            let apps = shield.catalogue.apps
            try await pair.until("the first listing") { pair.isCatalogueRead }
            try apps.beginListing()
            _ = try shield.service.transact(trace: nil) {
                try apps.setListed("games", of: "org.secret.App", $0)
            }
            apps.stopListing()
            try apps.beginListing()
            let gone = try shield.service.transact(trace: nil) { transaction in
                _ = try apps.setListed("games", of: "chess", transaction)
                return try apps.completeListing(transaction)
            }
            apps.stopListing()
            #expect(gone == ["org.secret.App"])
            #expect(pair.copy.keys.sorted() == ["chess"])
        }
    }

    /// Suspends for one turn of the loop.
    private static func turn() async {
        await withCheckedContinuation { continuation in
            EventLoop.main.inNextTurn { continuation.resume() }
        }
    }
}
