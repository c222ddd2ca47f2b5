package import Bus
package import Contract
package import ExtensionLink
package import JSON
package import Loop
package import Units

/// Relays programs' requests to the bus. The relay sets the client; what a program claims about that is
/// ignored.
@LoopActor package struct Relay {
    private let tracer: Tracer
    private let client: @LoopActor (ServiceName) throws(ServiceError) -> RequestClient

    package init(
        tracer: Tracer, client: @escaping @LoopActor (ServiceName) throws(ServiceError) -> RequestClient
    ) {
        self.tracer = tracer
        self.client = client
    }

    /// For an extension, limited to the methods of its extension point.
    func pass(
        _ request: ProgramRequest, for program: ExtensionRecord, trace: TraceContext?, deadline: Milliseconds,
        _ completion: @escaping @LoopActor (Result<RawJSON, ServiceError>) -> Void
    ) {
        pass(
            request, of: ProgramKind(program.point), client: program.isBuiltIn ? nil : program.client,
            trace: trace, deadline: deadline, completion)
    }

    /// - Parameters:
    ///   - client: nil: it speaks as the person.
    ///   - trace: the span of the callback that caused it; nil outside of one.
    ///   - deadline: time until the answer is useless.
    package func pass(
        _ request: ProgramRequest, of kind: ProgramKind, client bundle: String?, trace: TraceContext?,
        deadline: Milliseconds, _ completion: @escaping @LoopActor (Result<RawJSON, ServiceError>) -> Void
    ) {
        let known: any Method.Type
        do throws(ServiceError) { known = try Self.method(request.method, kind) } catch {
            return completion(.failure(error))
        }
        let span = tracer.start(known.name, .client, parent: trace)
        let options = CallOptions(
            deadline: max(1, min(deadline, Limits.requestDeadlineMax)), trace: span.context,
            client: bundle)
        do throws(ServiceError) {
            try client(known.owner).sendRaw(
                method: known.name, params: (request.params ?? RawJSON(encoding: Nothing())).bytes,
                isWrite: known.effect == .write, traceparent: span.context.traceparent, options: options
            ) { [tracer] result in
                if case .failure(let error) = result {
                    tracer.end(span, outcome: error.name.rawValue)
                } else {
                    tracer.end(span)
                }
                completion(result)
            }
        } catch {
            tracer.end(span, outcome: error.name.rawValue)
            completion(.failure(error))
        }
    }

    /// - Throws: `accessDenied` with the methods that a program of this kind may call.
    static func method(_ name: String, _ kind: ProgramKind) throws(ServiceError) -> any Method.Type {
        if let method = kind.relayedMethods.first(where: { $0.name == name }) { return method }
        let allowed = kind.relayedMethods.map { $0.name }.joined(separator: ", ")
        throw ServiceError(
            .accessDenied, "a program of this kind may not call this method",
            remedy: allowed.isEmpty ? "It may call none." : "It may call \(allowed).")
    }
}

extension ProgramKind {
    package init(_ point: ExtensionPoint) {
        switch point {
        case .monitor: self = .monitor
        case .shieldConfiguration: self = .shieldConfiguration
        case .shieldAction: self = .shieldAction
        case .report: self = .report
        }
    }
}

extension ExtensionRecord {
    /// The built-in extension speaks as the person.
    package var isBuiltIn: Bool {
        id == BuiltInClient.limits + ".monitor" && client == BuiltInClient.limits
    }
}
