/// A parsed type declaration: enough of Swift's syntax to find its stored properties. Syntax it does not know
/// is refused with an error at the property.
struct Declaration {
    /// One stored property.
    struct Property {
        var name: String
        var type: String
        /// The initial value's source; nil if there is none.
        var initial: String?
        /// First paragraph of its documentation, as one line.
        var summary: String
        /// Arguments of `@Field` with their labels; empty without the attribute.
        var field: [(label: String?, value: String)]
        /// Position of its first word, in bytes from the start of the source.
        var offset: Int
    }

    /// First paragraph of the type's documentation.
    var summary = ""
    /// Access modifier followed by a space; empty for internal.
    var access = ""
    var properties: [Property] = []
    /// True if the type declares an initialiser with parameters.
    var hasInit = false
    var faults: [(message: String, offset: Int)] = []

    /// Keywords of members that have a body and are no fields.
    private static let bodies: Set = [
        "func", "mutating", "nonmutating", "subscript", "struct", "enum", "class", "actor", "indirect",
    ]
    private static let accesses: Set = ["public", "package", "internal", "private", "fileprivate"]

    init(_ source: String) {
        var scanner = Scanner(source)
        summary = Self.summary(scanner.documentation())
        while let attribute = scanner.attribute() { _ = attribute }
        while let word = scanner.word(), word != "struct", word != "enum" {
            if Self.accesses.contains(word) { access = word == "private" ? "fileprivate " : word + " " }
        }
        guard scanner.skip(to: "{") else { return }
        while !scanner.isAtEnd {
            let documentation = scanner.documentation()
            if scanner.take("}") { return }
            member(&scanner, documentation)
        }
    }

    private mutating func member(_ scanner: inout Scanner, _ documentation: [String]) {
        var field: [(label: String?, value: String)] = []
        let offset = scanner.offset
        while let attribute = scanner.attribute() {
            if attribute.name == "Field" { field = Scanner.arguments(attribute.arguments) }
        }
        var isStatic = false
        while let word = scanner.word() {
            switch word {
            case "static": isStatic = true
            case "init":
                if scanner.parentheses()?.isEmpty == false { hasInit = true }
                return scanner.skipBody()
            case "let" where !isStatic:
                faults.append(("a field of a record is a var", offset))
                return scanner.skipDeclaration()
            case "var" where !isStatic:
                return property(&scanner, documentation, field, offset)
            case let word where Self.accesses.contains(word): _ = scanner.parentheses()
            case let word where Self.bodies.contains(word): return scanner.skipBody()
            case "case", "typealias": return scanner.skipDeclaration()
            case _ where isStatic: return scanner.skipDeclaration()
            default:
                faults.append(
                    ("a record has fields, functions and types; '\(word)' is not understood", offset))
                return scanner.skipDeclaration()
            }
        }
        faults.append(("a record has fields, functions and types; this is not understood", offset))
        scanner.skipDeclaration()
    }

    private mutating func property(
        _ scanner: inout Scanner, _ documentation: [String], _ field: [(label: String?, value: String)],
        _ offset: Int
    ) {
        guard let name = scanner.word() else { return scanner.skipDeclaration() }
        guard scanner.take(":") else {
            faults.append(("the field '\(name)' needs a type", offset))
            return scanner.skipDeclaration()
        }
        let type = scanner.expression(until: ["=", "{"])
        let hasInitial = scanner.take("=")
        let initial = hasInitial ? scanner.expression(until: ["{"]) : nil
        if scanner.next == "{" {
            // With `=` it is stored and has observers; without, it is computed.
            if hasInitial { faults.append(("the field '\(name)' has observers; a field has none", offset)) }
            return scanner.skipDeclaration()
        }
        properties.append(
            Property(
                name: name, type: type, initial: initial, summary: Self.summary(documentation), field: field,
                offset: offset))
    }

    /// The lines before the first empty line.
    private static func summary(_ documentation: [String]) -> String {
        documentation.prefix { !$0.isEmpty }.joined(separator: " ")
    }
}
