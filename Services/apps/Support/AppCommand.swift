package import CommandKit

/// One thing that a built-in app's program does.
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
    /// The name of a selection, by an option that must be there.
    /// - Throws: `CommandError` that names it, also for what is no name.
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
