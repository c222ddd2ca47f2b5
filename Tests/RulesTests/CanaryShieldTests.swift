import Contract
import Rules
import Testing

/// The app that the agent shields to see whether shields act.
struct CanaryShieldTests {
    private static let canary = Subject.app(CanaryApp.id)

    /// So a check changes nothing of what else is shielded, and shows the same whatever that is.
    @Test func onlyAStoreThatNamesItShieldsIt() {
        let covering = ShieldTests.store("all", .all(except: []))
        #expect(ShieldTests.deciding(ShieldPolicy([covering]), Self.canary, "other") == [])
        #expect(ShieldTests.deciding(ShieldPolicy([covering]), .app("chess"), "other") != [])
        let naming = ShieldTests.store("canary", apps: [CanaryApp.id])
        let both = ShieldPolicy([covering, naming])
        #expect(ShieldTests.deciding(both, Self.canary, "other") == ["canary shield.applications"])
    }

    @Test func nothingOpensIt() {
        var open = OpenSubjects()
        open.insert(.category, ShieldPolicy.everyCategory)
        let naming = ShieldTests.store("canary", apps: [CanaryApp.id, "chess"])
        let policy = ShieldPolicy(
            [naming], alwaysAllowed: [Self.canary], alwaysAllowedCategories: ["other"], exceptions: open)
        #expect(ShieldTests.deciding(policy, Self.canary, "other") == ["canary shield.applications"])
        #expect(ShieldTests.deciding(policy, .app("chess"), "other") == [])
        #expect(policy.shields(of: "m") { _ in "other" }.map(\.subject) == [CanaryApp.id])
    }
}
