package import CommandKit

/// One command of a built-in app's program.
package typealias AppCommand = Command<AppAction>
package typealias AppAction = @Sendable (Given) async throws -> AppAnswer

extension AppCommand {
    /// - Parameter options: without `--json`, which every command of an app has.
    package static func app(
        _ words: String, _ arguments: [Argument] = [], options: [Option] = [], summary: String,
        action: @escaping AppAction
    ) -> AppCommand {
        AppCommand(words, arguments, options: options + [.json], summary: summary, action: action)
    }
}

extension Given {
    /// The name of a selection from a required option.
    /// - Throws: `CommandError` if the option is missing or its value is not a name.
    package func selection(_ option: String = "--selection") throws -> String {
        try AppWords.name(try required(option), "the selection's name")
    }
}

/// The output of a command: sentences for a person, and the same as JSON for a program.
package struct AppAnswer: Sendable {
    package var text: String
    package var json: String

    /// - Parameter value: what `--json` prints, with sorted keys.
    package init(_ text: String, _ value: some Encodable) throws {
        self.text = text
        json = try AppJSON.text(value)
    }
}
