import ActivityCore
import Contract
import JSON
import Loop
import ServiceKit
import ShieldCore
import Units

/// Shields and stores, by what was written, by slow code, and by the events of shield-service.
extension Oracle {
    /// The shields are what the stores say, and apps are judged by them and by the catalogue.
    func checkShields() {
        ask(SettingsList.self, SettingsList.Params()) { [self] list in
            let stores = Dictionary(grouping: list.stores, by: \.member)
            ask(ShieldList.self, ShieldList.Params()) { [self] answer in
                let shields = Dictionary(grouping: answer.shields, by: \.member)
                for member in Set(stores.keys).union(shields.keys).sorted() {
                    let (apps, categories) = Self.shielded(by: stores[member] ?? [])
                    for (kind, expected) in [(SubjectKind.app, apps), (.category, categories)] {
                        let found = Set((shields[member] ?? []).filter { $0.kind == kind }.map(\.subject))
                        guard found != expected else { continue }
                        violate(
                            "shielded for \(member) are \(found.sorted()); the stores say "
                                + "\(expected.sorted())")
                    }
                }
            }
            let (apps, categories) = Self.shielded(by: stores[Household.defaultMember] ?? [])
            checkJudge(apps, categories)
        }
    }

    /// The apps and categories that active stores shield.
    private static func shielded(by stores: [SettingsStore]) -> (Set<String>, Set<String>) {
        let settings = stores.filter(\.active).flatMap(\.settings)
        let apps = settings.flatMap { $0.key == "shield.applications" ? texts($0.value) : [] }
        let categories = settings.flatMap { setting in
            setting.key == "shield.applicationCategories" ? texts(setting.value["categories"]) : []
        }
        return (Set(apps), Set(categories))
    }

    static func texts(_ value: JSONValue?) -> [String] {
        (value?.arrayValue ?? []).compactMap(\.stringValue)
    }

    private func checkJudge(_ apps: Set<String>, _ categories: Set<String>) {
        ask(CatalogList.self, CatalogList.Params(kind: .app)) { [self] list in
            let known = Dictionary(list.items.map { ($0.subject, $0.category) }) { first, _ in first }
            ask(ShieldJudge.self, ShieldJudge.Params(apps: HouseholdWeek.apps)) { [self] result in
                for one in result.judgements {
                    let category = known[one.subject] ?? one.category
                    if one.category != category {
                        violate("\(one.subject) is judged as \(one.category); the catalogue says \(category)")
                    }
                    let isShielded = apps.contains(one.subject) || categories.contains(category)
                    if (one.shield != nil) != isShielded {
                        violate("\(one.subject) of \(category) is judged \(one.shield ?? "not shielded")")
                    }
                }
            }
        }
    }

    // MARK: stores

    /// The stores are what was written into them, and the events of shield-service tell the same.
    func checkStores() {
        ask(SettingsList.self, SettingsList.Params()) { [self] list in
            let programs = list.stores.filter { !PersonsDay.someStores.contains($0.store) }
            compare(
                "the stores of the programs", Self.settings(of: programs), with: writtenByPrograms(),
                "by the callbacks")
            let own = list.stores.filter { PersonsDay.someStores.contains($0.store) }
            compare("the person's stores", Self.settings(of: own), with: week.day.stores, "by the answers")
            compare("the stores", Self.settings(of: list.stores), with: toldStores(), "by the events")
        }
        ask(ShieldList.self, ShieldList.Params()) { [self] list in
            let found = Dictionary(list.shields.map { (Self.key(of: $0), Self.text($0)) }) { $0 + $1 }
            compare("the shields", found, with: toldShields(), "by the events")
        }
    }

    private func compare(
        _ what: String, _ found: [String: String], with expected: [String: String], _ source: String
    ) {
        for name in Set(found.keys).union(expected.keys).sorted() where found[name] != expected[name] {
            violate(
                "\(what): \(name) is \(found[name] ?? "missing"); \(source) it is "
                    + (expected[name] ?? "missing"))
        }
    }

    /// Settings by the name of their store, as text; a store without any is left out.
    private static func settings(of stores: [SettingsStore]) -> [String: String] {
        let pairs = stores.filter { !$0.settings.isEmpty }.map {
            (name(of: $0.store, $0.member), text($0.settings))
        }
        return Dictionary(pairs) { $0 + " and " + $1 }
    }

    static func text(_ settings: [Setting]) -> String {
        settings.sorted { $0.key < $1.key }.map { text($0) }.joined(separator: " ")
    }

    private static func text(_ record: some Record) -> String {
        String(decoding: record.encoded(), as: UTF8.self)
    }

    /// Of each store of a program, what the last of its callbacks wrote.
    private func writtenByPrograms() -> [String: String] {
        var stores: [String: String] = [:]
        for one in told {
            guard let settings = SimulatedProgram.settings(of: one.callback, one.about) else { continue }
            stores[one.about.activity] = settings.isEmpty ? nil : Self.text(settings)
        }
        return stores
    }

    private func toldStores() -> [String: String] {
        var stores: [String: String] = [:]
        for store in week.witness.all(SettingsChanged.self).map(\.data.store) {
            stores[Self.name(of: store.store, store.member)] =
                store.settings.isEmpty ? nil : Self.text(store.settings)
        }
        return stores
    }

    private static func key(of shield: EffectiveShield) -> String {
        "\(shield.member) \(shield.kind.rawValue) \(shield.subject)"
    }

    private func toldShields() -> [String: String] {
        var shields: [String: String] = [:]
        for event in week.witness.events(of: .shield) {
            if let shield = week.witness.decoded(event, ShieldApplied.self)?.shield {
                shields[Self.key(of: shield)] = Self.text(shield)
            }
            if let lifted = week.witness.decoded(event, ShieldLifted.self) {
                shields["\(lifted.member) \(lifted.kind.rawValue) \(lifted.subject)"] = nil
            }
        }
        return shields
    }
}
