import Contract
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

    init() {
        var builder = SchemaBuilder()
        for service in ServiceName.allCases {
            let own = Registry.methods.filter { $0.owner == service }
            methods[service] = (Registry.commonMethods + own).map { Self.describe($0, &builder) }
        }
        definitions = Dictionary(builder.definitions, uniquingKeysWith: { first, _ in first })
    }

    private static func describe<M: Method>(
        _ method: M.Type, _ builder: inout SchemaBuilder
    ) -> MethodSchema {
        MethodSchema(name: M.name, isWrite: M.effect == .write, params: M.Params.schema(&builder))
    }

    /// What a reference stands for; any other schema itself.
    func resolved(_ schema: JSONValue) -> JSONValue {
        guard let reference = schema["$ref"]?.stringValue, let title = reference.split(separator: "/").last
        else { return schema }
        return definitions[String(title)] ?? schema
    }
}
