package import CompilerPlugin

/// Expands `@Method` and `@Event` to the constants that the protocols require. The summary is taken from the
/// type's documentation.
package enum MethodExpansion {
    /// Expands `@Method("report.query", of: .report, .read, for: .authorizedClient)`, and the same with
    /// `ofAgent:`.
    package static func expand(_ source: String, attribute: String) -> Expansion {
        let declaration = Declaration(source)
        let arguments = Scanner.arguments(inParenthesesOf: attribute)
        guard arguments.count == 4 else { return Expansion("", [.init("@Method has four arguments", at: 0)]) }
        let access = declaration.access
        let owner =
            arguments[1].label == "ofAgent"
            ? "\(access)static var agent: String { \(arguments[1].value) }"
            : "\(access)static var owner: ServiceName { \(arguments[1].value) }"
        let members = [
            "\(access)static var name: String { \(arguments[0].value) }",
            owner,
            "\(access)static var effect: Effect { \(arguments[2].value) }",
            "\(access)static var access: Access { \(arguments[3].value) }",
            summary(declaration),
        ]
        let faults = declaration.faultsOfHead.map { Expansion.Fault($0.message, at: $0.offset) }
        return Expansion(members.joined(separator: "\n"), Self.faults(declaration) + faults)
    }

    /// Expands `@Event("report.changed", of: .report)`, which includes the expansion of `@Record`.
    package static func expandEvent(_ source: String, attribute: String) -> Expansion {
        let declaration = Declaration(source)
        let arguments = Scanner.arguments(inParenthesesOf: attribute)
        guard arguments.count == 2 else { return Expansion("", [.init("@Event has two arguments", at: 0)]) }
        let access = declaration.access
        let (members, recordFaults) = RecordExpansion.members(declaration)
        let constants = [
            "\(access)static var type: String { \(arguments[0].value) }",
            "\(access)static var owner: ServiceName { \(arguments[1].value) }",
            summary(declaration),
        ]
        return Expansion(
            (constants + members).joined(separator: "\n"),
            faults(declaration) + recordFaults
                + declaration.faults.map { Expansion.Fault($0.message, at: $0.offset) })
    }

    private static func summary(_ declaration: Declaration) -> String {
        "\(declaration.access)static var summary: String { \(CompilerPlugin.quoted(declaration.summary)) }"
    }

    private static func faults(_ declaration: Declaration) -> [Expansion.Fault] {
        guard declaration.summary.isEmpty else { return [] }
        return [.init("a message needs documentation (///): its first paragraph is the summary", at: 0)]
    }
}
