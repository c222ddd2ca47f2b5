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

    /// Sends a request and suspends until it is answered.
    /// - Parameters:
    ///   - client: nil: it speaks as the person.
    ///   - trace: the span of the callback that caused it; nil outside of one.
    ///   - deadline: time until the answer is useless.
    package func send(
        _ method: any Method.Type, _ params: RawJSON, as bundle: String?, trace: TraceContext?,
        deadline: Milliseconds
    ) async throws(ServiceError) -> RawJSON {
        let span = tracer.start(method.name, .client, parent: trace)
        let options = CallOptions(
            deadline: max(1, min(deadline, Limits.requestDeadlineMax)), trace: span.context, client: bundle)
        do throws(ServiceError) {
            let answer = try await client(method.owner).callRaw(
                method: method.name, params: params.bytes, isWrite: method.effect == .write,
                traceparent: span.context.traceparent, options: options)
            tracer.end(span)
            return answer
        } catch {
            tracer.end(span, outcome: error.name.rawValue)
            throw error
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
