import Contract
import JSON
import Testing

@testable import ShieldCore

/// What a client sees of settings and shields: nothing that others named.
@Suite struct ClientViewTests {
    private static let (own, other) = ("org.example.own", "org.example.other")

    private func store(_ client: String, _ settings: [String: JSONValue]) -> SettingsStore {
        SettingsStore(
            client: client, member: "uid-1", store: "secret-of-\(client)", created: 5, active: true,
            settings: settings.sorted { $0.key < $1.key }.map { Setting(key: $0.key, value: $0.value) })
    }

    private var stores: [SettingsStore] {
        [
            store(
                Self.own,
                [
                    "shield.applications": ["org.a"], "siri.denySiri": false,
                    "shield.applicationCategories": [
                        "policy": "specific", "categories": ["games"], "except": ["org.c"],
                    ],
                ]),
            store(
                Self.other,
                [
                    "shield.applications": ["org.a", "org.secret"], "siri.denySiri": true,
                    "shield.webDomains": ["secret.example"],
                    "application.blockedApplicationsByName": ["org.secret"],
                    "shield.applicationCategories": [
                        "policy": "specific", "categories": ["games", "social"], "except": ["org.c", "org.d"],
                    ],
                ]),
        ]
    }

    @Test func mergedSettingsNameOnlyWhatItsOwnStoresName() {
        let seen = EffectiveSettings.merge(stores, for: Self.own)
        #expect(
            seen.map(\.key) == ["shield.applicationCategories", "shield.applications", "siri.denySiri"])
        #expect(seen.dropFirst().map(\.value) == [["org.a"], true])
        // The flag belongs to another client: its value is visible, its owner is not.
        #expect(seen.map { $0.stores.map(\.client) } == [[Self.own], [Self.own], []])
        let all = EffectiveSettings.merge(stores)
        #expect(all.first { $0.key == "shield.applications" }?.value == ["org.a", "org.secret"])
        #expect(EffectiveSettings.merge(stores, for: "org.example.third").map(\.key) == ["siri.denySiri"])
    }

    /// What cannot be merged acts nevertheless: each value is there, with the stores that set it.
    @Test func policiesAndUnknownKeysAreEachThere() {
        let policy: JSONValue = ["policy": "specific", "categories": ["games"]]
        let all = EffectiveSettings.merge([
            store("a", ["shield.applicationCategories": policy, "vendor.colour": "red"]),
            store("b", ["shield.applicationCategories": ["policy": "all"], "vendor.colour": "red"]),
            store("c", ["shield.applicationCategories": policy]),
        ])
        #expect(
            all.map(\.key) == [
                "shield.applicationCategories", "shield.applicationCategories", "vendor.colour",
            ])
        #expect(all.map(\.value) == [policy, ["policy": "all"], "red"])
        #expect(all.map { $0.stores.map(\.client) } == [["a", "c"], ["b"], ["a", "b"]])
        #expect(all.map(\.enforcement) == [.enforced, .enforced, nil])
    }

    @Test func shieldsAreThoseOfItsOwnStores() throws {
        let state = try ShieldState(stores: stores.map { StoredStore($0) }).settled("uid-1")
        let seen = state.seen(by: Self.own, category: { _ in nil })
        #expect(Set(seen.shields.keys.map(\.subject)) == ["org.a", "games"])
        for shield in seen.shields.values {
            #expect(shield.reasons.allSatisfy { $0.client == Self.own })
            #expect(shield.except ?? [] == (shield.kind == .category ? ["org.c"] : []))
        }
        #expect(state.seen(by: nil, category: { _ in nil }).shields == state.shields)
        #expect(state.seen(by: "org.example.third", category: { _ in nil }).shields.isEmpty)
        let why = Explanation(seen, member: "uid-1", isForPerson: false).explain("org.secret", [:])
        #expect(!why.shielded && !why.explanation.joined().contains(Self.other))
    }
}

extension ShieldState {
    fileprivate func settled(_ member: String) -> ShieldState {
        var settled = self
        _ = settled.settle(member, now: 7) { _ in nil }
        return settled
    }
}
