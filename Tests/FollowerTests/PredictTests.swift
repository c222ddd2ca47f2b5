import Bus
import Contract
import JSON
import Rules
import Testing

@testable import ShieldCore

/// `shield.predict` against what the change does: the judge is asked before and after it.
extension JudgeTests {
    private static let apps = ["chess", "go", "mail", "probe-games", "probe-social", "org.a.B"]
    private static let hosts = [
        "a.test", "b.a.test", "c.b.a.test", "play.test", "games.probe.test", "social.probe.test",
        "other.probe.test",
    ]
    private static let categories = ["games", "social", "other"]
    /// In stores and marks only these are named: the probes show categories.
    private static let (someApps, someHosts) = (
        ["chess", "go", "mail"], ["a.test", "b.a.test", "c.b.a.test", "play.test"]
    )

    @Test(arguments: 1...20) func whatIsPredictedHappens(_ seed: UInt64) async throws {
        try await Self.with { pair in
            var random = Chance(seed: seed)
            let known = [("probe-games", "games"), ("probe-social", "social"), ("chess", "games")]
            for (name, category) in known {
                try await Self.move(pair, CatalogTarget(app: name), category)
            }
            for category in ["games", "social"] {
                try await Self.move(pair, CatalogTarget(host: "\(category).probe.test"), category)
            }
            var predicted = 0
            for step in 0..<25 {
                for store in ["a", "b", "c"] where Int.random(in: 0..<2, using: &random) == 0 {
                    try await Self.fill(pair, store, &random)
                }
                try await Self.allow(pair, Self.fewTargets(&random), &random)
                let change = Self.change(&random)
                let covered = try await pair.shield.call(ShieldPredict.self, change).covered
                predicted += covered.count
                let before = try await Self.judged(pair)
                try await Self.carryOut(pair, change)
                let after = try await Self.judged(pair)
                Self.compare(covered, before, after, change, "seed \(seed), step \(step)")
                try await Self.takeBack(pair, change)
            }
            #expect(predicted > 0)
        }
    }

    private static func compare(
        _ covered: [ShieldTarget], _ before: [ShieldJudgement], _ after: [ShieldJudgement],
        _ change: ShieldPredict.Params, _ context: String
    ) {
        func has(_ kind: SubjectKind, _ subject: String) -> Bool {
            covered.contains { $0.kind == kind && $0.subject == subject }
        }
        for (then, now) in zip(before, after) {
            let kind = now.kind == .app ? SubjectKind.category : .domainCategory
            let byCategory = has(kind, now.category)
            let isNew = then.shield == nil && now.shield != nil
            let isNamed = DomainNames(of: now.subject).contains { has(now.kind, $0) }
            let isPredicted = isNamed || byCategory || has(kind, ShieldPolicy.everyCategory)
            if isNew { #expect(isPredicted, "\(context): \(now) was not in \(covered), by \(change)") }
            // What is in a category may be open by itself; a subject is listed only if it becomes shielded.
            let isSure = has(now.kind, now.subject) || byCategory && now.subject.contains("probe")
            if isSure, !isNew, then.shield == nil {
                Issue.record("\(context): \(now) was in \(covered), by \(change)")
            }
        }
    }

    // MARK: what there is

    private static func fill(_ pair: Pair, _ store: String, _ random: inout Chance) async throws {
        func some(_ names: [String]) -> JSONValue {
            .array(names.filter { _ in Int.random(in: 0..<5, using: &random) == 0 }.map { .string($0) })
        }
        func rule(_ except: [String]) -> JSONValue {
            switch Int.random(in: 0..<5, using: &random) {
            case 0: ["policy": "all", "except": some(except)]
            case 1:
                ["policy": "specific", "categories": some(categories + categories), "except": some(except)]
            default: ["policy": "none"]
            }
        }
        let settings: [(String, JSONValue)] = [
            ("shield.applications", some(someApps)), ("shield.webDomains", some(someHosts)),
            ("shield.applicationCategories", rule(someApps)), ("shield.webDomainCategories", rule(someHosts)),
        ]
        try await write(pair, store, settings, active: Int.random(in: 0..<4, using: &random) > 0)
    }

    private static func write(
        _ pair: Pair, _ store: String, _ settings: [(String, JSONValue)], active: Bool? = nil
    ) async throws {
        _ = try await pair.shield.call(
            SettingsWrite.self,
            SettingsWrite.Params(
                store: store, settings: settings.map { Setting(key: $0.0, value: $0.1) }, active: active))
    }

    private static func allow(
        _ pair: Pair, _ targets: [ShieldTarget], _ random: inout Chance
    ) async throws {
        try await write(
            pair, AllowedSettings.store,
            [
                (AllowedSettings.applications, names(targets, .app)),
                (AllowedSettings.webDomains, names(targets, .domain)),
                (AllowedSettings.categories, names(targets, .category)),
            ])
    }

    private static func names(_ targets: [ShieldTarget], _ kind: SubjectKind) -> JSONValue {
        .array(Set(targets.filter { $0.kind == kind }.map(\.subject)).sorted().map { .string($0) })
    }

    private static func judged(_ pair: Pair) async throws -> [ShieldJudgement] {
        try await pair.shield.call(
            ShieldJudge.self, ShieldJudge.Params(apps: apps, domains: hosts)
        ).judgements
    }

    // MARK: what changes

    private static func fewTargets(_ random: inout Chance) -> [ShieldTarget] {
        let all = someApps.map { ShieldTarget(.app, $0) } + someHosts.map { ShieldTarget(.domain, $0) }
            + categories.map { ShieldTarget(.category, $0) }
        return all.filter { _ in Int.random(in: 0..<5, using: &random) == 0 }
    }

    private static func change(_ random: inout Chance) -> ShieldPredict.Params {
        var params = ShieldPredict.Params()
        if Bool.random(using: &random) {
            var all = fewTargets(&random) + fewTargets(&random).filter { $0.kind == .category }.map {
                ShieldTarget(.domainCategory, $0.subject)
            }
            if Int.random(in: 0..<6, using: &random) == 0 {
                all += [ShieldTarget(.category, "all"), ShieldTarget(.domainCategory, "all")]
            }
            params.shield = all
        }
        if Bool.random(using: &random) { params.disallow = fewTargets(&random) + fewTargets(&random) }
        if Bool.random(using: &random) {
            params.moved = [someApps[Int.random(in: someApps.indices, using: &random)]].map {
                var one = MovedSubject()
                one.subject = $0
                one.category = categories[Int.random(in: categories.indices, using: &random)]
                return one
            }
        }
        return params
    }

    private static func move(_ pair: Pair, _ target: CatalogTarget, _ category: String?) async throws {
        let set = try await pair.activity.call(
            CatalogSet.self, CatalogSet.Params(about: target, category: category))
        _ = try await pair.shield.call(
            ShieldJudge.self, ShieldJudge.Params(),
            options: CallOptions(notBefore: [Position(.activity, set.sequence)]))
    }

    private static func carryOut(_ pair: Pair, _ change: ShieldPredict.Params) async throws {
        for one in change.moved ?? [] { try await move(pair, CatalogTarget(app: one.subject), one.category) }
        let present = try await pair.shield.call(
            SettingsRead.self, SettingsRead.Params(store: AllowedSettings.store)
        ).store.settings
        let kinds: [(String, SubjectKind)] = [
            (AllowedSettings.applications, .app), (AllowedSettings.webDomains, .domain),
            (AllowedSettings.categories, .category),
        ]
        let left = kinds.map { key, kind in
            let names = present.first { $0.key == key }?.value.arrayValue?.compactMap(\.stringValue) ?? []
            let gone = Set((change.disallow ?? []).filter { $0.kind == kind }.map(\.subject))
            return (key, JSONValue.array(names.filter { !gone.contains($0) }.map { .string($0) }))
        }
        try await write(pair, AllowedSettings.store, left)
        let targets = change.shield ?? []
        func rule(_ kind: SubjectKind) -> JSONValue {
            if targets.contains(ShieldTarget(kind, "all")) { return ["policy": "all"] }
            return ["policy": "specific", "categories": names(targets, kind)]
        }
        try await write(
            pair, "predicted",
            [
                ("shield.applications", names(targets, .app)), ("shield.webDomains", names(targets, .domain)),
                ("shield.applicationCategories", rule(.category)),
                ("shield.webDomainCategories", rule(.domainCategory)),
            ])
    }

    private static func takeBack(_ pair: Pair, _ change: ShieldPredict.Params) async throws {
        _ = try await pair.shield.call(SettingsDelete.self, SettingsDelete.Params(stores: ["predicted"]))
        for one in change.moved ?? [] {
            try await move(pair, CatalogTarget(app: one.subject), one.subject == "chess" ? "games" : nil)
        }
    }
}

extension ExceptionTests {
    @Test func theEndOfAnExceptionIsPredicted() async throws {
        try await Self.with { home in
            func covered(_ ended: [String]) async throws -> [String] {
                try await home.client.call(ShieldPredict.self, ShieldPredict.Params(endedExceptions: ended))
                    .covered.map { "\($0.kind.rawValue) \($0.subject)" }
            }
            try await home.approve("r1", .app, "chess", minutes: 15)
            #expect(try await covered(["r1"]) == [], "nothing shields it")
            try await home.shieldApps(["chess", "go"])
            #expect(try await covered(["r1"]) == ["app chess"])
            #expect(try await covered([]) == [])
            #expect(try await covered(["r9"]) == [])
            try await home.approve("r2", .app, "chess", minutes: 30)
            #expect(try await covered(["r1"]) == [], "the other one goes on")
            #expect(try await covered(["r1", "r2"]) == ["app chess"])
            try await home.shield("shield.applicationCategories", ["policy": "all"], in: "all")
            try await home.approve("r3", .category, "all", minutes: 30)
            #expect(try await covered(["r3"]) == ["category all"])
        }
    }

    @Test func whatIsAlreadyShieldedOrWithoutPermissionIsNotPredicted() async throws {
        try await Self.with { home in
            var params = ShieldPredict.Params(
                shield: [ShieldTarget(.app, "chess"), ShieldTarget(.category, "games")])
            func covered() async throws -> [String] {
                try await home.client.call(ShieldPredict.self, params).covered.map(\.subject)
            }
            #expect(try await covered() == ["chess", "games"])
            try await home.shieldApps(["chess"])
            #expect(try await covered() == ["games"])
            params.client = "org.example.nobody"
            #expect(try await covered() == [])
            params.client = nil
            params.shield = (0...500).map { ShieldTarget(.app, "app\($0)") }
            await #expect(throws: ServiceError.self) { try await covered() }
            params.shield = []
            var moved = MovedSubject()
            (moved.subject, moved.category) = ("chess", "no such category")
            params.moved = [moved]
            await #expect(throws: ServiceError.self) { try await covered() }
        }
    }
}
