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
    /// Those of them before the members.
    private(set) var faultsOfHead: [(message: String, offset: Int)] = []

    /// Keywords of members that have a body and are no fields.
    private static let bodies: Set = [
        "func", "mutating", "nonmutating", "subscript", "struct", "enum", "class", "actor", "indirect",
    ]
    private static let accesses: Set = ["public", "package", "internal", "private", "fileprivate"]

    init(_ source: String) {
        var scanner = Scanner(source)
        summary = Self.summary(scanner.documentation())
        while let attribute = scanner.attribute() { _ = attribute }
        var isKnown = false
        while !isKnown, let word = scanner.word() {
            if Self.accesses.contains(word) { access = word == "private" ? "fileprivate " : word + " " }
            isKnown = word == "struct" || word == "enum"
        }
        if !isKnown { faults.append(("this is no struct and no enum", 0)) }
        faultsOfHead = faults + scanner.faults
        let hasEnd = scanner.skip(to: "{") && readMembers(&scanner)
        if !hasEnd { faults.append(("the end of the type is not found", 0)) }
        faults += scanner.faults
    }

    /// - Returns: whether the type ends where the source does.
    private mutating func readMembers(_ scanner: inout Scanner) -> Bool {
        while !scanner.isAtEnd {
            let documentation = scanner.documentation()
            if scanner.take("}") {
                _ = scanner.documentation()
                return scanner.isAtEnd
            }
            member(&scanner, documentation)
        }
        return false
    }

    private mutating func member(_ scanner: inout Scanner, _ documentation: [String]) {
        var field: [(label: String?, value: String)] = []
        let offset = scanner.offset
        while let attribute = scanner.attribute() {
            guard attribute.name == "Field" else { continue }
            if !field.isEmpty { faults.append(("@Field stands here twice", offset)) }
            field = Scanner.arguments(attribute.arguments)
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
        guard let name = scanner.word() else {
            faults.append(("a field has a name, not a pattern", offset))
            return scanner.skipDeclaration()
        }
        guard scanner.take(":") else {
            faults.append(("the field '\(name)' needs a type", offset))
            return scanner.skipDeclaration()
        }
        let type = scanner.type()
        let initial = scanner.take("=") ? scanner.expression(until: ["{", ","]) : nil
        if type.contains("/*") { faults.append(("the type of '\(name)' has a comment", offset)) }
        switch scanner.next {
        case ",":
            faults.append(("the field '\(name)' shares its 'var' with another", offset))
            return scanner.skipDeclaration()
        case "{" where initial == "":
            faults.append(("the initial value of '\(name)' is not understood", offset))
            return scanner.skipDeclaration()
        case "{":
            // What has a value or observers is stored; all else with braces is computed.
            if initial != nil || ["willSet", "didSet"].contains(scanner.firstWordInBraces()) {
                faults.append(("the field '\(name)' has observers; a field has none", offset))
            }
            return scanner.skipDeclaration()
        default: break
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
