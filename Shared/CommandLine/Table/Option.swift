/// What may stand for an option or an argument. Completion scripts offer it; the parser refuses another word
/// where the list is closed.
package enum Values: Sendable, Equatable {
    /// Any text.
    case text
    /// One of these words and no other.
    case words([String])
    /// These words, or text that only the command can judge.
    case suggestions([String])
    case file
    case directory
}

/// An option of a command.
package struct Option: Sendable, Equatable {
    /// `--member`, or `-o`.
    package var name: String
    /// The name of its value in the help. If nil, the option is a flag.
    package var value: String?
    package var help: String
    package var values: Values
    /// Whether it may be given several times.
    package var isRepeatable: Bool
    /// Other spellings, for example `-h`.
    package var aliases: [String]

    package init(
        _ name: String, _ value: String? = nil, _ help: String, values: Values = .text,
        isRepeatable: Bool = false, aliases: [String] = []
    ) {
        self.name = name
        self.value = value
        self.help = help
        self.values = values
        self.isRepeatable = isRepeatable
        self.aliases = aliases
    }

    package static let json = Option("--json", nil, "Print JSON.")
    /// Every command has it; it is in no list of options.
    package static let help = Option("--help", nil, "Print this help.", aliases: ["-h"])

    package var spellings: [String] { [name] + aliases }

    /// With its value, as in the help: `--member MEMBER`.
    package var usage: String { value.map { "\(name) \($0)" } ?? name }

    /// With all spellings, as in a list of options: `-o, --output FILE`.
    var spelled: String { spellings.joined(separator: ", ") + (value.map { " \($0)" } ?? "") }

    /// As in a usage line: `[--member MEMBER]…`.
    var optionalUsage: String { "[\(usage)]" + (isRepeatable ? "…" : "") }
}

extension Values {
    package static func suggestions<Value: CaseIterable & RawRepresentable<String>>(
        of type: Value.Type
    ) -> Values {
        .suggestions(type.allCases.map(\.rawValue))
    }

    /// The raw values of an enumeration, and no other word.
    package static func cases<Value: CaseIterable & RawRepresentable<String>>(of type: Value.Type) -> Values {
        .words(type.allCases.map(\.rawValue))
    }
}
