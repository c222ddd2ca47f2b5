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

    private unowned let system: SimulatedSystem

    init(_ system: SimulatedSystem) {
        self.system = system
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
                    guard case .failure(let error) = result, error.isWorthARepeat else {
                        self?.check(result, of: method.name)
                        return done(result)
                    }
                    self?.process.loop.after(500) {
                        self?.ask(method, params, after: position, key: key, done)
                    }
                }
            } catch { preconditionFailure("a simulated socket always opens: \(error.message)") }
        }
    }

    /// No request gives reason for these, and the disk damages nothing.
    private func check<R>(_ result: Result<R, ServiceError>, of method: String) {
        guard case .failure(let error) = result, [.storageDamaged, .internalError].contains(error.name)
        else { return }
        system.violate("\(method) was answered with: \(error.message)")
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
    var isWorthARepeat: Bool {
        switch name {
        case .unavailable, .deadlineExceeded, .shuttingDown, .storageFull, .storageFailed: true
        default: false
        }
    }
}
