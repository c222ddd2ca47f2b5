import Loop

/// One option of a command.
package struct Option: Sendable {
    package var name: String
    /// What stands for its value in the help; nil: it has none.
    package var value: String?
    package var help: String
    /// May be given several times.
    package var isRepeatable: Bool

    package init(_ name: String, _ value: String? = nil, _ help: String, isRepeatable: Bool = false) {
        self.name = name
        self.value = value
        self.help = help
        self.isRepeatable = isRepeatable
    }

    package static let json = Option("--json", nil, "Print JSON.")
    package static let member = Option("--member", "MEMBER", "Name or id of a member; default: you.")
}

/// One command: its words, what may follow them, and what it does.
package struct Command: Sendable {
    package typealias Action = @Sendable @LoopActor (Invocation) async throws -> Int32

    /// For example `member add`.
    package var words: String
    /// What must follow, for example `NAME`; in brackets: what may; `FILE…`: one or more, as the last.
    package var arguments: [String]
    package var options: [Option]
    package var summary: String
    /// More lines for its own help.
    package var details: String
    package var action: Action

    package init(
        _ words: String, _ arguments: [String] = [], options: [Option] = [], summary: String,
        details: String = "",
        action: @escaping Action
    ) {
        self.words = words
        self.arguments = arguments
        self.options = options
        self.summary = summary
        self.details = details
        self.action = action
    }

    var repeatsLastArgument: Bool { arguments.last?.hasSuffix("…") == true }

    var usage: String {
        let rest = options.map { option in
            (option.value.map { "[\(option.name) \($0)]" } ?? "[\(option.name)]")
                + (option.isRepeatable ? "…" : "")
        }
        return ([words] + arguments + rest).joined(separator: " ")
    }

    var help: String {
        var lines = ["usage: screentime \(usage)", "", summary]
        if !details.isEmpty { lines += ["", details] }
        if !options.isEmpty { lines += ["", "options:"] }
        for option in options {
            let left = [option.name, option.value].compactMap { $0 }.joined(separator: " ")
            let gap = String(repeating: " ", count: max(2, 24 - left.count))
            lines.append("  \(left)\(gap)\(option.help)")
        }
        return lines.joined(separator: "\n")
    }
}
