import Contract
import ExtensionLink
import JSON

/// Where messages of the bus have subjects, and where programs have tokens in their stead.
enum SubjectPlaces {
    /// Requests that name subjects. Others have words of a person or a program, which may begin as they like.
    private static let methods = [
        "settings.", "monitoring.", "selection.", "shield.", "report.", "usage.", "catalog.",
    ]

    static func areTaken(by method: String) -> Bool { methods.contains { method.hasPrefix($0) } }

    // MARK: tokens in what a program says

    static func isToken(_ text: String) -> Bool { text.hasPrefix(Wire.tokenPrefix) }

    /// All tokens in a value, each once, in order.
    static func tokens(in value: JSONValue) -> [String] {
        var found: [String] = []
        var seen: Set<String> = []
        visit(value) { text in if isToken(text), seen.insert(text).inserted { found.append(text) } }
        return found
    }

    private static func visit(_ value: JSONValue, _ body: (String) -> Void) {
        switch value {
        case .string(let text): body(text)
        case .array(let values): for value in values { visit(value, body) }
        case .object(let members): for member in members { visit(member.value, body) }
        default: break
        }
    }

    static func replace(in value: JSONValue, _ body: (String) -> String) -> JSONValue {
        switch value {
        case .string(let text): .string(body(text))
        case .array(let values): .array(values.map { replace(in: $0, body) })
        case .object(let members): .object(members.map { ($0.key, replace(in: $0.value, body)) })
        default: value
        }
    }

    // MARK: subjects in what the bus says

    /// The value with each subject changed by `body`.
    static func mapSubjects(_ value: JSONValue, _ body: (TokenSubject) -> String) -> JSONValue {
        switch value {
        case .array(let values): .array(values.map { mapSubjects($0, body) })
        case .object(let members): mapObject(value, members, body)
        default: value
        }
    }

    private static func mapObject(
        _ value: JSONValue, _ members: [(key: String, value: JSONValue)], _ body: (TokenSubject) -> String
    ) -> JSONValue {
        if let key = value["key"]?.stringValue, let held = value["value"], members.count == 2 {
            return .object([("key", .string(key)), ("value", setting(key, held, body))])
        }
        let named = value["kind"]?.stringValue.flatMap(kind(ofShield:))
        return .object(
            members.map { key, member in
                if key == "subject", let named { return (key, names(member, named, body)) }
                // The exceptions of a shield are apps or domains, whichever it shields.
                if key == "except", let named {
                    return (key, names(member, named == .domain ? .domain : .app, body))
                }
                if let kind = lists[key] { return (key, names(member, kind, body)) }
                return (key, mapSubjects(member, body))
            })
    }

    /// Lists of names, wherever they are.
    private static let lists: [String: TokenKind] = [
        "applications": .app, "categories": .category, "webDomains": .domain, "web_domains": .domain,
    ]

    private static func kind(ofShield kind: String) -> TokenKind? {
        switch kind {
        case "app": .app
        case "domain": .domain
        case "category", "domain_category": .category
        default: nil
        }
    }

    /// A name or a list of names; anything else is looked into.
    private static func names(
        _ value: JSONValue, _ kind: TokenKind, _ body: (TokenSubject) -> String
    ) -> JSONValue {
        switch value {
        case .string(let name): .string(body(TokenSubject(kind, name)))
        case .array(let values): .array(values.map { names($0, kind, body) })
        default: mapSubjects(value, body)
        }
    }

    /// Settings of Apple's that hold subjects; what a program named itself stands under other keys.
    private static func setting(
        _ key: String, _ value: JSONValue, _ body: (TokenSubject) -> String
    ) -> JSONValue {
        func policy(_ kinds: [String: TokenKind]) -> JSONValue {
            guard let members = value.objectValue else { return value }
            return .object(
                members.map { name, member in (name, kinds[name].map { names(member, $0, body) } ?? member) })
        }
        return switch key {
        case "shield.applications", "application.blockedApplications": names(value, .app, body)
        case "shield.webDomains": names(value, .domain, body)
        case "shield.applicationCategories": policy(["categories": .category, "except": .app])
        case "shield.webDomainCategories": policy(["categories": .category, "except": .domain])
        case "webContent.blockedByFilter": policy(["domains": .domain, "except": .domain])
        default: value
        }
    }

    // MARK: tokens beside names

    /// The value with a `token` in each object that says how much something was used, or where the catalogue
    /// has it.
    static func addTokens(_ value: JSONValue, _ body: (TokenSubject) -> String) -> JSONValue {
        switch value {
        case .array(let values): return .array(values.map { addTokens($0, body) })
        case .object(let members):
            var members = members.map { ($0.key, addTokens($0.value, body)) }
            if let subject = named(value) {
                members.removeAll { $0.0 == "token" }
                members.append(("token", .string(body(subject))))
            }
            return .object(members)
        default: return value
        }
    }

    /// What an object of `report.query` or `catalog.list` is about.
    private static func named(_ value: JSONValue) -> TokenSubject? {
        if let subject = value["subject"]?.stringValue, value["source"] != nil {
            return TokenSubject(value["kind"]?.stringValue == "domain" ? .domain : .app, subject)
        }
        guard value["total_activity_ms"] != nil else { return nil }
        if let app = value["app"]?.stringValue { return TokenSubject(.app, app) }
        if let domain = value["domain"]?.stringValue { return TokenSubject(.domain, domain) }
        return value["category"]?.stringValue.map { TokenSubject(.category, $0) }
    }
}
