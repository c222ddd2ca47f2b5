import Contract
import Loop
import Testing
import Units

/// What the shield of one of the person's own limits says.
@Suite(.serialized) @LoopActor struct ShieldedByTests {
    @Test(arguments: [
        ("limit daily app:chess", ShieldedBy.limit, "Time Limit", "today's time for it is used up"),
        ("hours app:chess", .hours, "Outside Its Hours", "it is closed at this hour"),
        ("mine", nil, "Restricted", "it is restricted"),
    ] as [(String, ShieldedBy?, String, String)])
    func aLookNamesTheRule(store: String, rule: ShieldedBy?, title: String, why: String) async throws {
        let home = try ExceptionTests.Home()
        defer { home.close() }
        try await home.shieldApps(["chess"], in: store)
        let params = ShieldScreenRead.Params(kind: .app, subject: "chess")
        let screen = try await home.client.call(ShieldScreenRead.self, params).screen
        #expect(screen.shieldedBy == rule && screen.origin == .system)
        #expect(screen.look.title?.text == title)
        #expect(screen.look.subtitle?.text == "You cannot use “chess” because \(why).")
    }

    @Test func ofACategoryItsNameIsSaid() async throws {
        let home = try ExceptionTests.Home()
        defer { home.close() }
        try await home.shield(
            "shield.applicationCategories", ["policy": "specific", "categories": ["other"]],
            in: "limit monday category:other")
        let params = ShieldScreenRead.Params(kind: .app, subject: "chess")
        let screen = try await home.client.call(ShieldScreenRead.self, params).screen
        #expect(screen.shieldedBy == .limit)
        #expect(
            screen.look.subtitle?.text == "You cannot use “chess” because today's time for Other is used up.")
    }
}
