import CommandKit
import Contract
import Glibc
import Loop
import ServiceKit

/// The command line.
package enum Screentime {
    package typealias Action = @Sendable @LoopActor (Invocation) async throws -> Int32

    static let version = "screentime \(Version.program), contract \(Registry.version)"

    /// Runs one command and ends the process with its exit code.
    /// - Parameter words: without the program's name.
    package static func run(_ words: [String]) -> Never {
        // A file that may grow no further (RLIMIT_FSIZE) is an error with a sentence.
        signal(SIGXFSZ, SIG_IGN)
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
            Reactor.run {
                let invocation = Invocation(given)
                Task { @LoopActor in exit(await perform(action, invocation)) }
            }
        }
        exit(ExitCode.bug)
    }

    @LoopActor private static func perform(_ action: Action, _ invocation: Invocation) async -> Int32 {
        do {
            return try await action(invocation)
        } catch {
            let error = CommandError(anything: error)
            Console.fail(error)
            return error.code
        }
    }
}
