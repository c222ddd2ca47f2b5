import CommandKit
import Contract
import Glibc
import JSON
import Loop

extension Screentime {
    static let logsCommand = Command(
        "logs",
        [Argument("SERVICE|EXTENSION", .optional, values: .suggestions(of: ServiceName.self))],
        options: [
            Option("--follow", nil, "Go on with new lines until Ctrl-C."),
            Option("--last", "N", "Only the last N lines to begin with."),
            Option("--json", nil, "The lines as they are in the files."),
        ],
        summary: "Print the logs of all services and extensions, or of one, merged by time."
    ) { invocation in
        let directory = try invocation.session().configuration.logDirectory
        let service = invocation.arguments.first
        let tail = try LogTail(directory, service: service, follow: invocation.has("--follow"))
        let raw = invocation.has("--json")
        let last = try invocation.number("--last", in: 0...1_000_000)
        let lines = tail.readAll().sorted { $0.time < $1.time }
        guard !lines.isEmpty || invocation.has("--follow") else {
            throw CommandError(
                ExitCode.refused, "there is no log of \(service ?? "any service") in '\(directory)'",
                remedy: "See `screentime status` for the services' names, and SCREENTIME_LOG_DIR.")
        }
        for line in lines.suffix(last ?? lines.count) { print(line, raw) }
        guard invocation.has("--follow") else { return ExitCode.ok }
        tail.onLines = { new in for line in new.sorted(by: { $0.time < $1.time }) { print(line, raw) } }
        try tail.watch()
        try await untilInterrupted()
        return ExitCode.ok
    }

    private static func print(_ line: LogLine, _ raw: Bool) {
        if raw { return Console.print(line.bytes) }
        let style: Console.Style? =
            switch line.level {
            case "error": .red
            case "warning": .yellow
            case "debug": .faint
            default: nil
            }
        Console.print(style.map { Console.styled(line.text, $0) } ?? ConsoleText(line.text))
    }

    /// Suspends until the person presses Ctrl-C.
    @LoopActor static func untilInterrupted() async throws(ServiceError) {
        let signals = try InterruptSignals()
        await withCheckedContinuation { continuation in
            signals.onInterrupt = { continuation.resume() }
        }
        withExtendedLifetime(signals) {}
    }
}

/// One line of a log.
struct LogLine: Sendable {
    var bytes: [UInt8]
    var time: String
    var level: String
    /// For a person.
    var text: String

    /// A line that is no JSON is shown as it is, at the place of the one before it.
    init(_ bytes: [UInt8], after time: String) {
        self.bytes = bytes
        guard let value = try? JSONValue.decode(bytes), let members = value.objectValue else {
            // Not ours; shown below as it came.
            self.time = time
            level = "info"
            text = String(decoding: bytes, as: UTF8.self)
            return
        }
        self.time = value["time"]?.stringValue ?? time
        level = value["level"]?.stringValue ?? "info"
        let service = value["service"]?.stringValue ?? "-"
        let message = value["message"]?.stringValue ?? ""
        let known: Set<String> = ["time", "level", "service", "pid", "message"]
        let data = members.filter { !known.contains($0.key) }.map { "\($0.key)=\(Self.plain($0.value))" }
        let head = [self.time, level.uppercased(), service, message]
        text = (head + data).joined(separator: "  ")
    }

    private static func plain(_ value: JSONValue) -> String {
        value.stringValue ?? String(decoding: value.encoded(), as: UTF8.self)
    }
}
