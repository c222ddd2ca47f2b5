import Bus
import Contract
import JSON
import Loop
import ScreenTimeTesting
import TestSupport

extension World {
    /// Starts the console at any port.
    func startConsole(_ environment: [String: String] = [:]) async throws -> Browser {
        let process = try await start(AgentName.console, environment: environment)
        let line = try await process.line("READY")
        guard let port = line.split(separator: ":").last.flatMap({ UInt16($0.dropLast()) }) else {
            throw Overdue("no port in '\(line)'")
        }
        return Browser(port: port)
    }

    /// The same, and signs in.
    func openConsole(_ environment: [String: String] = [:]) async throws -> Browser {
        let browser = try await startConsole(environment)
        try await browser.signIn(try await consoleAddress())
        guard browser.csrf != nil else { throw Overdue("nobody is signed in") }
        return browser
    }

    /// A new way into the console.
    func consoleAddress(page: String? = nil, client: String? = nil) async throws -> String {
        let console = try consoleClient()
        defer { console.close() }
        let options = CallOptions(deadline: 20_000, client: client)
        return try await console.call(ConsoleOpen.self, ConsoleOpen.Params(page: page), options: options)
            .address
    }

    func consoleClient() throws -> RequestClient {
        try RequestClient(toNamed: AgentName.console, in: runtime, tracer: tracer)
    }

    func consoleHealth() async throws -> HealthCheck.Result {
        let console = try consoleClient()
        defer { console.close() }
        return try await console.call(HealthCheck.self, Nothing(), options: CallOptions(deadline: 20_000))
    }
}

extension Browser.Reply {
    func json() throws -> JSONValue { try JSONValue.decode(body) }

    /// The name of a refusal.
    var problem: String? {
        // Of what is no JSON there is no name.
        guard fields["content-type"] == "application/problem+json" else { return nil }
        return try? json()["title"]?.stringValue
    }
}

extension Browser {
    /// Calls a method of the contract.
    func call<M: Method>(_ method: M.Type, _ params: M.Params, service: String? = nil) async throws
        -> M.Result
    {
        let query = service.map { "?service=\($0)" } ?? ""
        let reply = try await post(
            "/api/\(M.name)\(query)", String(decoding: params.encoded(), as: UTF8.self))
        guard reply.status == 200 else { throw Overdue("\(M.name): \(reply.status) \(reply.text)") }
        return try M.Result.decode(reply.body)
    }
}
