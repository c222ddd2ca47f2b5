import Contract
import Foundation
import JSON
import ScreenTimeTesting
import Testing

/// What an app sees of the names of apps and sites.
@Suite("apps and names") struct AppLinkTokenTests {
    private let app = "org.example.focus"
    private let other = "org.example.other"
    private static let access = "com.apple.developer.family-controls.app-and-website-usage"

    @Test func aSelectionTravelsAsTokensAndShieldsWhatItNames() async throws {
        try await World.with(["auth-service", "monitor-runner", "shield-service"]) { world in
            let events = try world.record(.auth)
            try await world.approve(app, events)
            try await world.approve(other, events)
            for client in [app, other] {
                _ = try await world.call(
                    SelectionSet.self,
                    .init(
                        name: "work", applications: ["org.mozilla.firefox", "org.gnome.Chess"],
                        categories: ["social"], webDomains: ["example.org"]), client: client)
            }
            let lines = try await world.app(["saved", "work", "shield", "work"], ["APP_FIXTURE_CLIENT": app])
            #expect(!lines.joined().contains("firefox"), "\(lines)")
            let saved = try JSONValue.decode(Array(lines[0].dropFirst("saved ".count).utf8))
            #expect(saved.objectValue?.count == 7)
            #expect(saved["applicationTokens"]?.arrayValue?.count == 2)
            #expect(saved["categoryTokens"]?.arrayValue?.count == 1)
            // What it reads back are its own tokens; the service knows the names.
            let token = try #require(saved["applicationTokens"]?.arrayValue?.first?["data"]?.stringValue)
            #expect(lines[1].contains("token:" + token))
            let store = try await world.call(
                SettingsRead.self, .init(store: "fixture"), client: app
            ).store
            #expect(
                store.settings.first?.value.arrayValue?.compactMap(\.stringValue) == [
                    "org.gnome.Chess", "org.mozilla.firefox",
                ])
            // Another app can do nothing with them, and has others.
            let foreign = try await world.app(
                ["shield-token", token, "saved", "work"], ["APP_FIXTURE_CLIENT": other])
            #expect(foreign[0].hasPrefix("shield-token error tokenForeign"), "\(foreign)")
            #expect(!foreign[1].contains(token))
            // A copy under another name has the same subjects.
            _ = try await world.app(["copy", "work", "again"], ["APP_FIXTURE_CLIENT": app])
            let copied = try await world.call(SelectionRead.self, .init(name: "again"), client: app).selection
            #expect(copied.applications == ["org.gnome.Chess", "org.mozilla.firefox"])
            #expect(copied.webDomains == ["example.org"])

            // After a revocation and a new approval: invalid permanently.
            _ = try await world.turn(app, access: false)
            _ = try await world.turn(app, access: true)
            let dead = try await world.app(["shield-token", token], ["APP_FIXTURE_CLIENT": app])
            #expect(dead[0].hasPrefix("shield-token error tokenRevoked"), "\(dead)")
            let damaged = try await world.app(["shield-token", "AAAA"], ["APP_FIXTURE_CLIENT": app])
            #expect(damaged[0].hasPrefix("shield-token error tokenDamaged"), "\(damaged)")
        }
    }

    @Test func whatAnAppSaysIsReadStrictly() async throws {
        try await World.with(["auth-service", "monitor-runner", "activity-center"]) { world in
            try await world.approve(app, try world.record(.auth))
            // "All" is not what a slip of the pen means.
            let slip = try await world.app(
                ["call", "monitoring.stop", #"{"name":["x"]}"#], ["APP_FIXTURE_CLIENT": app])
            #expect(slip.first?.hasPrefix("call error invalidParams") == true, "\(slip)")
            for params in [
                #"{"activities":[{"name":"a","schedule":{},"events":[{"name":"e","applications":["org.x"]}]}]}"#,
                #"{"activities":[{"name":"a","schedule":{},"events":[{"name":"e","categories":["token:AA=="]}]}]}"#,
            ] {
                let refused = try await world.app(
                    ["call", "monitoring.start", params], ["APP_FIXTURE_CLIENT": app])
                #expect(refused.first?.hasPrefix("call error") == true, "\(refused)")
                #expect(refused.first?.contains("org.x") == false, "\(refused)")
            }
        }
    }

    @Test func namesAreForThoseWhomThePersonGaveAccess() async throws {
        try await World.with { world in
            let events = try world.record(.auth)
            try await world.approve(app, events)
            _ = try await world.call(
                CatalogObserve.self,
                .init(
                    device: "desk", apps: [InstalledApp(app: "org.gnome.Chess", name: "Chess")], begins: true)
            )
            let refused = try await world.app(["query", "data"], ["APP_FIXTURE_CLIENT": app])
            #expect(refused[0].hasPrefix("query error unauthorized"), "\(refused)")
            #expect(refused[1] == "data error unauthorized", "\(refused)")

            let bundle = try world.bundle(id: app, entitlements: [Self.access])
            async let asked = world.app(["request", "query", "data"], [:], at: bundle)
            let pending = try await events.first(AuthorizationChanged.self) {
                $0.authorization.asksDataAccess == true
            }.authorization
            try await world.decide(pending.id, .approve)
            let granted = try await asked
            #expect(granted[0] == "request ok approvedWithDataAccess", "\(granted)")
            #expect(granted[1].hasPrefix("query 0"), "\(granted)")
            #expect(granted[2].contains("org.gnome.Chess=Chess"), "\(granted)")
            #expect(granted[2].hasSuffix(" 1 13 []"), "\(granted)")
        }
    }

    @Test func thePickerShowsNamesToWhoMaySeeThem() async throws {
        try await World.with(["auth-service", "monitor-runner", "activity-center"]) { world in
            let events = try world.record(.auth)
            try await world.approve(app, events)
            _ = try await world.call(
                CatalogObserve.self,
                .init(
                    device: "desk", apps: [InstalledApp(app: "org.gnome.Chess", name: "Chess")], begins: true)
            )
            _ = try await world.call(
                SelectionSet.self,
                .init(
                    name: "play", applications: ["org.gnome.Chess"], categories: ["developer tools"],
                    webDomains: ["example.org"]), client: app)
            let kinds = try await world.app(["picker", "play"], ["APP_FIXTURE_CLIENT": app])
            let text = try #require(kinds.first)
            for name in ["App", "Category", "Website"] { #expect(text.contains(name), "\(text)") }
            for name in ["Chess", "eveloper", "example.org"] { #expect(!text.contains(name), "\(text)") }

            let bundle = try world.bundle(id: app, entitlements: [Self.access])
            async let asked = world.app(["request", "picker", "play"], [:], at: bundle)
            let pending = try await events.first(AuthorizationChanged.self) {
                $0.authorization.asksDataAccess == true
            }.authorization
            try await world.decide(pending.id, .approve)
            let named = try #require(try await asked.last)
            for name in ["Chess", "Developer tools", "example.org"] {
                #expect(named.contains(name), "\(named)")
            }
            let empty = try await world.app(["picker", "nothing"], ["APP_FIXTURE_CLIENT": app])
            #expect(empty.first?.contains("Nothing is chosen.") == true, "\(empty)")
        }
    }
}
