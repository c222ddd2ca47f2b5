import Contract
import JSON
import Loop
import ScreenTimeTesting
import Testing

/// "Always allowed", by the person's word, against every store.
@Suite("limits: always allowed") struct LimitsMarkTests {
    private static let game = "org.example.Game"
    private static let mail = "org.example.Mail"

    @LoopActor private static func explained(
        _ world: World, _ subject: String, _ category: String
    ) async throws -> ShieldExplain.Result {
        try await world.call(
            ShieldExplain.self, ShieldExplain.Params(subject: subject, category: category))
    }

    /// The maximum number of apps is excluded already: one more is refused, and no mark is stored for it.
    @Test func whatCannotBeLeftOutIsNotMarked() async throws {
        try await World.with(LimitsAppTests.services, clock: "2026-03-02T09:00:00Z") { world in
            try await world.teach([Self.game: "games"])
            let total = try await world.app("limits", "total", "2h")
            #expect(total.status == 0, "\(total)")
            let long = String(repeating: "n", count: 500)
            let names = (0..<600).map { JSONValue.string("\(long)\($0)") }
            _ = try await world.call(
                SettingsWrite.self,
                SettingsWrite.Params(
                    store: AllowedSettings.store,
                    settings: [Setting(key: "ignore.applications", value: .array(names))]))
            let ignored = try await world.app("limits", "ignore", Self.game, "--app")
            #expect(ignored.status == 1, "\(ignored)")
            let list = try await world.app("limits", "list")
            #expect(list.status == 0 && !list.lines.contains { $0.hasPrefix(Self.game) })
        }
    }

    /// Its name can be removed from every rule of the person's, by what `forget` says.
    @Test func whatTheCatalogueForgotIsFoundAmongTheLimits() async throws {
        try await World.with { world in
            func limits(_ words: String...) async throws {
                let done = try await world.app("limits", words: words)
                #expect(done.status == 0, "\(words): \(done.errors)")
            }
            let set = try await world.command("catalog", "set", "--app", Self.game, "games")
            #expect(set.status == 0, "\(set)")
            try await limits("set", Self.game, "30m")
            try await limits("allow", Self.game)
            try await limits("ignore", Self.game)
            let forgotten = try await world.command("forget", "--app", Self.game, "--yes")
            let remedy = "limits disallow --app \(Self.game); limits unignore --app \(Self.game)"
            #expect(forgotten.lines.contains("    to remove that too: \(remedy)"), "\(forgotten)")
            let unset = try await world.command("catalog", "unset", "--app", Self.game)
            #expect(unset.status == 0, "\(unset)")
            try await limits("remove", Self.game)
            try await limits("disallow", Self.game)
            try await limits("unignore", "--app", Self.game)
            let list = try await world.app("limits", "list")
            #expect(list.lines == ["No limits yet."], "\(list)")
            let again = try await world.command("forget", "--app", Self.game, "--yes")
            #expect(!again.output.contains("What still names it"), "\(again)")
        }
    }

    @Test func anAppADomainAndACategoryAreNeverShielded() async throws {
        try await World.with(LimitsAppTests.services, clock: "2026-03-02T09:00:00Z") { world in
            try await world.teach([Self.game: "games", Self.mail: "productivity"])
            _ = try await world.call(
                SettingsWrite.self,
                SettingsWrite.Params(
                    store: "policy",
                    settings: [
                        Setting(key: "shield.applications", value: [.string(Self.mail)]),
                        Setting(key: "shield.webDomains", value: ["help.test"]),
                        Setting(key: "shield.applicationCategories", value: ["policy": "all"]),
                    ]))
            #expect(
                try await world.shielded() == [
                    "app \(Self.mail) policy", "category all policy", "domain help.test policy",
                ])
            for words in [["allow", Self.mail], ["allow", "help.test", "--domain"], ["allow", "games"]] {
                let done = try await world.app("limits", words: words)
                #expect(done.status == 0, "\(words): \(done.errors)")
            }
            // A shield that is allowed only in part stays.
            #expect(try await world.shielded() == ["category all policy"])
            let mail = try await Self.explained(world, Self.mail, "productivity")
            #expect(!mail.shielded && mail.explanation.first?.contains("always allowed") == true)
            let help = try await Self.explained(world, "www.help.test", "other")
            #expect(!help.shielded && help.explanation.first?.contains("always allowed") == true)
            let game = try await Self.explained(world, Self.game, "games")
            #expect(!game.shielded && game.explanation.first?.contains("always allowed") == true)
            let other = try await Self.explained(world, "org.example.Other", "social")
            #expect(other.shielded)
            let list = try await world.app("limits", words: ["list", "--json"]).json()
            let marked = list.arrayValue ?? []
            #expect(marked.count == 3, "\(list)")
            #expect(marked.allSatisfy { $0["alwaysAllowed"] == true && $0["shut"] == false }, "\(list)")
            _ = try await world.app("limits", words: ["disallow", "games"])
            _ = try await world.app("limits", words: ["disallow", Self.mail])
            let back = try await world.shielded()
            #expect(back == ["app \(Self.mail) policy", "category all policy"])
        }
    }
}
