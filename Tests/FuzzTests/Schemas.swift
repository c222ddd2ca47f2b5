import Contract
import ExtensionLink
import JSON

/// One method as the fuzzer sees it: nothing but its name and the schema of its parameters.
struct MethodSchema {
    var name: String
    var isWrite: Bool
    var params: JSONValue
}

/// The schemas of the contract, as its documents have them.
struct Schemas {
    private var definitions: [String: JSONValue] = [:]
    /// By service: its own methods, and those of all.
    private(set) var methods: [ServiceName: [MethodSchema]] = [:]
    /// What a program may ask its host for, or try to: every method of every service, and those of the wire.
    private(set) var ofPrograms: [MethodSchema] = []

    init() {
        var builder = SchemaBuilder()
        for service in ServiceName.allCases {
            let own = Registry.methods.filter { $0.owner == service }
            methods[service] = (Registry.commonMethods + own).map { Self.describe($0, &builder) }
        }
        ofPrograms = ServiceName.allCases.flatMap { methods[$0] ?? [] }
        let wire = [
            wire(Hello.method, Hello.Params.self), wire(Subscribe.method, Subscribe.Params.self),
            wire(DescribeTokens.name, DescribeTokens.Params.self),
            wire(NameTokens.name, NameTokens.Params.self), wire(LinkClock.name, LinkClock.Params.self),
            wire(LinkTurn.name, LinkTurn.Params.self),
        ]
        // As often as all others together, since nothing else calls these.
        ofPrograms += Array(repeating: wire, count: ofPrograms.count / wire.count).flatMap(\.self)
        let known = builder.definitions
        definitions.merge(known) { _, contract in contract }
    }

    /// The wire's parameters all have the same title: each gets a builder of its own.
    private mutating func wire<P: Record>(_ name: String, _ params: P.Type) -> MethodSchema {
        var builder = SchemaBuilder()
        let reference = params.schema(&builder)
        definitions.merge(builder.definitions) { first, _ in first }
        let own = Dictionary(builder.definitions) { first, _ in first }
        let title = reference["$ref"]?.stringValue?.split(separator: "/").last.map(String.init)
        return MethodSchema(name: name, isWrite: false, params: title.flatMap { own[$0] } ?? reference)
    }

    private static func describe<M: Method>(
        _ method: M.Type, _ builder: inout SchemaBuilder
    ) -> MethodSchema {
        MethodSchema(name: M.name, isWrite: M.effect == .write, params: M.Params.schema(&builder))
    }

    /// Resolves a reference; returns any other schema unchanged.
    func resolved(_ schema: JSONValue) -> JSONValue {
        guard let reference = schema["$ref"]?.stringValue, let title = reference.split(separator: "/").last
        else { return schema }
        return definitions[String(title)] ?? schema
    }
}
