internal import CommandKit
internal import Contract
internal import Foundation
internal import ManagedSettings

/// The main program of a built-in app: a table of commands.
package struct AppProgram: Sendable {
    private let table: CommandTable
    private let commands: [AppCommand]

    package init(_ name: String, summary: String, commands: [AppCommand]) {
        table = CommandTable(
            name, summary: summary, commands: commands.map(\.description), dashedWordsAreArguments: true)
        self.commands = commands
    }

    /// Runs the command that the arguments name, and exits with 0 or an error's code.
    package func run(_ words: [String]) async -> Never {
        switch CommandParser.parse(words, table, width: Console.columns) {
        case .print(let text):
            Console.print(ConsoleText(lines: text))
            exit(ExitCode.ok)
        case .wrong(let error):
            Console.refuse(error)
            exit(error.code)
        case .run(let command, let given):
            guard let action = commands.first(where: { $0.words == command.words })?.action else {
                preconditionFailure("\(command.words) is in the table and has no action")
            }
            await perform(action, given)
        }
    }

    private func perform(_ action: AppAction, _ given: Given) async -> Never {
        do {
            if let reason = try CommandClock.follow() {
                Self.note(
                    table.program,
                    "your time zone is not known, so days are this machine's: \(reason)")
            }
            let answer = try await action(given)
            // Apple's setters of stores cannot throw, so a write may have failed without an error so far.
            if let failure = StoreFailures.take() { throw failure }
            if given.has(Option.json.name) {
                Console.print(Array(answer.json.utf8))
            } else {
                Console.print(ConsoleText(lines: answer.text))
            }
            exit(ExitCode.ok)
        } catch {
            let error = Self.reported(error)
            // Errors of `screentime` may have several lines; a word of the command line may not add one.
            Console.fail(error, isLines: error.code != ExitCode.usage)
            exit(error.code)
        }
    }

    /// On standard error, which may be closed; the exit code remains.
    static func note(_ name: String, _ sentence: String) {
        Console.note(ConsoleText(lines: "\(name): \(sentence)"))
    }

    private static func reported(_ error: any Error) -> CommandError {
        switch error {
        case let error as CommandError: error
        case let error as ServiceError:
            CommandError(error.message, remedy: error.remedy, code: ErrorKind(error).exitCode)
        case let error as any LocalizedError:
            CommandError(
                error.errorDescription ?? "\(error)",
                remedy: error.recoverySuggestion ?? "See `screentime status` and `screentime doctor`.",
                code: ErrorKind(error).exitCode)
        default: CommandError("\(error)", remedy: "See `screentime status` and `screentime doctor`.")
        }
    }
}
