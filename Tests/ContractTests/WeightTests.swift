import Contract
import JSON
import Testing

/// A message has one weight whatever its names, and never less than its bytes.
@Suite struct WeightTests {
    private static let names = [
        "a", "games", "org.example.app", "site.example.com", String(repeating: "\"\\", count: 60),
        String(repeating: "é", count: 128), String(repeating: "n", count: 256),
    ]

    private func expectOneWeight<R: Record>(_ message: (String) -> R) {
        let all = Self.names.map(message)
        #expect(Set(all.map(\.weight)).count == 1, "\(R.self): \(all.map(\.weight))")
        #expect(all.allSatisfy { $0.weight >= $0.encoded().count })
    }

    @Test func namesHaveOneLength() {
        expectOneWeight { EventDefinition(name: "e", applications: [$0, $0], webDomains: [$0]) }
        expectOneWeight { Selection(name: "s", client: "c", member: "m", applications: [$0]) }
        expectOneWeight { name in
            var shield = EffectiveShield()
            (shield.member, shield.kind, shield.subject) = ("m", .app, name)
            return shield
        }
        expectOneWeight { name in
            SettingsStore(
                client: "c", member: "m", store: "s", created: 0, active: true,
                settings: [
                    Setting(key: "shield.applications", value: [.string(name)]),
                    Setting(
                        key: "shield.applicationCategories",
                        value: ["policy": "specific", "categories": [.string(name)]]),
                ])
        }
    }

    @Test func longerNamesCountAsTheyAre() {
        let name = String(repeating: "n", count: 257)
        let long = EventDefinition(name: "e", applications: [name])
        #expect(long.weight == long.encoded().count)
        #expect(EventDefinition(name: "e", applications: ["n"]).weight == long.weight - 1)
    }

    /// What a program names itself, and words, count as they are.
    @Test func onlySubjectsDo() {
        let store = SettingsStore(
            client: "c", member: "m", store: "store", created: 0, active: true,
            settings: [Setting(key: "application.blockedApplicationsByName", value: ["own"])])
        #expect(store.weight == store.encoded().count)
    }
}
