/// A positional argument of a command. A literal has the form of the usage line: `NAME` must be given,
/// `[NAME]` may be, `FILE…` once or more, `[FILE…]` any number of times.
package struct Argument: Sendable, Equatable, ExpressibleByStringLiteral {
    /// How many words it takes.
    package enum Arity: Sendable {
        case one
        case optional
        case oneOrMore
        case any
    }

    package var name: String
    package var arity: Arity
    package var values: Values

    package init(_ name: String, _ arity: Arity = .one, values: Values = .text) {
        self.name = name
        self.arity = arity
        self.values = values
    }

    package init(stringLiteral usage: String) {
        var name = usage[...]
        let isOptional = name.hasPrefix("[") && name.hasSuffix("]")
        if isOptional { name = name.dropFirst().dropLast() }
        let repeats = name.hasSuffix("…")
        if repeats { name = name.dropLast() }
        self.init(
            String(name),
            isOptional ? (repeats ? .any : .optional) : (repeats ? .oneOrMore : .one))
    }

    package static func file(_ usage: Argument) -> Argument { usage.taking(.file) }
    package static func directory(_ usage: Argument) -> Argument { usage.taking(.directory) }

    package func taking(_ values: Values) -> Argument { Argument(name, arity, values: values) }

    package var isRequired: Bool { arity == .one || arity == .oneOrMore }
    package var repeats: Bool { arity == .oneOrMore || arity == .any }

    package var usage: String {
        let name = repeats ? name + "…" : name
        return isRequired ? name : "[\(name)]"
    }
}
