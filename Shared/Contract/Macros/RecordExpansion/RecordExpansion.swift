package import CompilerPlugin

/// Expands `@Record` to `init()`, an initialiser with all fields, and `fields`, which decodes, encodes and
/// describes them.
package enum RecordExpansion {
    /// - Parameters:
    ///   - source: the declaration with its documentation.
    ///   - attribute: the attribute as written, with the schema's title if given.
    package static func expand(_ source: String, attribute: String) -> Expansion {
        let declaration = Declaration(source)
        var (members, faults) = members(declaration)
        let arguments = Scanner.arguments(inParenthesesOf: attribute)
        if let title = arguments.first {
            members.append("\(declaration.access)static var title: String { \(title.value) }")
        }
        faults += declaration.faults.map { Expansion.Fault($0.message, at: $0.offset) }
        return Expansion(members.joined(separator: "\n"), faults)
    }

    static func members(_ declaration: Declaration) -> ([String], [Expansion.Fault]) {
        var faults: [Expansion.Fault] = []
        var names: Set<String> = []
        for property in declaration.properties {
            if let fault = fault(of: property) { faults.append(Expansion.Fault(fault, at: property.offset)) }
            let name = nameLiteral(property)
            if !names.insert(name).inserted {
                faults.append(.init("the name \(name) is that of another field", at: property.offset))
            }
        }
        let access = declaration.access
        var members = ["\(access)init() {}"]
        if !declaration.hasInit, !declaration.properties.isEmpty {
            let parameters = declaration.properties.map { property in
                "\(property.name): \(property.type) = \(property.initial ?? "nil")"
            }
            let sets = declaration.properties.map { "self.\($0.name) = \($0.name)" }
            members.append(
                "\(access)init(\(parameters.joined(separator: ", "))) {\n\(sets.joined(separator: "\n"))\n}")
        }
        let visits = declaration.properties.map(visit)
        members.append(
            "\(access)mutating func fields<V: FieldVisitor>(_ visitor: inout V) throws(JSONError) {\n"
                + visits.joined(separator: "\n") + "\n}")
        return (members, faults)
    }

    private static func fault(of property: Declaration.Property) -> String? {
        if property.summary.isEmpty { return "the field '\(property.name)' has no documentation (///)" }
        if property.initial == nil, !property.type.hasSuffix("?") {
            return "the field '\(property.name)' needs an initial value, or an optional type"
        }
        let labels = property.field.compactMap(\.label)
        if let label = labels.first(where: { !["in", "name", "markedBy"].contains($0) }) {
            return "@Field has no argument '\(label)'"
        }
        return nil
    }

    /// The source of its name on the wire.
    private static func nameLiteral(_ property: Declaration.Property) -> String {
        let own = property.field.first { $0.label == "name" }?.value
        return own ?? CompilerPlugin.quoted(wireName(property.name, property.type))
    }

    private static func visit(_ property: Declaration.Property) -> String {
        var arguments = [nameLiteral(property), "&\(property.name)"]
        if let range = property.field.first(where: { $0.label == "in" }) {
            arguments.append("in: \(range.value)")
        }
        arguments.append(CompilerPlugin.quoted(property.summary))
        if let mark = property.field.first(where: { $0.label == nil }) { arguments.append(mark.value) }
        if let mark = property.field.first(where: { $0.label == "markedBy" }) {
            arguments.append(String(mark.value.dropFirst().dropLast()))
        }
        return "try visitor.field(\(arguments.joined(separator: ", ")))"
    }

    /// The name on the wire: `segmentStart` becomes `segment_start`, `bundleID` becomes `bundle_id`, and
    /// `from` of type `Instant` becomes `from_ms`.
    static func wireName(_ name: String, _ type: String) -> String {
        var wire = ""
        var previousIsUpper = true
        for character in name where character != "`" {
            if character.isUppercase {
                if !previousIsUpper { wire += "_" }
                wire += character.lowercased()
            } else {
                wire.append(character)
            }
            previousIsUpper = character.isUppercase
        }
        let words = type.split { !$0.isLetter && !$0.isNumber }
        return words.contains { $0 == "Instant" || $0 == "Milliseconds" } ? wire + "_ms" : wire
    }
}

extension Scanner {
    /// The arguments of an attribute that is given as source.
    static func arguments(inParenthesesOf attribute: String) -> [(label: String?, value: String)] {
        var scanner = Scanner(attribute)
        return arguments(scanner.attribute()?.arguments ?? "")
    }
}
