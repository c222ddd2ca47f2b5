/// Collects the JSON Schemas (2020-12) of records, each once under its title, referenced by `$ref`.
@usableFromInline
package struct SchemaBuilder {
    /// Prefix of the title in a `$ref`: `#/$defs/`, or `#/components/schemas/` in an AsyncAPI document.
    private let prefix: String
    private var titles: [String: ObjectIdentifier] = [:]
    /// Titles and schemas, in the order in which the records were first referenced.
    package private(set) var definitions: [(String, JSONValue)] = []

    /// An empty collection.
    package init(prefix: String = "#/$defs/") { self.prefix = prefix }

    /// The reference to `type`. At the first reference it is described, with everything it refers to.
    package mutating func record<R: Record>(_ type: R.Type) -> JSONValue {
        let reference: JSONValue = ["$ref": .string(prefix + R.title)]
        if let known = titles[R.title] {
            precondition(known == ObjectIdentifier(type), "two records have the title '\(R.title)'")
            return reference
        }
        titles[R.title] = ObjectIdentifier(type)
        let place = definitions.count
        definitions.append((R.title, .null))
        definitions[place].1 = describe(type)
        return reference
    }

    private mutating func describe<R: Record>(_ type: R.Type) -> JSONValue {
        var visitor = SchemaFields(builder: self)
        var sample = R()
        do { try sample.fields(&visitor) } catch { preconditionFailure("describing never fails: \(error)") }
        self = visitor.builder
        var members: [(key: String, value: JSONValue)] = [
            ("title", .string(R.title)), ("type", "object"), ("properties", .object(visitor.properties)),
        ]
        if !visitor.required.isEmpty { members.append(("required", .array(visitor.required))) }
        return .object(members)
    }
}

/// Describes the fields of one record.
private struct SchemaFields: FieldVisitor {
    var builder: SchemaBuilder
    var properties: [(key: String, value: JSONValue)] = []
    var required: [JSONValue] = []

    init(builder: SchemaBuilder) { self.builder = builder }

    mutating func field<T: FieldValue>(_ name: StaticString, _ value: inout T, _ doc: StaticString) {
        describe(T.self, name, doc)
        required.append(.string(name.description))
    }

    mutating func field<T: FieldValue>(_ name: StaticString, _ value: inout T?, _ doc: StaticString) {
        describe(T.self, name, doc)
    }

    mutating func field<T: IntegerValue>(
        _ name: StaticString, _ value: inout T, in range: ClosedRange<Int64>, _ doc: StaticString
    ) {
        add(name, Int64.schema(of: range), doc)
        required.append(.string(name.description))
    }

    mutating func field<T: IntegerValue>(
        _ name: StaticString, _ value: inout T?, in range: ClosedRange<Int64>, _ doc: StaticString
    ) {
        add(name, Int64.schema(of: range), doc)
    }

    private mutating func describe<T: FieldValue>(_ type: T.Type, _ name: StaticString, _ doc: StaticString) {
        add(name, T.schema(&builder), doc)
    }

    private mutating func add(_ name: StaticString, _ schema: JSONValue, _ doc: StaticString) {
        let name = name.description
        precondition(!properties.contains { $0.key == name }, "the field '\(name)' is there twice")
        var schema = schema.objectValue ?? []
        if doc.utf8CodeUnitCount > 0 { schema.append(("description", .string(doc.description))) }
        properties.append((name, .object(schema)))
    }
}
