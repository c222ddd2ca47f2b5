import Bus
import Contract
import Glibc
import JSON
import Loop
import ScreenTimeTesting

/// What one call of the command line left.
struct Outcome: Sendable {
    var status: Int32
    var lines: [String]
    var errors: String
    var output: String { lines.joined(separator: "\n") }

    /// Standard output as one JSON document.
    func json() throws -> JSONValue { try JSONValue.decode(Array(output.utf8)) }
}

extension World {
    /// Runs the command line, with its standard error apart from that of other calls.
    func command(_ arguments: String..., environment: [String: String] = [:]) async throws -> Outcome {
        try await command(arguments, environment: environment)
    }

    func command(_ arguments: [String], environment: [String: String] = [:]) async throws -> Outcome {
        let name = "screentime-\(processes.count)"
        let (status, lines) = try await run(
            name, [Self.products + "/screentime"] + arguments, environment: environment)
        return Outcome(status: status, lines: lines, errors: errors(of: name))
    }

    func write(_ text: String, to name: String) throws -> String {
        let path = "\(directory)/\(name)"
        let file = open(path, O_WRONLY | O_CREAT | O_APPEND, 0o600)
        defer { close(file) }
        let bytes = Array(text.utf8)
        guard Glibc.write(file, bytes, bytes.count) == bytes.count else { throw Overdue("write \(path)") }
        return path
    }
}

/// A service that only answers health checks.
@LoopActor final class StandIn {
    private let server: RequestServer

    init(
        _ service: ServiceName, _ world: World, state: ServiceState = .ready, degradedBy: [String] = [],
        notActing: [String]? = nil
    ) throws {
        server = try RequestServer(service, in: world.runtime, tracer: Tracer(service: service.rawValue))
        server.answer(HealthCheck.self) { _, _, reply in
            reply.succeed(
                HealthCheck.Result(
                    service: service.rawValue, state: state, pid: 42, since: 7,
                    contractVersion: Registry.version, queue: 3, degradedBy: degradedBy,
                    notActing: notActing))
        }
    }

    /// Tells these spans.
    func answer(_ spans: [Span]) {
        server.answer(TraceRead.self) { _, _, reply in reply.succeed(TraceRead.Result(spans: spans)) }
    }

    func close() { server.close() }
}
