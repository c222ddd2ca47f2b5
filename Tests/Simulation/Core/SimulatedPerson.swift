import Bus
import Contract
import JSON
import Loop
import Units

/// The person of a simulation, at the command line: sends requests until they succeed.
@LoopActor final class SimulatedPerson {
    private let process: SimulatedProcess
    private let transport: any Transport
    private var clients: [ServiceName: RequestClient] = [:]

    init(_ system: SimulatedSystem) {
        process = system.newProcess("screentime")
        transport = system.network.transport(of: process)
    }

    var now: Instant { process.simulator.now }

    /// Sends a request, with one key, until it is answered; `done` gets the answer.
    /// - Parameter position: what the service must have applied before it answers.
    func ask<M: Method>(
        _ method: M.Type, _ params: M.Params, after position: Position? = nil, key: String? = nil,
        _ done: @escaping @LoopActor (Result<M.Result, ServiceError>) -> Void
    ) {
        let key = key ?? TraceContext.hexText(freshID())
        process.run {
            do throws(SocketError) {
                let options = CallOptions(
                    deadline: 5_000, idempotencyKey: key, notBefore: position.map { [$0] } ?? [])
                try client(M.owner).send(method, params, options: options) { [weak self] result in
                    guard case .failure(let error) = result, error.isWorthARepeat else { return done(result) }
                    self?.process.loop.after(500) {
                        self?.ask(method, params, after: position, key: key, done)
                    }
                }
            } catch { preconditionFailure("a simulated socket always opens: \(error.message)") }
        }
    }

    /// The health of a service, asked once.
    func health(
        _ service: ServiceName,
        _ done: @escaping @LoopActor (Result<HealthCheck.Result, ServiceError>) -> Void
    ) {
        process.run {
            do throws(SocketError) {
                try client(service).send(HealthCheck.self, Nothing(), completion: done)
            } catch { preconditionFailure("a simulated socket always opens: \(error.message)") }
        }
    }

    private func client(_ service: ServiceName) throws(SocketError) -> RequestClient {
        if let client = clients[service] { return client }
        let client = try RequestClient(to: service, in: transport, tracer: Tracer(service: "person"))
        clients[service] = client
        return client
    }
}

extension ServiceError {
    fileprivate var isWorthARepeat: Bool {
        switch name {
        case .unavailable, .deadlineExceeded, .shuttingDown, .storageFull, .storageFailed: true
        default: false
        }
    }
}
