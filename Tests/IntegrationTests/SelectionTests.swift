import Contract
import JSON
import Loop
import ScreenTimeTesting
import Testing

@Suite("selections") struct SelectionTests {
    private let app = "org.example.focus"

    private func withCatalogue(_ body: @LoopActor (World) async throws -> Void) async throws {
        try await World.with(["auth-service", "activity-center"]) { world in
            _ = try await world.call(
                CatalogObserve.self,
                .init(
                    device: "desk",
                    apps: [
                        InstalledApp(app: "org.mozilla.firefox", name: "Firefox", categories: ["WebBrowser"]),
                        InstalledApp(app: "org.gnome.Chess", name: "Chess", categories: ["BoardGame"]),
                        InstalledApp(app: "net.minetest.minetest", name: "Luanti", categories: ["Game"]),
                    ], begins: true))
            try await body(world)
        }
    }

    @Test func createEditShowListRemove() async throws {
        try await withCatalogue { world in
            let made = try await world.command(
                "selection", "create", "work", "--client", app, "--app", "firefox", "--category", "Social",
                "--domain", "Example.ORG")
            #expect(made.status == 0, "\(made.errors)")
            #expect(made.output.contains("apps: org.mozilla.firefox"))
            let again = try await world.command("selection", "create", "work", "--client", app)
            #expect(again.status == 1 && again.errors.contains("selection edit"))

            let edited = try await world.command(
                "selection", "edit", "work", "--client", app, "--add-app", "org.gnome.Chess",
                "--add-category",
                "games", "--remove-app", "org.mozilla.firefox", "--remove-domain", "example.org", "--json")
            #expect(edited.status == 0, "\(edited.errors)")
            let saved = try SelectionSet.Result.decode(Array(edited.output.utf8)).selection
            #expect(saved.applications == ["org.gnome.Chess"])
            #expect(saved.categories == ["games", "social"] && saved.webDomains.isEmpty)

            let shown = try await world.command("selection", "show", "work", "--client", app, "--json").json()
            #expect(
                shown.objectValue?.map(\.key) == [
                    "applicationTokens", "categoryTokens", "includeEntireCategory",
                    "untokenizedApplicationIdentifiers", "untokenizedCategoryIdentifiers",
                    "untokenizedWebDomainIdentifiers", "webDomainTokens",
                ])
            let token = try #require(shown["applicationTokens"]?.arrayValue?.first?["data"]?.stringValue)
            let meant = try await world.call(TokenResolve.self, .init(client: app, tokens: [token])).resolved
            #expect(meant.first?.subject == TokenSubject(.app, "org.gnome.Chess"))
            #expect(shown["includeEntireCategory"]?.boolValue == false)

            let list = try await world.command("selection", "list")
            #expect(list.lines.count == 2 && list.lines[1].hasPrefix("work"))
            #expect(try await world.command("selection", "remove", "work", "--client", app).status == 0)
            let gone = try await world.command("selection", "show", "work", "--client", app)
            #expect(gone.status == 1 && gone.errors.contains("selection create"))
        }
    }

    @Test func anEntireCategoryBringsWhatIsInIt() async throws {
        try await withCatalogue { world in
            let made = try await world.command(
                "selection", "create", "play", "--client", app, "--category", "games", "--entire-category",
                "--json")
            let saved = try SelectionSet.Result.decode(Array(made.output.utf8)).selection
            #expect(saved.includeEntireCategory)
            #expect(saved.applications == ["net.minetest.minetest", "org.gnome.Chess"])
        }
    }

    @Test func unknownNamesAreRefusedWithTheNearestThereAre() async throws {
        try await withCatalogue { world in
            let misspelt = try await world.command(
                "selection", "create", "a", "--client", app, "--app", "org.gnome.Ches")
            #expect(
                misspelt.status == 1 && misspelt.errors.contains("'org.gnome.Chess'"), "\(misspelt.errors)")
            let category = try await world.command(
                "selection", "create", "a", "--client", app, "--category", "gamse")
            #expect(category.status == 1 && category.errors.contains("'games'"), "\(category.errors)")
            let far = try await world.command(
                "selection", "create", "a", "--client", app, "--app", "zzzzzzzzzz")
            #expect(far.status == 1 && far.errors.contains("catalog list"))
            let domain = try await world.command(
                "selection", "create", "a", "--client", app, "--domain", "no domain")
            #expect(domain.status != 0)
            #expect(try await world.command("selection", "create", "a").status == 64)
            #expect(try await world.command("selection", "list").lines.count == 1)
        }
    }

    @Test func aClientHasItsOwnAndTheyAreTold() async throws {
        try await World.with(["auth-service"]) { world in
            let events = try world.record(.auth)
            try await world.approve(app, events)
            try await world.approve("org.example.b", events)
            _ = try await world.call(
                SelectionSet.self, .init(name: "x", applications: ["b", "a", "b"]), client: app)
            let told = try await events.first(SelectionChanged.self)
            #expect(told.selection.client == app && told.selection.applications == ["a", "b"])
            let other = await refusal {
                try await world.call(
                    SelectionRead.self, .init(name: "x", client: app), client: "org.example.b")
            }
            #expect(other == .accessDenied)
            #expect(
                try await world.call(SelectionList.self, .init(), client: "org.example.b").selections.isEmpty)
            #expect(try await world.call(SelectionList.self, .init(), client: app).selections.count == 1)
            let page = try await world.call(EventsSnapshot.self, .init(), client: nil)
            #expect(page.events.contains { String(decoding: $0.bytes, as: UTF8.self).contains("\"x\"") })
            _ = try await world.call(SelectionRemove.self, .init(name: "x"), client: app)
            _ = try await events.first(SelectionChanged.self) { $0.removed }
        }
    }
}
