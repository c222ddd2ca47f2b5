import Contract
import Foundation
import JSON
import Loop
import ScreenTimeTesting
import Testing

/// shield-service asks real, confined extension programs how shields look and what buttons do.
@Suite(.timeLimit(.minutes(5))) struct ShieldExtensionTests {
    private static let app = "org.example.app"
    private static let services = ["auth-service", "activity-center", "shield-service", "monitor-runner"]

    /// A world in which the app shields these subjects.
    private static func shielding(
        _ settings: [(String, JSONValue)], look: Bool = true, action: Bool = false,
        acting program: String = "screen-fixture", principal: String? = nil,
        _ body: @LoopActor (World, EventRecorder) async throws -> Void
    ) async throws {
        try await World.with(services) { world in
            try await world.approve(app, try world.record(.auth))
            if look {
                _ = try await ScreenBundle(
                    world, "shield-look", .shieldConfiguration, id: app + ".look",
                    principal: "shield_look.ShieldConfigurationExtension")
            }
            if action {
                _ = try await ScreenBundle(
                    world, program, .shieldAction, id: app + ".action", principal: principal)
            }
            _ = try await ShieldServiceTests.write(world, "one", settings, client: app)
            try await body(world, try world.record(.shield))
        }
    }

    private static func read(_ subject: String, _ kind: SubjectKind = .app) -> ShieldScreenRead.Params {
        ShieldScreenRead.Params(kind: kind, subject: subject)
    }

    @LoopActor private static func screen(
        _ world: World, _ subject: String, _ kind: SubjectKind = .app,
        from origin: ShieldLookOrigin = .program
    ) async throws -> ShieldScreen {
        try await world.eventually(ShieldScreenRead.self, read(subject, kind)) {
            $0.screen.origin == origin
        }.screen
    }

    @Test func anAppSaysHowItsShieldLooks() async throws {
        try await Self.shielding([("shield.applications", ["org.a"]), ("shield.webDomains", ["a.example"])]) {
            world, events in
            let screen = try await Self.screen(world, "org.a")
            #expect(screen.client == Self.app && screen.category == nil && screen.explanation == nil)
            #expect(screen.look.title?.text == "org.a ist zu 1")
            #expect(screen.look.primaryButtonLabel?.text == "닫기")
            #expect(screen.look.subtitle?.text == "with a token")
            #expect(screen.look.backgroundColor?.light.hasPrefix("#1A334D") == true)
            #expect(screen.look.backgroundBlurStyle == "systemThickMaterial")
            #expect(screen.look.icon?.systemName == "hourglass")
            let again = try await world.call(ShieldScreenRead.self, Self.read("org.a")).screen
            #expect(again.look.title?.text == "org.a ist zu 1", "asked once")
            #expect(try await Self.screen(world, "a.example", .domain).look.title?.text == "site a.example")
            let told = try await events.first(ShieldConfigured.self) { $0.screen.origin == .program }
            #expect(told.screen.look == screen.look)
            // A change of the store asks the extension again.
            _ = try await ShieldServiceTests.write(
                world, "one", [("shield.applications", ["org.a", "org.b"])], client: Self.app)
            let anew = try await world.eventually(ShieldScreenRead.self, Self.read("org.a")) {
                $0.screen.look.title?.text == "org.a ist zu 2"
            }
            #expect(anew.screen.origin == .program)
        }
    }

    @Test func aCategoryIsNamed() async throws {
        let all: JSONValue = ["policy": "all", "categories": [], "except": []]
        try await Self.shielding([("shield.applicationCategories", all)]) { world, _ in
            let screen = try await Self.screen(world, "org.a")
            #expect(screen.category != nil)
            #expect(screen.look.title?.text.hasPrefix("org.a in ") == true)
            // Its icon was too large: libpng reads it, in confinement, too, and it arrives smaller.
            let icon = try #require(screen.look.icon?.png.flatMap { Data(base64Encoded: $0) })
            #expect(icon[16..<24].elementsEqual([0, 0, 0, 190, 0, 0, 0, 190]))
        }
    }

    @Test func anActionWrittenAsForIOSAnswers() async throws {
        try await Self.shielding(
            [("shield.applications", ["org.a"])], look: false, action: true, acting: "framework-action",
            principal: "framework_action.FrameworkAction"
        ) { world, _ in
            func press(_ button: ShieldButton) async throws -> ShieldActionTaken {
                try await world.eventually(
                    ShieldPress.self, ShieldPress.Params(kind: .app, subject: "org.a", button: button)
                ) { $0.action.program != nil }.action
            }
            #expect(try await press(.primary).response == .close)
            #expect(try await press(.secondary).response == .defer, "later, and from another thread")
            let silent = try await press(.submenu1)
            #expect(silent.response == .none && silent.explanation?.contains("did not answer") == true)
            #expect(try await press(.submenu2).response == .openParentalControlsApp)
        }
    }

    @Test func theOverloadOfTheActionSaysWhatTheShieldComesFrom() async throws {
        let all: JSONValue = ["policy": "all", "categories": [], "except": []]
        let rules: [(String, JSONValue)] = [
            ("shield.applicationCategories", all), ("shield.webDomains", ["a.example"]),
        ]
        try await Self.shielding(rules, look: false, action: true) { world, _ in
            for (kind, subject) in [(SubjectKind.app, "org.a"), (.domain, "www.a.example")] {
                let press = ShieldPress.Params(kind: kind, subject: subject, button: .primary)
                let action = try await world.eventually(ShieldPress.self, press) { $0.action.program != nil }
                #expect(action.action.response == .close && action.action.explanation == nil)
            }
            let log = world.readText("\(world.directory)/state/logs/\(Self.app).action.log")
            #expect(log.contains("act category primaryButtonPressed true"))
            #expect(log.contains("act webDomain primaryButtonPressed true"))
        }
    }

    @Test func forgettingTakesWhatWasShownAndPressed() async throws {
        try await Self.shielding([("shield.applications", ["org.a"])], look: false) { world, events in
            _ = try await world.call(ShieldScreenRead.self, Self.read("org.a"))
            let press = ShieldPress.Params(kind: .app, subject: "org.a", button: .primary)
            _ = try await world.call(ShieldPress.self, press)
            _ = try await events.first(ShieldActionTaken.self)
            try await world.forget([.activity, .shield], .init(kind: .app, subject: "org.a"))
            let log = try await world.client(.shield).call(EventsRead.self, EventsRead.Params(after: 0))
            let told = log.events.filter {
                let text = String(decoding: $0.bytes, as: UTF8.self)
                return text.contains("shield.actionTaken") || text.contains("shield.configured")
            }
            #expect(told.count == 2)
            #expect(told.allSatisfy { !String(decoding: $0.bytes, as: UTF8.self).contains("org.a") })
        }
    }

    @Test func withoutAnExtensionTheSystemHasItsOwnWords() async throws {
        try await Self.shielding([("shield.applications", ["org.a"])], look: false) { world, events in
            let screen = try await world.call(ShieldScreenRead.self, Self.read("org.a")).screen
            #expect(screen.origin == .system && screen.look.title?.text == "Restricted")
            #expect(screen.explanation?.contains("has no shield-configuration extension") == true)
            let free = await refusal { try await world.call(ShieldScreenRead.self, Self.read("org.b")) }
            #expect(free == .notFound)
            let press = ShieldPress.Params(kind: .app, subject: "org.a", button: .primary)
            let action = try await world.call(ShieldPress.self, press).action
            #expect(action.response == .close && action.explanation?.contains("no shield-action") == true)
            _ = try await events.first(ShieldActionTaken.self) { $0 == action }
        }
    }

    @Test func whatCrashesHangsOrIsSlowHarmsNobody() async throws {
        let apps: JSONValue = ["org.example.crash", "org.example.hang", "org.example.slow", "org.a"]
        try await Self.shielding([("shield.applications", apps)]) { world, events in
            _ = try await Self.screen(world, "org.a")
            let asked = try await world.call(ShieldScreenRead.self, Self.read("org.example.slow"))
            let slow = asked.screen
            #expect(slow.origin == .system && slow.explanation?.contains("1000 ms") == true)
            #expect(asked.pending == true)
            let late = try await events.first(ShieldConfigured.self) {
                $0.screen.subject == "org.example.slow" && $0.screen.origin == .program
            }
            #expect(late.screen.look.title?.text == "org.example.slow ist zu 2")
            let done = try await world.call(ShieldScreenRead.self, Self.read("org.example.slow"))
            #expect(done.screen == late.screen && done.pending == nil)
            let after = try await world.eventually(ShieldScreenRead.self, Self.read("org.example.crash")) {
                $0.pending == nil
            }
            let crashed = after.screen
            #expect(crashed.origin == .system && crashed.explanation?.hasPrefix("The default look") == true)
            // Its earlier look stays.
            #expect(try await Self.screen(world, "org.a").look.title?.text == "org.a ist zu 1")
            // Answered while the program still hangs.
            let hung = try await world.eventually(ShieldScreenRead.self, Self.read("org.example.hang")) {
                $0.pending == true && $0.screen.explanation?.contains("1000 ms") == true
            }
            #expect(hung.screen.origin == .system)
            #expect(try await world.health(.shield).state == .ready)
        }
    }

    /// Repeats the request as long as the answer is pending.
    @LoopActor private static func settled(_ world: World, _ subject: String) async throws -> ShieldScreen {
        try await world.eventually(ShieldScreenRead.self, read(subject)) { $0.pending == nil }.screen
    }

    @Test func aChangeWhileItIsAskedDoesNotLoseTheAnswer() async throws {
        try await Self.shielding([("shield.applications", ["org.a", "org.example.slow"])]) { world, events in
            _ = try await Self.screen(world, "org.a")
            let asked = try await world.call(ShieldScreenRead.self, Self.read("org.example.slow"))
            #expect(asked.pending == true)
            _ = try await ShieldServiceTests.write(
                world, "one", [("shield.applications", ["org.a", "org.b", "org.example.slow"])],
                client: Self.app)
            // Followers are notified, too.
            let told = try await events.first(ShieldConfigured.self) {
                $0.screen.subject == "org.example.slow" && $0.screen.origin == .program
            }
            #expect(try await Self.settled(world, "org.example.slow") == told.screen)
        }
    }

    @Test func whoWaitsSeesWhatDrawsTheShieldNow() async throws {
        let rules: [(String, JSONValue)] = [("shield.applications", ["org.a", "org.example.slow"])]
        try await Self.shielding(rules) { world, _ in
            _ = try await Self.screen(world, "org.a")
            _ = try await ShieldServiceTests.write(
                world, "two", [("shield.applications", ["org.example.slow"])])
            _ = try await world.call(ShieldScreenRead.self, Self.read("org.example.slow"))
            _ = try await ShieldServiceTests.write(
                world, "one", [("shield.applications", ["org.a"])], client: Self.app)
            let other = try await Self.settled(world, "org.example.slow")
            #expect(other.origin == .system && other.client == BuiltInClient.limits)
            #expect(other.explanation?.contains("has no shield-configuration extension") == true)
            let free = await refusal { try await world.call(ShieldScreenRead.self, Self.read("org.b")) }
            #expect(free == .notFound)
        }
    }

    @Test func whatFailsLateIsTold() async throws {
        try await Self.shielding([("shield.applications", ["org.a", "org.example.late"])]) { world, events in
            _ = try await Self.screen(world, "org.a")
            let asked = try await world.call(ShieldScreenRead.self, Self.read("org.example.late"))
            #expect(asked.pending == true)
            let told = try await events.first(ShieldConfigured.self) {
                $0.screen.subject == "org.example.late" && $0.screen != asked.screen
            }
            #expect(told.screen.origin == .system)
            #expect(told.screen.explanation?.contains("being asked") == false)
        }
    }

    /// The answer that is underway when the button is pressed is how it looked before.
    @Test func whatIsDeferredIsAskedAnewThoughAnAnswerIsUnderway() async throws {
        let rules: [(String, JSONValue)] = [("shield.applications", ["org.a", "org.example.slow"])]
        try await Self.shielding(rules, action: true) { world, events in
            func press(_ app: String, _ button: ShieldButton) async throws -> ShieldActionTaken {
                try await world.eventually(
                    ShieldPress.self, ShieldPress.Params(kind: .app, subject: app, button: button)
                ) { $0.action.program != nil }.action
            }
            _ = try await Self.screen(world, "org.a")
            #expect(try await press("org.a", .primary).response == .close)
            let asked = try await world.call(ShieldScreenRead.self, Self.read("org.example.slow"))
            #expect(asked.pending == true)
            #expect(try await press("org.example.slow", .secondary).response == .defer)
            _ = try await events.first(ShieldConfigured.self) {
                $0.screen.look.title?.text == "org.example.slow ist zu 3"
            }
        }
    }

    @Test func whatItSaidEarlierStandsWhenItIsGone() async throws {
        try await Self.shielding([("shield.applications", ["org.a"])]) { world, _ in
            _ = try await Self.screen(world, "org.a")
            _ = try await world.call(ExtensionRemove.self, ExtensionRemove.Params(id: Self.app + ".look"))
            let screen = try await Self.screen(world, "org.a", from: .earlier)
            #expect(screen.look.title?.text == "org.a ist zu 1")
            #expect(screen.explanation?.hasPrefix("An earlier look") == true)
        }
    }

    @Test func buttonsAreAnsweredByTheActionExtension() async throws {
        let rules: [(String, JSONValue)] = [("shield.applications", ["org.a"])]
        try await Self.shielding(rules, action: true) { world, events in
            func press(_ button: ShieldButton) async throws -> ShieldActionTaken {
                try await world.eventually(
                    ShieldPress.self, ShieldPress.Params(kind: .app, subject: "org.a", button: button)
                ) { $0.action.program != nil }.action
            }
            #expect(try await Self.screen(world, "org.a").look.title?.text == "org.a ist zu 1")
            #expect(try await press(.primary).response == .close)
            #expect(try await press(.submenu1).response == .openParentalControlsApp)
            #expect(try await press(.secondary).response == .defer)
            // Deferred: asked again how it looks.
            _ = try await events.first(ShieldConfigured.self) {
                $0.screen.look.title?.text == "org.a ist zu 2"
            }
            let lie = try await press(.submenu2)
            #expect(lie.response == .none && lie.explanation?.contains("'explode'") == true)
            let crash = try await press(.submenu3)
            #expect(crash.response == .none && crash.explanation?.hasPrefix("The default response") == true)
            let log = world.readText("\(world.directory)/state/logs/\(Self.app).action.log")
            #expect(log.contains("act application primaryButtonPressed true"))
            let page = "\(world.directory)/a.html"
            let (status, lines) = try await world.screentime("shield", "show", "org.a", "--html", page)
            #expect(status == 0 && lines.contains("title: org.a ist zu 2"))
            #expect(world.readText(page).contains("닫기"))
            #expect(try await world.screentime("shield", "press", "org.a", "explode").status == 64)
            // One that the catalogue does not know, spelt like a domain.
            let unknown: JSONValue = ["org.a", "org.unknown.name.App"]
            _ = try await ShieldServiceTests.write(world, "one", [("shield.applications", unknown)])
            let (known, words) = try await world.screentime("shield", "show", "org.unknown.name.App")
            #expect(known == 0, "\(words)")
        }
    }
}
