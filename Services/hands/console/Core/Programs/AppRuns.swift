import Contract
import Glibc
import JSON
package import Loop
import ServiceKit

/// Commands of the built-in apps, `POST /api/app.run`. What an app keeps is its own matter, so that its
/// command is the only way to change it: a page runs it as a person does in a terminal.
@LoopActor package final class AppRuns {
    private let folder: String
    private let environment: [String: String]
    private var runs: [Int: ChildRun] = [:]
    private var nextID = 0

    /// - Parameters:
    ///   - folder: of the programs.
    ///   - environment: of this process.
    package init(folder: String, environment: [String: String]) {
        self.folder = folder
        // systemd's sockets are not theirs.
        self.environment = environment.filter { !$0.key.hasPrefix("LISTEN_") }
    }

    /// Commands that run.
    package var count: Int { runs.count }

    func answer(_ request: HTTPRequest) async -> HTTPResponse {
        do throws(ServiceError) {
            return try await run(try Self.decode(request.body))
        } catch { return HTTPResponse(error) }
    }

    /// Ends all commands.
    package func close() { runs.values.forEach { $0.stop() } }

    private static func decode(_ body: [UInt8]) throws(ServiceError) -> AppRun {
        let command: AppRun
        do throws(JSONError) { command = try AppRun.decodeStrictly(body) } catch {
            throw ServiceError(
                .invalidParams, "the parameters of \(AppRun.name) are wrong: \(error.message)",
                remedy: "Send program and arguments.")
        }
        let words = command.arguments
        guard words.count <= ConsoleLimits.argumentsMax,
            words.allSatisfy({ $0.utf8.count <= Limits.textBytesMax && !$0.utf8.contains(0) })
        else {
            throw ServiceError(
                .invalidArgument,
                "a command has at most \(ConsoleLimits.argumentsMax) words of \(Limits.textBytesMax) bytes",
                remedy: "Send a shorter one.")
        }
        return command
    }

    private func run(_ command: AppRun) async throws(ServiceError) -> HTTPResponse {
        let isName = command.program.utf8.allSatisfy { (UInt8(ascii: "a")...UInt8(ascii: "z")).contains($0) }
        guard isName, InstalledApps.hasManifest(command: command.program, in: folder) else {
            throw ServiceError(
                .invalidArgument,
                "'\(VisibleText.shortened(command.program, bytesMax: 60))' is no built-in app",
                remedy: "Name one of docs/commands.md.")
        }
        guard runs.count < ConsoleLimits.runsMax else {
            throw ServiceError(
                .tooManyRequests, "\(ConsoleLimits.runsMax) commands run already",
                remedy: "Wait until one of them has ended.")
        }
        var words = ["\(folder)/\(command.program)"] + command.arguments
        // After `--` there are names only.
        words.insert("--json", at: words.firstIndex(of: "--") ?? words.endIndex)
        return Self.response(to: await outcome(of: words), command.program)
    }

    /// A command whose page has left is ended.
    private func outcome(of words: [String]) async -> ChildRun.Outcome {
        let id = nextID
        nextID += 1
        defer { runs[id] = nil }
        return await withTaskCancellationHandler {
            await withCheckedContinuation { continuation in
                runs[id] = ChildRun(
                    words, environment: environment, outputBytesMax: ConsoleLimits.outputBytesMax,
                    time: ConsoleLimits.run
                ) { continuation.resume(returning: $0) }
                if Task.isCancelled { runs[id]?.stop() }
            }
        } onCancel: {
            Task { @LoopActor in self.runs[id]?.stop() }
        }
    }

    private static func response(to outcome: ChildRun.Outcome, _ program: String) -> HTTPResponse {
        switch outcome.end {
        case .status(0): return answer(outcome.output, program)
        case .status(let status): return refusal(status, outcome.errors, program)
        case .stopped:
            return HTTPResponse(
                ServiceError(
                    .deadlineExceeded, "\(program) did not end within \(ConsoleLimits.run.count / 1_000) s",
                    remedy: "Decide what it asked for, then try again."))
        case .tooLong:
            return HTTPResponse(
                ServiceError(
                    .messageTooLong, "\(program) printed more than \(ConsoleLimits.outputBytesMax) bytes",
                    remedy: "Run it in a terminal."))
        case .notStarted(let code):
            return HTTPResponse(
                ServiceError(
                    .unavailable, "\(program) cannot be started: \(String(cString: strerror(code)))",
                    remedy: "Install screentime again."))
        }
    }

    private static func answer(_ output: [UInt8], _ program: String) -> HTTPResponse {
        do throws(JSONError) {
            return HTTPResponse(
                200, [("Content-Type", "application/json"), ("Cache-Control", "no-store")],
                .bytes(try RawJSON(bytes: output).bytes))
        } catch {
            return HTTPResponse(
                ServiceError(
                    .internalError, "\(program) did not print JSON: \(error.message)",
                    remedy: "Run a command that prints JSON."))
        }
    }

    /// What it said on standard error, where its last sentences begin with its name: what is wrong, then what
    /// to do.
    private static func refusal(_ status: Int32, _ errors: [UInt8], _ program: String) -> HTTPResponse {
        let lines = String(decoding: errors, as: UTF8.self).split(separator: "\n").map(String.init)
        let prefix = program + ": "
        guard let last = lines.lastIndex(where: { $0.hasPrefix(prefix) }) else {
            return HTTPResponse(
                ServiceError(
                    .internalError, "\(program) ended with \(status)", remedy: "Run it in a terminal."))
        }
        let line = lines[last].dropFirst(prefix.count)
        let end = sentenceEnd(of: line)
        let rest = [String(line[end...].drop { $0 == "." || $0 == " " })] + lines[(last + 1)...]
        let (message, remedy) = (
            VisibleText.shortened(String(line[..<end])),
            VisibleText.shortened(rest.filter { !$0.isEmpty }.joined(separator: " "))
        )
        guard status != ExitCode.refused else { return .refusal(.refused, message, remedy: remedy) }
        return HTTPResponse(ServiceError(name(of: status), message, remedy: remedy))
    }

    private static func sentenceEnd(of line: Substring) -> Substring.Index {
        line.indices.first { line[$0] == "." && line[line.index(after: $0)...].first == " " } ?? line.endIndex
    }

    private static func name(of status: Int32) -> ErrorName {
        switch status {
        case ExitCode.usage: .invalidArgument
        case ExitCode.unavailable, ExitCode.temporary: .unavailable
        case ExitCode.notAllowed: .accessDenied
        default: .internalError
        }
    }
}
