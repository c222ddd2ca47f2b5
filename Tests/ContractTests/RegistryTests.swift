import Contract
import ContractDocument
import JSON
import Testing

/// The list of everything: unique, owned, described.
@Suite struct RegistryTests {
    private static let methods = Registry.calls

    @Test func namesAreUniqueAndCommonMethodsAreNotListedTwice() {
        let names = Self.methods.map { $0.name } + Registry.events.map { $0.type }
        #expect(names.count == Set(names).count)
    }

    /// The first part of a name identifies its owner.
    private static let owners: [String: ServiceName] = [
        "member": .auth, "authorization": .auth, "token": .auth, "selection": .auth,
        "request": .auth, "audit": .auth,
        "usage": .activity, "monitoring": .activity,
        "activity": .activity, "catalog": .activity,
        "extension": .monitor, "delivery": .monitor, "callback": .monitor, "settings": .shield,
        "shield": .shield, "exception": .shield, "enforcement": .shield,
        "time": .activity, "report": .report, "notification": .notifier, "darwin": .notifier,
        "channel": .notifier,
    ]

    @Test func everyOwnerIsRight() {
        let named = Registry.methods.map { ($0.name, $0.owner) } + Registry.events.map { ($0.type, $0.owner) }
        for (name, owner) in named {
            #expect(Self.owners[String(name.prefix { $0 != "." })] == owner, "\(name)")
        }
        for method in Registry.agentMethods {
            let agents = [
                "cover": AgentName.shieldCover, "warning": AgentName.shieldCover,
                "enforcement": AgentName.desktopAgent, "banner": AgentName.desktopAgent,
                "page": AgentName.desktopAgent, "console": AgentName.console,
            ]
            #expect(agents[String(method.name.prefix { $0 != "." })] == method.agent, "\(method.name)")
            #expect(method.effect == .read && method.access == .person, "\(method.name) stores nothing")
        }
    }

    /// Subscriptions match by prefix: a type that begins with another would come unasked.
    @Test func noTopicIsThePrefixOfAnother() {
        let topics = Registry.events.map { $0.type } + ["~sync.", "~trace"]
        for topic in topics {
            #expect(topics.count { $0.hasPrefix(topic) } == 1, "\(topic)")
        }
        #expect(Registry.events.allSatisfy { $0.type < "~" })
    }

    @Test func everythingIsDescribedInSentences() throws {
        var count = 0
        for file in ContractDocument.files() where file.path.hasSuffix(".json") {
            var open: [JSONValue] = [try JSONValue.decode(Array(file.text.utf8))]
            while let value = open.popLast() {
                for (key, member) in value.objectValue ?? [] {
                    if ["description", "summary"].contains(key), let text = member.stringValue {
                        #expect(text.hasSuffix("."), "'\(text)' is no sentence")
                        count += 1
                    }
                    open.append(member)
                }
                open += value.arrayValue ?? []
            }
        }
        #expect(count > 1_000)
    }

    @Test func everyFieldIsDescribed() throws {
        for file in ContractDocument.files() where file.path.hasPrefix("schemas/") {
            let schema = try JSONValue.decode(Array(file.text.utf8))
            for (title, definition) in schema["$defs"]?.objectValue ?? [] {
                for (name, field) in definition["properties"]?.objectValue ?? [] {
                    #expect(field["description"] != nil, "\(title).\(name)")
                }
            }
        }
    }

    /// What each version takes as parameters. Services refuse what they do not know, so one more parameter,
    /// also
    /// an optional one, is another version: add a line, and raise `Registry.version`. A released line stays.
    private static let parameters: [String: UInt64] = [
        "1.1.0": 15_776_848_626_796_629_464,
        "1.2.0": 13_708_972_564_162_377_985,
        "1.3.0": 3_840_655_764_970_498_507,
        "1.4.0": 3_965_577_931_345_599_203,
        "1.5.0": 17_735_680_308_216_456_172,
        "1.6.0": 834_670_268_682_754_910,
        "1.7.0": 13_308_133_833_922_087_974,
        "1.8.0": 5_119_224_573_409_411_971,
        "1.9.0": 9_116_352_078_079_349_760,
        "1.10.0": 1_130_152_402_131_410_493,
        "1.11.0": 16_499_844_047_359_694_080,
        "1.12.0": 14_820_850_750_207_278_029,
        "1.13.0": 4_672_656_609_299_368_604,
        "1.14.0": 1_994_892_374_373_669_223,
    ]

    @Test func anotherParameterIsAnotherVersion() throws {
        let requests = ContractDocument.files().filter { $0.path.hasSuffix(".request.json") }
        var names: [String] = []
        for file in requests.sorted(by: { $0.path < $1.path }) {
            names += Self.properties(try JSONValue.decode(Array(file.text.utf8)), file.path)
        }
        #expect(requests.count == Self.methods.count && names.count > 100)
        let hash = names.joined(separator: " ").utf8.reduce(14_695_981_039_346_656_037 as UInt64) {
            ($0 ^ UInt64($1)) &* 1_099_511_628_211
        }
        #expect(
            Self.parameters[Registry.version] == hash,
            "the parameters of \(Registry.version) have the digest \(hash): another one is another version")
    }

    /// The names of all properties, at every depth.
    private static func properties(_ schema: JSONValue, _ path: String) -> [String] {
        var names: [String] = []
        for (key, value) in schema.objectValue ?? [] {
            if key == "properties" { names += (value.objectValue ?? []).map { "\(path)/\($0.key)" } }
            names += properties(value, "\(path)/\(key)")
        }
        for item in schema.arrayValue ?? [] { names += properties(item, path) }
        return names
    }
}
