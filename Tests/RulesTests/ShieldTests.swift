import Contract
import JSON
import Rules
import Testing
import Units

struct ShieldTests {
    static func store(
        _ name: String, since: Instant = 1, apps: Set<String> = [], _ categories: CategoryRule = .none,
        domains: Set<String> = [], _ webCategories: CategoryRule = .none, isActive: Bool = true
    ) -> ShieldStore {
        let since = Dictionary(uniqueKeysWithValues: ShieldRule.allCases.map { ($0, since) })
        return ShieldStore(
            client: "org.\(name)", name: name, isActive: isActive, applications: apps,
            applicationCategories: categories, webDomains: domains, webDomainCategories: webCategories,
            since: since)
    }

    static func deciding(_ policy: ShieldPolicy, _ subject: Subject, _ category: String) -> [String] {
        policy.reasons(for: subject, category: category).map { "\($0.store) \($0.rule)" }
    }

    @Test func theOneThatListsItDirectlyDrawsElseTheOldest() {
        let policy = ShieldPolicy([
            Self.store("old", since: 10, .specific(["games"], except: [])),
            Self.store("older", since: 5, .all(except: [])),
            Self.store("new", since: 90, apps: ["chess"]),
            Self.store("newest", since: 95, apps: ["chess"]),
        ])
        #expect(
            Self.deciding(policy, .app("chess"), "games") == [
                "new shield.applications", "newest shield.applications", "older shield.applicationCategories",
                "old shield.applicationCategories",
            ])
        #expect(Self.deciding(policy, .app("go"), "games").first == "older shield.applicationCategories")
        #expect(Self.deciding(policy, .domain("chess"), "games") == [])
    }

    @Test func anExceptionHoldsOnlyInItsOwnStore() {
        let excepting = Self.store("a", .specific(["games"], except: ["chess"]))
        let covering = Self.store("b", .all(except: ["go"]))
        let both = ShieldPolicy([excepting, covering])
        #expect(Self.deciding(both, .app("chess"), "games") == ["b shield.applicationCategories"])
        #expect(Self.deciding(both, .app("go"), "games") == ["a shield.applicationCategories"])
        #expect(Self.deciding(ShieldPolicy([excepting]), .app("chess"), "games") == [])
        #expect(Self.deciding(both, .app("go"), "other") == [])
        #expect(Self.deciding(both, .app("org.b"), "other") == [], "never the app it comes from")
    }

    /// `all` is the name of a shield, not of a category.
    @Test func aShieldHasAReason() {
        let odd = Self.store(
            "a", .specific(["all", "games"], except: []), domains: [], .specific(["all"], except: []))
        let shields = ShieldPolicy([odd]).shields(of: "m")
        #expect(shields.map { "\($0.kind) \($0.subject)" } == ["category games"])
        let both = ShieldPolicy([odd, Self.store("b", .all(except: []))]).shields(of: "m")
        let said = both.map { "\($0.subject) \($0.reasons.map(\.store))" }
        #expect(said == ["all [\"b\"]", "games [\"a\", \"b\"]"])
    }

    @Test func whatIsAlwaysAllowedIsNeverShielded() {
        let policy = ShieldPolicy(
            [Self.store("a", apps: ["mail"], .all(except: []), domains: ["help.test"])],
            alwaysAllowed: [.app("mail"), .domain("help.test")])
        #expect(Self.deciding(policy, .app("mail"), "social") == [])
        #expect(Self.deciding(policy, .domain("www.help.test"), "other") == [])
        #expect(
            policy.shields(of: "m").map { "\($0.kind) \($0.subject) \($0.except ?? [])" } == [
                "category all [\"org.a\"]"
            ])
    }

    @Test func aCategoryThatIsAlwaysAllowedDropsOutOfRulesAboutCategories() {
        let policy = ShieldPolicy(
            [
                Self.store(
                    "a", apps: ["chess"], .all(except: ["mail"]), domains: ["x.test"],
                    .specific(["games"], except: []))
            ],
            alwaysAllowedCategories: ["games"])
        #expect(Self.deciding(policy, .app("go"), "games") == [])
        #expect(Self.deciding(policy, .domain("y.test"), "games") == [])
        #expect(Self.deciding(policy, .app("chess"), "games") == ["a shield.applications"])
        #expect(Self.deciding(policy, .app("go"), "social") == ["a shield.applicationCategories"])
        let shields = policy.shields(of: "m")
        let categories = shields.filter { $0.kind == .category }
        #expect(categories.map(\.subject) == ["all"])
        #expect(categories.allSatisfy { $0.except == ["mail", "org.a"] })
        #expect(shields.count { $0.kind == .domainCategory } == 0)
    }

    @Test func anInactiveStoreSaysNothing() {
        let policy = ShieldPolicy([Self.store("a", apps: ["mail"], .all(except: []), isActive: false)])
        #expect(Self.deciding(policy, .app("mail"), "social") == [])
        #expect(policy.shields(of: "m") == [])
    }

    @Test func aDomainCoversItsSubdomainsAndNoOthers() {
        let policy = ShieldPolicy([
            Self.store("a", domains: ["x.test"], .specific(["news"], except: ["good.test"]))
        ])
        #expect(Self.deciding(policy, .domain("x.test"), "other") == ["a shield.webDomains"])
        #expect(Self.deciding(policy, .domain("www.x.test"), "other") == ["a shield.webDomains"])
        #expect(Self.deciding(policy, .domain("ax.test"), "other") == [])
        #expect(Self.deciding(policy, .domain("bad.test"), "news") == ["a shield.webDomainCategories"])
        #expect(Self.deciding(policy, .domain("www.good.test"), "news") == [])
    }

    @Test func shieldsTellTheOldestSinceAndEveryReason() {
        let policy = ShieldPolicy([
            Self.store("b", since: 30, apps: ["chess"]),
            Self.store("a", since: 20, apps: ["chess", "go"]),
            Self.store("c", since: 7, .specific(["games"], except: ["go", "chess"])),
            Self.store("d", since: 9, .specific(["games"], except: ["go"])),
        ])
        let told = policy.shields(of: "m").map { shield in
            "\(shield.kind) \(shield.subject) since \(shield.since) by "
                + shield.reasons.map(\.store).joined(separator: ",") + " except \(shield.except ?? [])"
        }
        #expect(
            told == [
                "app chess since 20 by a,b except []", "app go since 20 by a except []",
                "category games since 7 by c,d except [\"go\"]",
            ])
    }

    @Test func categoriesOfDomainsAreListedWithWhatEveryStoreExcepts() {
        let policy = ShieldPolicy(
            [
                Self.store(
                    "a", .none, .specific(["games", "social"], except: ["site.test", "x.test"])),
                Self.store("b", .none, .specific(["games"], except: ["www.site.test"])),
                Self.store("c", .none, .all(except: [])),
                Self.store("d", .none, .specific(["news"], except: []), isActive: false),
            ], alwaysAllowed: [.domain("school.test"), .app("mail")])
        let told = policy.shields(of: "m").map { "\($0.kind.rawValue) \($0.subject) \($0.except ?? [])" }
        #expect(
            told == [
                "domain_category all []", "domain_category games []", "domain_category social []",
            ])
        let two = ShieldPolicy(Array(policy.stores.prefix(2)))
        #expect(
            two.shields(of: "m").map { "\($0.subject) \($0.except ?? [])" } == [
                "games [\"www.site.test\"]", "social [\"site.test\", \"x.test\"]",
            ])
        // The list and the answer for one host agree.
        #expect(two.reasons(for: .domain("a.www.site.test"), category: "games").isEmpty)
        #expect(!two.reasons(for: .domain("site.test"), category: "games").isEmpty)
    }

    /// - Parameter category: nil if it is always allowed.
    private static func shields(_ store: ShieldStore, _ app: String, _ category: String?) -> Bool {
        guard store.isActive else { return false }
        if store.applications.contains(app) || store.blockedApplications.contains(app) { return true }
        guard let category else { return false }
        return switch store.applicationCategories {
        case .none: false
        case .specific(let names, let except): names.contains(category) && !except.contains(app)
        case .all(let except): !except.contains(app)
        }
    }

    /// The list of shields and the answer for one app never disagree, and each follows from "any store".
    @Test(arguments: (0..<500).map { UInt64($0) })
    func theListAndTheAnswerAgree(seed: UInt64) {
        var chance = Chance(seed: seed)
        let apps = ["a", "b", "c", "d"]
        let categoryOf = ["a": "games", "b": "games", "c": "social", "d": "other"]
        func some(_ names: [String]) -> Set<String> { Set(names.filter { _ in Bool.random(using: &chance) }) }
        func rule() -> CategoryRule {
            switch Int.random(in: 0..<3, using: &chance) {
            case 0: .none
            case 1: .specific(some(["games", "social", "other"]), except: some(apps))
            default: .all(except: some(apps))
            }
        }
        let stores = (0..<Int.random(in: 0...3, using: &chance)).map { number in
            var store = Self.store(
                "s\(number)", apps: some(["a", "d"]), rule(),
                isActive: Int.random(in: 0..<4, using: &chance) > 0)
            store.blockedApplications = some(["c", "d"])
            return store
        }
        let allowed: Set<Subject> = Bool.random(using: &chance) ? [.app("a")] : []
        let free: Set<String> = Bool.random(using: &chance) ? ["games"] : []
        let isOpening = Bool.random(using: &chance)
        let openApps = isOpening ? some(["b", "d"]) : []
        let openCategories = isOpening ? some(["games", "social", ShieldPolicy.everyCategory]) : []
        var exceptions = OpenSubjects()
        for app in openApps { exceptions.insert(.app, app) }
        for category in openCategories { exceptions.insert(.category, category) }
        let policy = ShieldPolicy(
            stores, alwaysAllowed: allowed, alwaysAllowedCategories: free, exceptions: exceptions)
        let shields = policy.shields(of: "m") { categoryOf[$0] }
        for app in apps {
            let category = categoryOf[app] ?? "other"
            let any = stores.contains { Self.shields($0, app, free.contains(category) ? nil : category) }
            let isOpen = openApps.contains(app) || openCategories.contains(category)
                || openCategories.contains("all")
            let isShielded = any && !isOpen && !allowed.contains(.app(app))
            let listed = shields.contains { shield in
                switch shield.kind {
                case .app: shield.subject == app
                case .category:
                    [category, ShieldPolicy.everyCategory].contains(shield.subject)
                        && shield.except?.contains(app) != true
                case .domain, .domainCategory: false
                }
            }
            #expect(policy.reasons(for: .app(app), category: category).isEmpty == !isShielded)
            // A wider shield stays in the list while an exception, or what is always allowed, opens a part.
            let names = stores.contains { $0.isActive && $0.namedApps.contains(app) }
            let isAllowed = allowed.contains(.app(app)) || free.contains(category) && !names
            #expect((listed && !isOpen && !isAllowed) == isShielded)
            #expect(!isOpen || !shields.contains { $0.kind == .app && $0.subject == app })
        }
        #expect(!shields.contains { $0.kind == .category && openCategories.contains($0.subject) })
        #expect(!openCategories.contains(ShieldPolicy.everyCategory) || shields.isEmpty)
    }

    /// A domain's exception opens its subdomains, and not the domain above it; a category's opens domains of
    /// this category that a store lists, too, and no app.
    @Test func anExceptionOfADomainOpensIt() {
        let policy = { (kind: SubjectKind, name: String) in
            var exceptions = OpenSubjects()
            exceptions.insert(kind, name)
            return ShieldPolicy(
                [Self.store("a", apps: ["chess"], domains: ["example.org", "news.org"], .all(except: []))],
                exceptions: exceptions)
        }
        let isOpen = { (policy: ShieldPolicy, host: String, category: String) in
            policy.reasons(for: .domain(host), category: category).isEmpty
        }
        let site = policy(.domain, "a.example.org")
        #expect(isOpen(site, "b.a.example.org", "other") && !isOpen(site, "example.org", "other"))
        #expect(!isOpen(site, "news.org", "other"))
        let category = policy(.domainCategory, "news")
        #expect(isOpen(category, "news.org", "news") && !isOpen(category, "example.org", "games"))
        #expect(!category.reasons(for: .app("chess"), category: "news").isEmpty)
        #expect(policy(.category, "news").reasons(for: .app("chess"), category: "news").isEmpty)
    }

    @Test func settingsAreReadInTheirShapes() throws {
        var written = SettingsStore(client: "org.a", store: "default", created: 4, active: true)
        written.settings = [
            Setting(key: "shield.applications", value: ["chess"]),
            Setting(key: "shield.webDomains", value: .null),
            Setting(key: "shield.applicationCategories", value: ["policy": "all", "except": ["mail"]]),
            Setting(
                key: "shield.webDomainCategories", value: ["policy": "specific", "categories": ["news"]]),
            Setting(key: "media.denyExplicitContent", value: true),
            Setting(key: "application.blockedApplications", value: ["poker"]),
            Setting(key: "application.blockedApplicationsByName", value: ["org.poker"]),
        ]
        let store = try ShieldStore(written, since: [.applications: 9])
        #expect(store.applications == ["chess"])
        #expect(store.webDomains == [])
        #expect(store.blockedApplications == ["poker"], "names of the program's own have no effect")
        #expect(store.applicationCategories == .all(except: ["mail"]))
        #expect(store.webDomainCategories == .specific(["news"], except: []))
        #expect(
            store.since == [
                .applications: 9, .applicationCategories: 4, .webDomainCategories: 4,
                .blockedApplications: 4,
            ])
        let reasons = ShieldPolicy([store]).reasons(for: .app("poker"), category: "other")
        #expect(reasons.first?.rule == "application.blockedApplications")
    }

    static let misshapen: [(String, JSONValue)] = [
        ("shield.applications", "chess"), ("shield.applications", [1]), ("shield.webDomains", [""]),
        ("shield.applicationCategories", ["games"]), ("shield.applicationCategories", ["policy": "most"]),
        ("shield.webDomainCategories", ["policy": "specific"]),
        ("shield.applicationCategories", ["policy": "all", "except": "mail"]),
    ]

    @Test(arguments: misshapen)
    func aSettingOfAnotherShapeIsRefused(key: String, value: JSONValue) {
        let written = SettingsStore(settings: [Setting(key: key, value: value)])
        let error = #expect(throws: ShieldSettingError.self) { try ShieldStore(written) }
        #expect(error?.key.hasPrefix(key) == true)
    }
}
