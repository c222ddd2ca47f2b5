internal import Contract
internal import Foundation
internal import ManagedSettings

/// The main program of a built-in app: a table of commands.
package struct AppProgram: Sendable {
    package var name: String
    package var summary: String
    package var commands: [AppCommand]

    package init(_ name: String, summary: String, commands: [AppCommand]) {
        self.name = name
        self.summary = summary
        self.commands = commands
    }

    /// Runs the command that the words name and ends the process: 0, or an error's code.
    package func run(_ words: [String]) async -> Never {
        guard let first = words.first, first != "--help", first != "-h", first != "help" else {
            say(overview)
            exit(words.isEmpty ? AppError.usage : 0)
        }
        do {
            guard let command = commands.first(where: { $0.word == first }) else {
                throw AppError("there is no command '\(first)'", remedy: overview, code: AppError.usage)
            }
            if words.dropFirst().contains("--help") {
                say("usage: \(command.usage(name))\n\n\(command.summary)")
                exit(0)
            }
            let invocation = try parse(Array(words.dropFirst()), command)
            if let reason = try CommandClock.follow() {
                tell("your time zone is not known, so days are this machine's: \(reason)")
            }
            let answer = try await command.action(invocation)
            // What an app writes to its stores cannot throw; the answer may be of something that is not so.
            if let failure = StoreFailures.take() { throw failure }
            let isJSON = invocation.options["--json"] != nil
            say(
                isJSON
                    ? String(decoding: VisibleText.escapedJSON(Array(answer.json.utf8)), as: UTF8.self)
                    : VisibleText.escaped(answer.text, isLines: true))
            exit(0)
        } catch {
            fail(Self.told(error))
        }
    }

    /// The answer. One that is lost is no answer: the process ends with the reason.
    private func say(_ text: String) {
        let bytes = Array("\(text)\n".utf8)
        var done = 0
        while done < bytes.count {
            let count = bytes[done...].withUnsafeBytes { write(STDOUT_FILENO, $0.baseAddress, $0.count) }
            if count < 0, errno == EINTR { continue }
            guard count > 0 else {
                let reason = String(cString: strerror(errno))
                fail(
                    AppError(
                        "the answer cannot be written: \(reason)",
                        remedy: "What was asked for is done. Make room where the answer goes, and ask again.",
                        code: AppError.temporary))
            }
            done += count
        }
    }

    private func fail(_ error: AppError) -> Never {
        tell("\(error.message). \(error.remedy)")
        exit(error.code)
    }

    private func tell(_ sentence: String) { Self.tell(name, sentence) }

    /// On standard error, which may be closed: the exit code still tells.
    static func tell(_ name: String, _ sentence: String) {
        let bytes = Array(VisibleText.escaped("\(name): \(sentence)\n", isLines: true).utf8)
        _ = write(STDERR_FILENO, bytes, bytes.count)
    }

    private static func told(_ error: any Error) -> AppError {
        switch error {
        case let error as AppError: error
        case let error as ServiceError:
            AppError(
                error.message, remedy: error.remedy, code: ErrorKind(error).exitCode)
        case let error as any LocalizedError:
            AppError(
                sentence(error.errorDescription ?? "\(error)"),
                remedy: error.recoverySuggestion ?? "See `screentime status` and `screentime doctor`.",
                code: ErrorKind(error).exitCode)
        default: AppError("\(error)", remedy: "See `screentime status` and `screentime doctor`.")
        }
    }

    /// Without its full stop.
    private static func sentence(_ text: String) -> String {
        text.hasSuffix(".") ? String(text.dropLast()) : text
    }

    private var overview: String {
        let lines = commands.map { "  \($0.usage(name))\n      \($0.summary)" }
        return "\(name): \(summary)\n\n" + lines.joined(separator: "\n")
    }

    func parse(_ words: [String], _ command: AppCommand) throws -> AppInvocation {
        func wrong(_ message: String) -> AppError {
            AppError(message, remedy: "usage: \(command.usage(name))", code: AppError.usage)
        }
        var invocation = AppInvocation(arguments: [], options: [:])
        var rest = words[...]
        while let word = rest.popFirst() {
            guard word.hasPrefix("--") else {
                invocation.arguments.append(word)
                continue
            }
            guard let option = command.options.first(where: { $0.name == word }) else {
                throw wrong("unknown option '\(word)'")
            }
            guard invocation.options[word] == nil else { throw wrong("\(word) is given twice") }
            if option.value == nil {
                invocation.options[word] = ""
            } else {
                guard let value = rest.popFirst() else { throw wrong("\(word) needs a value") }
                invocation.options[word] = value
            }
        }
        let needed = command.arguments.count { !$0.hasPrefix("[") }
        guard invocation.arguments.count >= needed else {
            throw wrong("\(command.arguments[invocation.arguments.count]) is missing")
        }
        guard invocation.arguments.count <= command.arguments.count else {
            throw wrong("'\(invocation.arguments[command.arguments.count])' is too much")
        }
        return invocation
    }
}
