internal import Contract

/// What a word beginning with `--` means to a command.
package struct AppOption: Sendable {
    package var name: String
    /// What stands for its value in the help; nil: it has none.
    package var value: String?
    package var help: String

    package init(_ name: String, _ value: String? = nil, _ help: String) {
        self.name = name
        self.value = value
        self.help = help
    }

    package static let json = AppOption("--json", nil, "Print JSON.")
}

/// One thing that a built-in app's program does, by its first word.
package struct AppCommand: Sendable {
    package var word: String
    /// What must follow, for example `NAME`; in brackets: what may.
    package var arguments: [String]
    package var options: [AppOption]
    package var summary: String
    package var action: @Sendable (AppInvocation) async throws -> AppAnswer

    package init(
        _ word: String, _ arguments: [String] = [], options: [AppOption] = [], summary: String,
        action: @escaping @Sendable (AppInvocation) async throws -> AppAnswer
    ) {
        self.word = word
        self.arguments = arguments
        self.options = options + [.json]
        self.summary = summary
        self.action = action
    }

    func usage(_ program: String) -> String {
        let rest = options.map { option in
            option.value.map { "[\(option.name) \($0)]" } ?? "[\(option.name)]"
        }
        return ([program, word] + arguments + rest).joined(separator: " ")
    }
}

/// What was given with a command.
package struct AppInvocation: Sendable {
    package var arguments: [String]
    package var options: [String: String]

    /// The value of an option that must be there.
    /// - Throws: `AppError` that names it.
    package func required(_ name: String) throws -> String {
        guard let value = options[name] else {
            throw AppError("\(name) is missing", remedy: "See --help.", code: AppError.usage)
        }
        return value
    }

    /// The name of a selection, by an option that must be there.
    /// - Throws: `AppError` that names it, also for what is no name.
    package func selection(_ option: String = "--selection") throws -> String {
        try AppWords.name(try required(option), "the selection's name")
    }
}

/// What a command prints: sentences for a person, or the same as JSON for a program.
package struct AppAnswer: Sendable {
    package var text: String
    package var json: String

    /// - Parameter value: what `--json` prints, with sorted keys.
    package init(_ text: String, _ value: some Encodable) throws {
        self.text = text
        json = try AppJSON.text(value)
    }
}


/// An error with what to do about it, and the exit code (`ExitCode`).
package struct AppError: Error, Equatable {
    package static let usage = ExitCode.usage
    package static let temporary = ExitCode.temporary

    package var message: String
    package var remedy: String
    package var code: Int32

    package init(_ message: String, remedy: String, code: Int32 = 1) {
        self.message = message
        self.remedy = remedy
        self.code = code
    }
}
