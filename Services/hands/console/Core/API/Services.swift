package import Bus
package import Contract
package import JSON
package import Loop

/// The connections to services and agents. Each is made when it is first used, and stays; a write has one of
/// its own.
@LoopActor package final class Services {
    private let transport: any Transport
    private let tracer: Tracer
    private var clients: [String: RequestClient] = [:]

    package init(_ transport: any Transport, tracer: Tracer) {
        self.transport = transport
        self.tracer = tracer
    }

    /// - Parameter name: of a service or an agent.
    /// - Throws: `unavailable` if no descriptor is left.
    package func client(_ name: String) throws(ServiceError) -> RequestClient {
        if let client = clients[name] { return client }
        let client = try connect(name)
        clients[name] = client
        return client
    }

    private func connect(_ name: String) throws(ServiceError) -> RequestClient {
        do throws(SocketError) {
            return try RequestClient(toNamed: name, in: transport, tracer: tracer)
        } catch {
            throw ServiceError(
                .unavailable, error.message, remedy: "Raise the limit of open files (ulimit -n).")
        }
    }

    /// Asks with the person's words, which nobody has decoded.
    ///
    /// The connection of a write ends with it: what a service that stood still reads after the page has told
    /// that it failed is not begun.
    package func ask(
        _ name: String, _ method: any Call.Type, _ params: RawJSON, _ options: CallOptions
    ) async -> Result<RawJSON, ServiceError> {
        let isWrite = method.effect == .write
        do throws(ServiceError) {
            let client = try isWrite ? connect(name) : client(name)
            defer { if isWrite { client.close() } }
            return .success(
                try await client.callRaw(
                    method: method.name, params: params.bytes, isWrite: isWrite,
                    traceparent: (options.trace ?? .root()).traceparent, options: options))
        } catch { return .failure(error) }
    }

    /// Asks the owner of a method.
    package func call<M: Method>(
        _ method: M.Type, _ params: M.Params, _ options: CallOptions = CallOptions()
    ) async throws(ServiceError) -> M.Result {
        try await client(M.owner.rawValue).call(method, params, options: options)
    }

    /// Ends all open requests.
    package func close() {
        clients.values.forEach { $0.close() }
        clients = [:]
    }
}
