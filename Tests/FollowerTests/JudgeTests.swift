import Bus
import Contract
import JSON
import Loop
import ScreenTimeTesting
@testable import ServiceKit
import Testing
import Units

@testable import ActivityCore
@testable import DesktopCore
@testable import ShieldCore

/// shield-service judges apps and hosts by activity-center's catalogue, also while that is away.
@Suite(.serialized) @LoopActor struct JudgeTests {
    /// activity-center and shield-service in this process, with stores of their own.
    @LoopActor final class Pair {
        let directory: TestDirectory
        let configuration: Configuration
        private(set) var activityCore: ActivityCenter?
        private(set) var shieldCore: ShieldService?
        let activity: RequestClient
        let shield: RequestClient

        init() throws {
            directory = try TestDirectory()
            configuration = try directory.configuration()
            let tracer = Tracer(service: "test")
            activity = try RequestClient(to: .activity, in: configuration.runtime, tracer: tracer)
            shield = try RequestClient(to: .shield, in: configuration.runtime, tracer: tracer)
            try startActivity()
            try startShield()
        }

        func startActivity() throws {
            activityCore = try ActivityCenter(configuration)
            try activityCore?.start()
        }

        func stopActivity() {
            activityCore?.service.close()
            activityCore = nil
        }

        func startShield() throws {
            shieldCore = try ShieldService(configuration)
            try shieldCore?.start()
        }

        func stopShield() {
            shieldCore?.service.close()
            shieldCore = nil
        }

        func close() {
            stopShield()
            stopActivity()
            activity.close()
            shield.close()
        }

        /// Shields these categories of apps, and these of domains.
        func shieldCategories(_ apps: [String], domains: [String] = []) async throws {
            func rule(_ names: [String]) -> JSONValue {
                ["policy": "specific", "categories": .array(names.map { .string($0) })]
            }
            _ = try await shield.call(
                SettingsWrite.self,
                SettingsWrite.Params(
                    store: "test",
                    settings: [
                        Setting(key: "shield.applicationCategories", value: rule(apps)),
                        Setting(key: "shield.webDomainCategories", value: rule(domains)),
                    ]))
        }

        @discardableResult
        func install(_ apps: [String: [String]]) async throws -> Position {
            let installed = apps.map { InstalledApp(app: $0.key, name: $0.key, categories: $0.value) }
            let written = try await activity.call(
                CatalogObserve.self, CatalogObserve.Params(device: "here", apps: installed))
            return Position(.activity, written.sequence)
        }

        @discardableResult
        func set(_ app: String, _ category: String?) async throws -> Position {
            let result = try await activity.call(
                CatalogSet.self, CatalogSet.Params(about: CatalogTarget(app: app), category: category))
            return Position(.activity, result.sequence)
        }

        /// For each app and host `CATEGORY SHIELD`, with a question mark when the catalogue did not say.
        func judge(
            _ apps: [String], _ domains: [String] = [], after positions: [Position] = []
        ) async throws -> [String] {
            let result = try await shield.call(
                ShieldJudge.self, ShieldJudge.Params(apps: apps, domains: domains),
                options: CallOptions(notBefore: positions))
            return result.judgements.map { "\($0.category)\($0.known ? "" : "?") \($0.shield ?? "-")" }
        }

        func events<E: EventData>(_ type: E.Type) async throws -> [E] {
            try await shield.call(EventsRead.self, EventsRead.Params(after: 0)).events.compactMap { raw in
                let event = try AnyEvent.decode(raw.bytes)
                guard event.head.type == E.type, let data = event.data else { return nil }
                return try E.decode(data.bytes)
            }
        }

        /// Suspends until something is true; the reactor's turns decide when it is looked at.
        func until(_ what: String, _ isTrue: @escaping @LoopActor () -> Bool) async throws {
            let expectation = Expectation<Void>(what)
            let token = EventLoop.main.atEndOfTurn { if isTrue() { expectation.fulfil(()) } }
            defer { EventLoop.main.forget(token) }
            if isTrue() { return }
            try await expectation.wait(deadline: 60_000)
        }

        /// Whether nothing of the catalogue is being read, or to be read.
        var isCatalogueRead: Bool {
            guard let apps = shieldCore?.catalogue.apps else { return false }
            return !apps.isListing && (try? apps.isListingDue()) == false
        }

        /// The category of each app in shield-service's copy.
        var copy: [String: String] { shieldCore?.catalogue.apps.byApp ?? [:] }
    }

    static func with(_ body: @LoopActor (Pair) async throws -> Void) async throws {
        let pair = try Pair()
        defer { pair.close() }
        try await body(pair)
    }

    @Test func appsAndHostsAreJudgedByTheirCategories() async throws {
        try await Self.with { pair in
            try await pair.shieldCategories(["games", "other"], domains: ["social"])
            let position = try await pair.install(["chess": ["Game"], "editor": ["TextEditor", "Office"]])
            let answers = try await pair.judge(
                ["chess", "editor", "stranger", "firefox"], ["www.reddit.com", "example.org"],
                after: [position])
            #expect(
                answers == [
                    "games games", "productivity -", "other? other", "utilities? -", "social social",
                    "other -",
                ])
        }
    }

    @Test func aShieldOfAllAndOneOfTheSubjectItself() async throws {
        try await Self.with { pair in
            _ = try await pair.shield.call(
                SettingsWrite.self,
                SettingsWrite.Params(
                    store: "test",
                    settings: [
                        Setting(
                            key: "shield.applicationCategories", value: ["policy": "all", "except": ["go"]]),
                        Setting(key: "shield.applications", value: ["chess"]),
                        Setting(key: "shield.webDomains", value: ["example.org"]),
                    ]))
            let answers = try await pair.judge(["chess", "go", "any"], ["www.Example.org", "org"])
            #expect(answers == ["other? chess", "other? -", "other? all", "other example.org", "other -"])
        }
    }

    @Test func whatThePersonSetsIsPublishedWhenItChangesAShield() async throws {
        try await Self.with { pair in
            try await pair.shieldCategories(["games"])
            try await pair.install(["beta": ["Office"]])
            let moved = try await pair.set("beta", "games")
            #expect(try await pair.judge(["beta"], after: [moved]) == ["games games"])
            #expect(try await pair.events(ShieldCoverageChanged.self).count == 1)
            let elsewhere = try await pair.set("beta", "social")
            #expect(try await pair.judge(["beta"], after: [elsewhere]) == ["social -"])
            #expect(try await pair.events(ShieldCoverageChanged.self).count == 2)
            // From one category that is open to another nothing changes.
            let open = try await pair.set("beta", "reading")
            #expect(try await pair.judge(["beta"], after: [open]) == ["reading -"])
            let events = try await pair.events(ShieldCoverageChanged.self)
            #expect(events.count == 2 && events.allSatisfy { $0.kind == .app })
        }
    }

    @Test func hostsAreAskedForAgainWhenAListChanges() async throws {
        try await Self.with { pair in
            try await pair.shieldCategories([], domains: ["games"])
            #expect(try await pair.judge([], ["www.play.test"]) == ["other -"])
            let list = try await pair.activity.call(
                CatalogImport.self,
                CatalogImport.Params(
                    list: "mine", attempt: "1", part: 0, last: true,
                    groups: [CatalogGroup(category: "games", domains: ["play.test"])]))
            let position = Position(.activity, list.sequence)
            #expect(try await pair.judge([], ["www.play.test"], after: [position]) == ["games games"])
            #expect(try await pair.events(ShieldCoverageChanged.self).map(\.kind) == [.domain])
        }
    }

    @Test func withoutActivityCenterTheCopyJudges() async throws {
        try await Self.with { pair in
            try await pair.shieldCategories(["games"], domains: ["social"])
            let position = try await pair.install(["chess": ["Game"]])
            let before = try await pair.judge(["chess"], ["example.org"], after: [position])
            #expect(before == ["games games", "other -"])
            pair.stopActivity()
            try await pair.until("the end of the connection") {
                pair.shieldCore?.service.isConnected(.activity) == false
            }
            let hosts = ["example.org", "www.reddit.com", "new.test"]
            let answers = try await pair.judge(["chess", "new"], hosts)
            #expect(answers == ["games games", "other? -", "other -", "social? social", "other? -"])
            pair.stopShield()
            try pair.startShield()
            #expect(try await pair.judge(["chess"]) == ["games games"], "the copy outlives a restart")
            try pair.startActivity()
            let moved = try await pair.set("chess", "reading")
            #expect(try await pair.judge(["chess"], after: [moved]) == ["reading -"])
        }
    }

    /// A store of before the copy: events cannot say what was there when nobody followed.
    @Test func theCatalogueIsReadWholeAtFirst() async throws {
        try await Self.with { pair in
            pair.stopShield()
            var apps: [String: [String]] = [:]
            for number in 0..<400 { apps["app\(number)"] = number % 2 == 0 ? ["Game"] : [] }
            try await pair.install(apps)
            try await pair.install(["late": ["Game"], "more": []])
            // As after a trim of the log: only the listing has them.
            try pair.startShield()
            try await pair.shieldCategories(["games"])
            let answers = try await pair.judge(["app0", "app1", "late"])
            #expect(answers == ["games games", "other -", "games games"])
            try await pair.until("402 apps") { pair.copy.count == 402 }
        }
    }

    @Test func programsThatSomebodyNamedAreListed() async throws {
        try await Self.with { pair in
            try await pair.shieldCategories(["games"])
            _ = try await pair.shield.call(
                SettingsWrite.self,
                SettingsWrite.Params(
                    store: "more",
                    settings: [Setting(key: "shield.applications", value: ["exe:/opt/a", "chess"])]))
            let moved = try await pair.set("exe:/opt/b", "games")
            _ = try await pair.set("exe:/opt/c", "social")
            let result = try await pair.shield.call(
                ShieldJudge.self, ShieldJudge.Params(programs: true),
                options: CallOptions(notBefore: [moved]))
            #expect(result.programs == ["exe:/opt/a", "exe:/opt/b"] && result.programsLeftOut == nil)
            #expect(try await pair.shield.call(ShieldJudge.self, ShieldJudge.Params()).programs == nil)
        }
    }

    @Test func tooManyAtOnceAndNamelessOnesAreRefused() async throws {
        try await Self.with { pair in
            let many = ShieldJudge.Params(apps: (0...500).map { "a\($0)" })
            await #expect(throws: ServiceError.self) { try await pair.shield.call(ShieldJudge.self, many) }
            for name in ["", "a\u{0}b", String(repeating: "x", count: 600)] {
                await #expect(throws: ServiceError.self, "\(name)") {
                    try await pair.shield.call(ShieldJudge.self, ShieldJudge.Params(apps: [name]))
                }
            }
        }
    }

    @Test func nothingOfAForgottenAppStays() async throws {
        try await Self.with { pair in
            let position = try await pair.install(["chess": ["Game"], "org.secret.App": ["Game"]])
            _ = try await pair.judge([], after: [position])
            #expect(pair.copy.keys.sorted() == ["chess", "org.secret.App"])
            let params = PrivacyForget.Params(kind: .app, subject: "org.secret.App")
            for client in [pair.shield, pair.activity] {
                _ = try await client.call(PrivacyForget.self, params)
            }
            #expect(pair.copy.keys.sorted() == ["chess"])
            try await pair.until("the end of the listing") { pair.isCatalogueRead }
            #expect(pair.copy.keys.sorted() == ["chess"])
        }
    }

    /// What activity-center forgets by itself, such as use that is too old, shield-service forgets as well.
    /// Categories that the person set go when everything is forgotten.
    @Test func whatTheOwnerForgetsIsForgottenHere() async throws {
        try await Self.with { pair in
            try await pair.shieldCategories(["games"])
            try await pair.install(["chess": ["Game"], "mail": ["Office"]])
            _ = try await pair.activity.call(
                UsageObserve.self,
                UsageObserve.Params(
                    device: "here", deviceModel: "import",
                    observations: [
                        Observation(
                            at: 1_685_577_600_000, kind: .focus, app: "org.secret.App", appName: "Secret"),
                        Observation(at: 1_685_577_660_000, kind: .focus),
                    ]))
            let moved = try await pair.set("mail", "games")
            #expect(try await pair.judge(["mail"], after: [moved]) == ["games games"])
            try await pair.until("the app that was used") { pair.copy["org.secret.App"] != nil }
            _ = try await pair.activity.call(PrivacyForget.self, PrivacyForget.Params(everything: true))
            try await pair.until("the end of the name") { pair.copy["org.secret.App"] == nil }
            #expect(try await pair.judge(["mail"]) == ["productivity -"])
        }
    }

    // MARK: the agent's part

    /// What the agent was given, in order: for one app the shield, or why there is none.
    @LoopActor private final class Agent {
        let reporter: AppReporter
        private(set) var given: [String] = []
        private(set) var follower: ShieldFollower?
        private let entry: AppEntry
        private var windows: Set<String> = []

        init(
            _ pair: Pair, app: String, categories: [String], patience: Milliseconds = 60_000
        ) throws {
            entry = AppEntry(id: app, name: app, startupClass: nil, program: nil, categories: categories)
            let log = try Log(name: "agent", directory: pair.configuration.logDirectory, level: .error)
            reporter = AppReporter(
                pair.activity, device: "here", log: log, patience: patience)
            let identity = AppIdentity(
                id: app, name: app, categories: categories, resolvedBy: .startupClass, executablePath: nil)
            follower = ShieldFollower(
                pair.shield, in: pair.configuration.runtime, member: Household.defaultMember, log: log,
                reporter: reporter, apps: { [weak self] in self?.windows ?? [] }
            ) { [weak self] judgements, _ in
                self?.answers += 1
                guard judgements.has(identity) else { return }
                let shield = judgements.shield(of: identity) ?? "-"
                if self?.given.last != shield { self?.given.append(shield) }
            }
            follower?.refresh()
        }

        private(set) var answers = 0

        /// Its window is there before its desktop entry is reported.
        func open() {
            windows = [entry.id]
            follower?.refresh()
            reporter.set([entry])
        }

        func close() {
            follower?.close()
            reporter.close()
        }
    }

    /// An app that was just installed has a window before the catalogue knows it. It is a game, so a shield
    /// of `other` never covers it, not for an instant, and one of games does as soon as it is reported.
    @Test func anAppThatNobodyKnowsIsReportedBeforeItIsJudged() async throws {
        try await Self.with { pair in
            try await pair.shieldCategories(["other"])
            let game = try Agent(pair, app: "newgame", categories: ["Game"])
            defer { game.close() }
            try await pair.until("its first answer") { game.answers > 0 }
            // The report takes a while.
            pair.stopActivity()
            game.open()
            try await pair.until("the answer that nobody knows it") { game.answers > 1 }
            try pair.startActivity()
            try await pair.until("its report") { pair.copy["newgame"] == "games" }
            try await pair.shieldCategories(["other", "games"])
            try await pair.until("its shield") { game.given.last == "games" }
            #expect(!game.given.contains("other"), "\(game.given)")
        }
    }

    @Test(arguments: 0..<10) func howeverFastTheReportIs(_ round: Int) async throws {
        try await Self.with { pair in
            try await pair.shieldCategories(["games"])
            let game = try Agent(pair, app: "newgame", categories: ["Game"])
            defer { game.close() }
            try await pair.until("its first answer") { game.answers > 0 }
            game.open()
            try await pair.until("its shield") { game.given.last == "games" }
            #expect(!game.given.contains("other"), "\(game.given)")
        }
    }

    @Test func anAppThatWasForgottenIsReportedAgain() async throws {
        try await Self.with { pair in
            try await pair.shieldCategories(["games"])
            let game = try Agent(pair, app: "newgame", categories: ["Game"])
            defer { game.close() }
            try await pair.until("its first answer") { game.answers > 0 }
            game.open()
            try await pair.until("its shield") { game.given.last == "games" }
            let params = PrivacyForget.Params(kind: .app, subject: "newgame")
            for client in [pair.shield, pair.activity] {
                _ = try await client.call(PrivacyForget.self, params)
            }
            #expect(pair.copy["newgame"] == nil)
            try await pair.shieldCategories(["games", "social"])
            try await pair.until("its report") { pair.copy["newgame"] == "games" }
            #expect(game.given.last == "games")
        }
    }

    /// Without activity-center it is judged as one that nobody knows, and again when that is back.
    @Test func withoutActivityCenterAnUnknownAppIsOther() async throws {
        try await Self.with { pair in
            pair.stopActivity()
            try await pair.shieldCategories(["other"])
            let game = try Agent(pair, app: "newgame", categories: ["Game"], patience: 50)
            defer { game.close() }
            try await pair.until("its first answer") { game.answers > 0 }
            game.open()
            try await pair.until("a judgement without the report") { game.given.last == "other" }
            try pair.startActivity()
            try await pair.until("the report") { pair.copy["newgame"] == "games" }
            try await pair.until("the second judgement") { game.given.last == "-" }
        }
    }
}
