import Bus
import CommandKit
import Contract
import JSON
import Loop

extension Screentime {
    static let traceCommand = Command(
        "trace",
        options: [
            Option("--follow", nil, "Print spans while they happen, until Ctrl-C."),
            Option("--trace", "ID", "Only this trace; the beginning of its id is enough."),
            Option("--last", "N", "The last N traces; default 10."),
            Option(
                "--format", "FORMAT", "tree (default), json, otlp (OpenTelemetry) or chrome (Perfetto).",
                values: .words(["tree", "json", "otlp", "chrome"])),
        ],
        summary: "Show how a message travelled through the services.",
        details: """
            With --follow and --format json each line is one span. otlp is OTLP/JSON; chrome is the Trace
            Event Format that chrome://tracing and ui.perfetto.dev open.
            """
    ) { invocation in
        let format = invocation.value("--format") ?? "tree"
        let wanted = try traceID(invocation)
        let session = try invocation.session()
        if invocation.has("--follow") {
            guard format == "tree" || format == "json" else {
                throw CommandError(
                    ExitCode.usage, "--follow cannot write \(format)", remedy: "Use --format tree or json.")
            }
            return try await follow(session, wanted, asJSON: format == "json")
        }
        let last = try invocation.number("--last", in: 1...100_000) ?? 10
        let traces = choose(try await gather(session, wanted), wanted, last: last)
        if let wanted, traces.isEmpty {
            throw CommandError(
                ExitCode.refused, "no service remembers a trace '\(wanted)'",
                remedy: "Each keeps its last \(Limits.spansKeptMax) spans; see `screentime trace`.")
        }
        switch format {
        case "json": Console.print(TraceRead.Result(spans: traces.flatMap { $0 }).encoded())
        case "otlp": Console.print(TraceExport.otlp(traces.flatMap { $0 }))
        case "chrome": Console.print(TraceExport.chrome(traces))
        default: for line in traces.flatMap(TraceTree.lines) { Console.print(line) }
        }
        return ExitCode.ok
    }

    /// The id, or its beginning, as it is written in spans.
    @LoopActor private static func traceID(_ invocation: Invocation) throws(CommandError) -> String? {
        guard let text = invocation.value("--trace") else { return nil }
        let id = text.lowercased()
        let isHex = id.utf8.allSatisfy { (48...57).contains($0) || (97...102).contains($0) }
        guard isHex, (1...32).contains(id.utf8.count) else {
            throw CommandError(
                ExitCode.usage, "--trace is '\(text)'",
                remedy: "Use a trace's id, 32 hexadecimal digits, or how it begins.")
        }
        return id
    }

    /// The spans of all services that answer; the others are named on standard error.
    @LoopActor private static func gather(_ session: Session, _ wanted: String?) async throws -> [Span] {
        let asked = sources(session).map { name in
            (name, Task { @LoopActor in try await read(name, session, wanted) })
        }
        var spans: [Span] = []
        var silent: [String] = []
        for (name, task) in asked {
            do { spans += try await task.value } catch { silent.append(name) }
        }
        guard silent.count < asked.count else {
            throw CommandError(
                ExitCode.unavailable, "no service answers", remedy: "Start them with scripts/run-all.sh.")
        }
        if !silent.isEmpty { Console.note("Without \(silent.joined(separator: ", ")): no answer.") }
        return spans
    }

    private static let agents = [AgentName.desktopAgent, AgentName.shieldCover, AgentName.console]

    /// All services, and the agents where there are some: a machine without a desktop lacks nothing.
    @LoopActor private static func sources(_ session: Session) -> [String] {
        ServiceName.startOrder.map(\.rawValue)
            + agents.filter { session.somebodyListens(at: $0) }
    }

    /// As many of the newest spans as fit into one answer.
    @LoopActor private static func read(
        _ name: String, _ session: Session, _ wanted: String?
    ) async throws -> [Span] {
        guard session.somebodyListens(at: name) else {
            throw CommandError(ExitCode.unavailable, "\(name) is not running", remedy: "Start it.")
        }
        // A whole id is looked for by the service, the beginning of one by us.
        let id = wanted.flatMap { $0.utf8.count == 32 ? $0 : nil }
        var limit = Int64(Limits.spansKeptMax)
        while true {
            do throws(ServiceError) {
                return try await session.client(named: name).call(
                    TraceRead.self, TraceRead.Params(traceID: id, limit: limit),
                    options: CallOptions(deadline: 2_000)
                ).spans
            } catch {
                guard error.name == .limitExceeded, limit > 1 else { throw error }
                limit /= 2
            }
        }
    }

    /// The wanted traces, oldest first, each sorted by start. What this very command caused is left out.
    static func choose(_ spans: [Span], _ wanted: String?, last: Int) -> [[Span]] {
        let traces = Dictionary(grouping: spans, by: \.traceID).values
            .map { $0.sorted { ($0.start, -$0.durationUs) < ($1.start, -$1.durationUs) } }
            .filter { trace in
                if let wanted { return trace.first?.traceID.hasPrefix(wanted) == true }
                return !trace.allSatisfy { ["trace.read", "health.check", "events.read"].contains($0.name) }
            }
            .sorted {
                ($0.first?.start ?? 0, $0.first?.traceID ?? "") < (
                    $1.first?.start ?? 0, $1.first?.traceID ?? ""
                )
            }
        return Array(traces.suffix(last))
    }

    @LoopActor private static func follow(
        _ session: Session, _ wanted: String?, asJSON: Bool
    ) async throws -> Int32 {
        var listeners: [TraceListener] = []
        // Agents may come later: their spans are listened for in any case.
        for name in ServiceName.startOrder.map(\.rawValue) + agents {
            do throws(SocketError) {
                listeners.append(
                    try TraceListener(named: name, in: session.configuration.runtime) { span in
                        guard wanted.map(span.traceID.hasPrefix) ?? true else { return }
                        asJSON ? Console.print(span.encoded()) : Console.print(TraceTree.line(span))
                    })
            } catch {
                throw CommandError(
                    ExitCode.bug, error.message, remedy: "Raise the limit of open files (ulimit -n).")
            }
        }
        try await untilInterrupted()
        listeners.forEach { $0.close() }
        return ExitCode.ok
    }
}
