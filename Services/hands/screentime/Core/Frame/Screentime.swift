import Contract
import Glibc
import Loop
import ServiceKit

/// The command line.
package enum Screentime {
    static let version = "screentime \(Version.program), contract \(Registry.version)"

    /// Runs one command and ends the process with its exit code.
    /// - Parameter words: without the program's name.
    package static func run(_ words: [String]) -> Never {
        // A file that may grow no further (RLIMIT_FSIZE) is an error with a sentence.
        signal(SIGXFSZ, SIG_IGN)
        switch Arguments.parse(words, commands) {
        case .print(let text):
            Console.print(ConsoleText(lines: text))
            exit(ExitCode.ok)
        case .wrong(let error):
            Console.note("screentime: \(error.message)\n\(ConsoleText(lines: error.remedy))")
            exit(error.code)
        case .run(let command, let arguments, let options):
            Reactor.run {
                let invocation = Invocation(arguments: arguments, options: options)
                Task { @LoopActor in exit(await perform(command, invocation)) }
            }
        }
        exit(ExitCode.bug)
    }

    @LoopActor private static func perform(_ command: Command, _ invocation: Invocation) async -> Int32 {
        do {
            return try await command.action(invocation)
        } catch {
            let error = CommandError(anything: error)
            Console.fail(error)
            return error.code
        }
    }
}
