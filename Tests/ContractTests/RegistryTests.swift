import Contract
import ContractDocument
import JSON
import Testing

/// The list of everything: unique, owned, described.
@Suite struct RegistryTests {
    private static let methods = Registry.commonMethods + Registry.methods

    @Test func namesAreUniqueAndCommonMethodsAreNotListedTwice() {
        let names = Self.methods.map { $0.name } + Registry.events.map { $0.type }
        #expect(names.count == Set(names).count)
    }

    /// The first part of a name says whose it is.
    private static let owners: [String: ServiceName] = [
        "member": .auth, "authorization": .auth, "token": .auth, "selection": .auth,
        "usage": .activity, "monitoring": .activity,
        "activity": .activity, "catalog": .activity,
        "extension": .monitor, "delivery": .monitor, "callback": .monitor, "settings": .shield,
        "shield": .shield,
        "time": .activity, "report": .report, "notification": .notifier, "darwin": .notifier,
    ]

    @Test func everyOwnerIsRight() {
        let named = Registry.methods.map { ($0.name, $0.owner) } + Registry.events.map { ($0.type, $0.owner) }
        for (name, owner) in named {
            #expect(Self.owners[String(name.prefix { $0 != "." })] == owner, "\(name)")
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
        for file in ContractDocument.files() {
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
        for file in ContractDocument.files() where file.path != "asyncapi.json" {
            let schema = try JSONValue.decode(Array(file.text.utf8))
            for (title, definition) in schema["$defs"]?.objectValue ?? [] {
                for (name, field) in definition["properties"]?.objectValue ?? [] {
                    #expect(field["description"] != nil, "\(title).\(name)")
                }
            }
        }
    }
}
