import Contract
import Loop
import Testing
import Units

/// What the shield of one of the person's own limits says.
@Suite(.serialized) @LoopActor struct ShieldedByTests {
    @Test(arguments: [
        (
            "limit daily app:chess", ShieldedBy.limit, "Time Limit",
            "You have reached today’s limit for “chess”."
        ),
        ("hours app:chess", .hours, "Closed Now", "You cannot use “chess” at this hour."),
        ("mine", nil, "Restricted", "You cannot use “chess” because it is restricted."),
    ] as [(String, ShieldedBy?, String, String)])
    func aLookNamesTheRule(store: String, rule: ShieldedBy?, title: String, text: String) async throws {
        let home = try ExceptionTests.Home()
        defer { home.close() }
        try await home.shieldApps(["chess"], in: store)
        let params = ShieldScreenRead.Params(kind: .app, subject: "chess")
        let screen = try await home.client.call(ShieldScreenRead.self, params).screen
        #expect(screen.shieldedBy == rule && screen.origin == .system)
        #expect(screen.look.title?.text == title)
        #expect(screen.look.subtitle?.text == text)
    }

    @Test func ofACategoryOthersAreMeant() async throws {
        let home = try ExceptionTests.Home()
        defer { home.close() }
        try await home.shield(
            "shield.applicationCategories", ["policy": "specific", "categories": ["other"]],
            in: "limit monday category:other")
        let params = ShieldScreenRead.Params(kind: .app, subject: "chess")
        let screen = try await home.client.call(ShieldScreenRead.self, params).screen
        #expect(screen.shieldedBy == .limit)
        #expect(
            screen.look.subtitle?.text == "You have reached today’s limit for “chess” and apps like it.")
    }
}
