import JSON

/// Makes a message that fills every field of a schema, the optional ones too, each with another value.
struct SchemaSample {
    private let definitions: JSONValue
    private var count: Int64 = 0
    /// Records being filled; a record inside itself is left out.
    private var open: Set<String> = []

    init(definitions: JSONValue) { self.definitions = definitions }

    mutating func value(_ schema: JSONValue) -> JSONValue {
        if let reference = schema["$ref"]?.stringValue { return record(reference) }
        if let constant = schema["const"] { return constant }
        if let name = schema["enum"]?[0] { return name }
        if let first = schema["anyOf"]?[0] { return value(first) }
        if schema["pattern"] != nil { return "00000000000000000042" }
        switch schema["type"]?.stringValue ?? schema["type"]?[0]?.stringValue {
        case "string": return .string("text \(next())")
        case "integer": return .integer(integer(schema))
        case "number": return .number(Double(next()) + 0.5)
        case "boolean": return true
        case "array": return .array(schema["items"].map { [value($0)] } ?? [])
        case "object": return object(schema)
        default:
            return schema["allOf"] == nil && schema["properties"] == nil ? ["any": "thing"] : object(schema)
        }
    }

    private mutating func next() -> Int64 {
        count += 1
        return count
    }

    /// One in the schema's range.
    private mutating func integer(_ schema: JSONValue) -> Int64 {
        func bound(_ key: String) -> Int64? {
            guard case .integer(let bound)? = schema[key] else { return nil }
            return bound
        }
        let lower = max(bound("minimum") ?? 0, 0)
        guard let upper = bound("maximum"), upper - lower < 1_000 else { return lower + next() }
        return lower + next() % (upper - lower + 1)
    }

    private mutating func record(_ reference: String) -> JSONValue {
        let title = String(reference.dropFirst("#/$defs/".count))
        guard open.insert(title).inserted, let schema = definitions[title] else { return [:] }
        defer { open.remove(title) }
        return value(schema)
    }

    /// The parts of `allOf` first, then its own properties, which are narrower.
    private mutating func object(_ schema: JSONValue) -> JSONValue {
        var members: [(key: String, value: JSONValue)] = []
        func put(_ key: String, _ value: JSONValue) {
            if let place = members.firstIndex(where: { $0.key == key }) {
                members[place].value = value
            } else {
                members.append((key, value))
            }
        }
        for part in schema["allOf"]?.arrayValue ?? [] {
            for (key, value) in value(part).objectValue ?? [] { put(key, value) }
        }
        for (key, part) in schema["properties"]?.objectValue ?? [] { put(key, value(part)) }
        if let other = schema["additionalProperties"] { put("key", value(other)) }
        return .object(members)
    }
}
