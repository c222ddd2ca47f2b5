import Contract
import Testing

@testable import LimitsCore

/// What is listed is found by its own names, without the catalogue.
@Suite struct TargetFinderTests {
    private static let listed: Set = [
        LimitTarget.total, LimitTarget(.app, "org.example.Game"), LimitTarget(.app, "games"),
        LimitTarget(.domain, "xn--bcher-kva.de"), LimitTarget(.category, "games"),
    ]

    @Test(arguments: [
        ("org.example.Game", LimitTarget(.app, "org.example.Game")), ("Total", .total),
        ("BÜCHER.de.", LimitTarget(.domain, "xn--bcher-kva.de")),
        ("xn--bcher-kva.de", LimitTarget(.domain, "xn--bcher-kva.de")),
    ])
    func aListedTargetIsFoundByItsOwnNames(word: String, target: LimitTarget) throws {
        #expect(try TargetFinder.find(word, listed: Self.listed) == target)
    }

    @Test func aWordOfTwoKindsNeedsItsKind() throws {
        let error = #expect(throws: ServiceError.self) {
            try TargetFinder.find("games", listed: Self.listed)
        }
        #expect(error?.name == .invalidArgument && error?.remedy == "Add --app or --category.")
        #expect(try TargetFinder.find("games", as: .app, listed: Self.listed).kind == .app)
        #expect(try TargetFinder.find("Games", as: .category, listed: Self.listed).kind == .category)
    }
}
