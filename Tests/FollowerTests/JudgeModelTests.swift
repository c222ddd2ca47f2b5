import Bus
import Contract
import JSON
import Loop
import Rules
import ServiceKit
import Testing

@testable import ShieldCore

/// What the person and the stores say, kept as plainly as possible: the judge's answers are compared with it.
private struct JudgeModel {
    struct Store {
        var isActive = true
        var apps: Set<String> = []
        var hosts: Set<String> = []
        /// Nil for a rule about no category, `[]` for a rule about all.
        var appCategories: Set<String>?
        var hostCategories: Set<String>?
        var appsExcepted: Set<String> = []
        var hostsExcepted: Set<String> = []
    }

    static let apps = ["chess", "mail", "org.a.B", "exe:/opt/x", "intranet", "caf\u{E9}"]
    static let hosts = ["a.test", "b.a.test", "c.b.a.test", "play.test", "intranet", "xn--bcher-kva.test"]
    static let categories = ["games", "social", "other"]

    var stores: [String: Store] = [:]
    var allowedApps: Set<String> = []
    var allowedHosts: Set<String> = []
    var allowedCategories: Set<String> = []
    /// By the person, for apps and for hosts with all below them.
    var appCategories: [String: String] = [:]
    var hostCategories: [String: String] = [:]

    /// The host and everything above it, the host first.
    static func path(_ host: String) -> [String] {
        let labels = host.split(separator: ".")
        return labels.indices.map { labels[$0...].joined(separator: ".") }
    }

    func category(_ kind: SubjectKind, _ name: String) -> String {
        if kind == .app { return appCategories[name] ?? "other" }
        return Self.path(name).compactMap { hostCategories[$0] }.first ?? "other"
    }

    func isAllowed(_ kind: SubjectKind, _ name: String) -> Bool {
        kind == .app ? allowedApps.contains(name) : !allowedHosts.isDisjoint(with: Self.path(name))
    }

    /// Nil if it is not shielded; else whether a store names it.
    func shielded(_ kind: SubjectKind, _ name: String) -> (byName: Bool, byCategory: Bool) {
        if isAllowed(kind, name) { return (false, false) }
        let category = category(kind, name)
        let active = stores.values.filter(\.isActive)
        if kind == .app {
            let byCategory = active.contains { store in
                guard let covered = store.appCategories, !allowedCategories.contains(category) else {
                    return false
                }
                return (covered.isEmpty || covered.contains(category)) && !store.appsExcepted.contains(name)
            }
            return (active.contains { $0.apps.contains(name) }, byCategory)
        }
        let path = Set(Self.path(name))
        let byCategory = active.contains { store in
            guard let covered = store.hostCategories, !allowedCategories.contains(category) else {
                return false
            }
            return (covered.isEmpty || covered.contains(category))
                && store.hostsExcepted.isDisjoint(with: path)
        }
        return (active.contains { !$0.hosts.isDisjoint(with: path) }, byCategory)
    }

    /// Whether the host, or a domain above it, is named by a store or always allowed.
    func isNamedHost(_ name: String) -> Bool {
        let path = Set(Self.path(name))
        return isAllowed(.domain, name)
            || stores.values.contains { !$0.hosts.union($0.hostsExcepted).isDisjoint(with: path) }
    }

    /// What `shield.explain` must answer for a name that may be an app's or a host's.
    func explained(_ name: String) -> Bool {
        let isHost = appCategories[name] == nil || isNamedHost(name)
        let kinds: [SubjectKind] = isHost ? [.app, .domain] : [.app]
        if kinds.contains(where: { isAllowed($0, name) }) { return false }
        return kinds.contains { shielded($0, name).byName || shielded($0, name).byCategory }
    }
}

extension JudgeTests {
    /// Any sequence of writes to stores and of categories set by the person: after each step all apps and
    /// hosts are judged, explained and listed as the model has them.
    @Test(arguments: 1...12) func aRandomHouseholdIsJudgedAsTheModel(_ seed: UInt64) async throws {
        try await Self.with { pair in
            var random = Chance(seed: seed)
            var model = JudgeModel()
            var position: Position?
            for step in 0..<40 {
                let context = "seed \(seed), step \(step)"
                if Int.random(in: 0..<3, using: &random) == 0 {
                    position = try await Self.setCategory(pair, &model, &random)
                } else {
                    try await Self.changeStore(pair, &model, &random)
                }
                try await Self.compareJudge(pair, model, position, context)
                try await Self.compareExplanations(pair, model, context)
                let listed = try await pair.shield.call(ShieldList.self, ShieldList.Params())
                #expect(listed.shields.allSatisfy { !$0.reasons.isEmpty }, "\(context)")
            }
        }
    }

    private static func setCategory(
        _ pair: Pair, _ model: inout JudgeModel, _ random: inout Chance
    ) async throws -> Position {
        let isApp = Bool.random(using: &random)
        let name = pick(isApp ? JudgeModel.apps : JudgeModel.hosts, &random)
        let known = isApp ? model.appCategories[name] : model.hostCategories[name]
        let category =
            known != nil && Bool.random(using: &random) ? nil : pick(JudgeModel.categories, &random)
        let target = isApp ? CatalogTarget(app: name) : CatalogTarget(host: name)
        let set = try await pair.activity.call(
            CatalogSet.self, CatalogSet.Params(about: target, category: category))
        if isApp { model.appCategories[name] = category } else { model.hostCategories[name] = category }
        return Position(.activity, set.sequence)
    }

    private static func changeStore(
        _ pair: Pair, _ model: inout JudgeModel, _ random: inout Chance
    ) async throws {
        let name = pick(["a", "b", "c", AllowedSettings.store], &random)
        if name == AllowedSettings.store {
            model.allowedApps = few(JudgeModel.apps, &random)
            model.allowedHosts = few(JudgeModel.hosts, &random)
            model.allowedCategories = few(JudgeModel.categories, &random)
            return try await write(
                pair, name,
                [
                    AllowedSettings.applications: list(model.allowedApps),
                    AllowedSettings.webDomains: list(model.allowedHosts),
                    AllowedSettings.categories: list(model.allowedCategories),
                ], nil)
        }
        if model.stores[name] != nil, Int.random(in: 0..<5, using: &random) == 0 {
            model.stores[name] = nil
            _ = try await pair.shield.call(SettingsDelete.self, SettingsDelete.Params(stores: [name]))
            return
        }
        var store = JudgeModel.Store()
        store.isActive = Int.random(in: 0..<4, using: &random) > 0
        store.apps = few(JudgeModel.apps, &random)
        store.hosts = few(JudgeModel.hosts, &random)
        var settings: [String: JSONValue] = [
            "shield.applications": list(store.apps), "shield.webDomains": list(store.hosts),
        ]
        func rule(_ except: Set<String>) -> (JSONValue, Set<String>?) {
            switch Int.random(in: 0..<3, using: &random) {
            case 0: return (["policy": "none"], nil)
            case 1: return (["policy": "all", "except": list(except)], [])
            default:
                let covered = few(JudgeModel.categories, &random).union(["games"])
                let value: JSONValue = [
                    "policy": "specific", "categories": list(covered), "except": list(except),
                ]
                return (value, covered)
            }
        }
        store.appsExcepted = few(JudgeModel.apps, &random)
        store.hostsExcepted = few(JudgeModel.hosts, &random)
        (settings["shield.applicationCategories"], store.appCategories) = rule(store.appsExcepted)
        (settings["shield.webDomainCategories"], store.hostCategories) = rule(store.hostsExcepted)
        if store.appCategories == nil { store.appsExcepted = [] }
        if store.hostCategories == nil { store.hostsExcepted = [] }
        model.stores[name] = store
        try await write(pair, name, settings, store.isActive)
    }

    private static func write(
        _ pair: Pair, _ store: String, _ settings: [String: JSONValue], _ active: Bool?
    ) async throws {
        _ = try await pair.shield.call(
            SettingsWrite.self,
            SettingsWrite.Params(
                store: store, settings: settings.map { Setting(key: $0.key, value: $0.value) },
                active: active))
    }

    private static func compareJudge(
        _ pair: Pair, _ model: JudgeModel, _ position: Position?, _ context: String
    ) async throws {
        let judged = try await pair.shield.call(
            ShieldJudge.self, ShieldJudge.Params(apps: JudgeModel.apps, domains: JudgeModel.hosts),
            options: CallOptions(notBefore: position.map { [$0] } ?? []))
        try await pair.until("the end of a listing") { pair.isCatalogueRead }
        for judgement in judged.judgements {
            let name = judgement.subject
            let category = model.category(judgement.kind, name)
            let expected = model.shielded(judgement.kind, name)
            #expect(judgement.category == category, "\(context): \(judgement)")
            #expect(
                (judgement.shield != nil) == (expected.byName || expected.byCategory),
                "\(context): \(judgement)")
            let isNamed = judgement.shield.map { ![category, ShieldPolicy.everyCategory].contains($0) }
            #expect(isNamed ?? false == expected.byName, "\(context): \(judgement)")
        }
    }

    private static func compareExplanations(
        _ pair: Pair, _ model: JudgeModel, _ context: String
    ) async throws {
        for name in Set(JudgeModel.apps + JudgeModel.hosts).sorted() {
            let said = try await pair.shield.call(
                ShieldExplain.self, ShieldExplain.Params(subject: name))
            #expect(said.shielded == model.explained(name), "\(context): \(name): \(said)")
            let first = said.explanation.first ?? ""
            #expect(first.contains(said.shielded ? " shields '" : "'\(name)' is "), "\(context): \(said)")
            let denies = first.contains("none covers its category") && !first.contains("without excepting")
            let covers = said.explanation.contains { $0.hasSuffix("covers its category and excepts it.") }
            #expect(!(denies && covers), "\(context): \(said)")
        }
    }

    private static func pick(_ names: [String], _ random: inout Chance) -> String {
        names[Int.random(in: names.indices, using: &random)]
    }

    private static func few(_ names: [String], _ random: inout Chance) -> Set<String> {
        Set(names.filter { _ in Int.random(in: 0..<5, using: &random) == 0 })
    }

    private static func list(_ names: Set<String>) -> JSONValue {
        .array(names.sorted().map { .string($0) })
    }
}
