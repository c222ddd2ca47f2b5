import Contract
import JSON
import Units

/// Makes requests from the schemas: most of each fits, some of it does not.
struct RequestMaker {
    let schemas: Schemas
    var corpus = Corpus()
    private var chance: Chance
    private let now: Instant
    private var nextID = 1
    /// The id of the request made last.
    var lastID: Int64 { Int64(nextID - 1) }

    init(_ schemas: Schemas, seed: UInt64, now: Instant) {
        self.schemas = schemas
        self.now = now
        chance = Chance(seed: seed)
    }

    /// One request to `service`. One far over the message limit would close the connection, as the contract
    /// says, and other open requests would get no answer.
    mutating func request(to service: ServiceName) -> String {
        while true {
            let request = anyRequest(to: service)
            if request.utf8.count < Limits.messageBytesMax * 2 { return request }
        }
    }

    private mutating func anyRequest(to service: ServiceName) -> String {
        // A service that has no methods is a hole in the registry, and found by other tests.
        guard let methods = schemas.methods[service], !methods.isEmpty else { return "{}" }
        return anyRequest(of: methods)
    }

    /// One request as a program sends it to its host.
    mutating func requestOfProgram() -> String { anyRequest(of: schemas.ofPrograms) }

    private mutating func anyRequest(of methods: [MethodSchema]) -> String {
        var method = chance.pick(methods)
        // A service that holds its commits answers no write for five seconds: now and then is enough.
        while method.name == BackupHold.name, !chance.isLucky(2) { method = chance.pick(methods) }
        let wildness = chance.pick([0, 3, 10, 40])
        var members = [
            ("jsonrpc", "\"2.0\""), ("id", String(nextID)), ("method", "\"\(method.name)\""),
            ("params", value(method.params, "params", wildness, depth: 0)), ("deadline", deadline()),
        ]
        nextID += 1
        if method.isWrite || chance.isLucky(5) {
            let key = chance.isLucky(90) ? "k\(nextID)-\(chance.next())" : "k"
            let text = chance.isLucky(97) ? "\"\(key)\"" : Boundaries.string(&chance)
            members.append(("idempotency_key", text))
        }
        if chance.isLucky(20) {
            let client = chance.isLucky(70) ? "\"org.test.client\"" : Boundaries.string(&chance)
            members.append(("client", client))
        }
        if chance.isLucky(10) { members.append(("not_before", position())) }
        if chance.isLucky(5) { members.append(("traceparent", Boundaries.string(&chance))) }
        if chance.isLucky(2) { members.append((chance.pick(["id", "params", "method"]), "1")) }
        return Self.object(members)
    }

    /// Short, so that what waits for a person ends soon, or one that is refused.
    private mutating func deadline() -> String {
        chance.isLucky(95)
            ? String(Int.random(in: 1...100, using: &chance))
            : chance.pick(["0", "-1", "3600001", "9223372036854775807", "-9223372036854775808", "1.5"])
    }

    private mutating func position() -> String {
        let service = chance.pick(ServiceName.allCases).rawValue
        return "[{\"service\":\"\(service)\",\"sequence\":\(chance.pick(Boundaries.integers))}]"
    }

    // MARK: values

    private mutating func value(_ schema: JSONValue, _ field: String, _ wildness: Int, depth: Int) -> String {
        let schema = schemas.resolved(schema)
        // Longer ones are granted, and then waited for.
        if field == "wait_ms" { return chance.pick(Boundaries.waits) }
        if depth > 0, chance.isLucky(wildness) { return wild(schema) }
        if let names = schema["enum"]?.arrayValue {
            return names.isEmpty ? "\"\"" : text(of: chance.pick(names))
        }
        switch schema["type"]?.stringValue {
        case "object": return object(schema, wildness, depth)
        case "array": return array(schema, field, wildness, depth)
        case "integer", "number": return Corpus.integer(field, now: now, &chance)
        case "boolean": return chance.isLucky(50) ? "true" : "false"
        case "string": return corpus.string(field, &chance)
        default: return chance.pick(Boundaries.strangers)
        }
    }

    /// Something at the edge of the type, or of another type.
    private mutating func wild(_ schema: JSONValue) -> String {
        guard chance.isLucky(85) else { return chance.pick(Boundaries.strangers) }
        switch schema["type"]?.stringValue {
        case "integer", "number": return chance.pick(Boundaries.integers)
        case "string": return Boundaries.string(&chance)
        default: return chance.pick(Boundaries.strangers)
        }
    }

    private mutating func object(_ schema: JSONValue, _ wildness: Int, _ depth: Int) -> String {
        if let values = schema["additionalProperties"] {
            let keys = (0..<chance.pick([0, 1, 3])).map { "k\($0)" }
            return Self.object(keys.map { ($0, value(values, $0, wildness, depth: depth + 1)) })
        }
        let required = schema["required"]?.arrayValue?.compactMap(\.stringValue) ?? []
        var members: [(String, String)] = []
        for (key, property) in schema["properties"]?.objectValue ?? [] {
            let isAsked = required.contains(key) ? !chance.isLucky(wildness / 4) : chance.isLucky(40)
            guard isAsked else { continue }
            members.append((key, value(property, key, wildness, depth: depth + 1)))
            if chance.isLucky(wildness / 8), let last = members.last { members.append(last) }
        }
        if chance.isLucky(wildness / 4) { members.append(("stranger", "1")) }
        if chance.isLucky(wildness) { members.shuffle(using: &chance) }
        return Self.object(members)
    }

    private mutating func array(
        _ schema: JSONValue, _ field: String, _ wildness: Int, _ depth: Int
    ) -> String {
        var count = chance.pick([0, 1, 1, 2, 3])
        if depth < 3, chance.isLucky(wildness / 4) { count = chance.pick([64, 101, 1_001]) }
        let items = schema["items"] ?? [:]
        if count > 3 {
            // The same again, mostly: what it costs to make must not outweigh what it costs to read.
            let one = value(items, field, wildness, depth: depth + 1)
            return "[" + Array(repeating: one, count: count).joined(separator: ",") + "]"
        }
        return "[" + (0..<count).map { _ in value(items, field, wildness, depth: depth + 1) }
            .joined(separator: ",") + "]"
    }

    private func text(of value: JSONValue) -> String { String(decoding: value.encoded(), as: UTF8.self) }

    private static func object(_ members: [(String, String)]) -> String {
        "{" + members.map { "\"\($0.0)\":\($0.1)" }.joined(separator: ",") + "}"
    }
}
