import Bus
import Contract
import ExtensionLink
import JSON
import ServiceKit

/// Hands an extension's requests to the bus. Who it speaks for is added here; what it says about that is not
/// heard.
@BusActor struct Relay {
    let service: Service

    /// - Parameters:
    ///   - trace: the span of the callback on whose behalf it asks; nil: outside of one.
    ///   - deadlineMs: milliseconds its callback has left.
    func pass(
        _ method: String, _ params: RawJSON?, of program: ExtensionRecord, trace: TraceContext?,
        deadlineMs: Int64,
        _ completion: @escaping @BusActor (Result<RawJSON, ServiceError>) -> Void
    ) {
        guard let known = Wire.relayedMethods.first(where: { $0.name == method }) else {
            return completion(
                .failure(
                    ServiceError(
                        .accessDenied, "a monitor extension may not call this method",
                        remedy: "It may call \(Wire.relayedMethods.map { $0.name }.joined(separator: ", ")).")
                ))
        }
        let span = service.tracer.start(known.name, .client, parent: trace)
        let options = CallOptions(
            deadlineMs: max(1, min(deadlineMs, Limits.requestDeadlineMs)), trace: span.context,
            client: program.isBuiltIn ? nil : program.client)
        do throws(ServiceError) {
            try service.client(known.owner).sendRaw(
                method: known.name, params: (params ?? RawJSON(encoding: Nothing())).bytes,
                isWrite: known.effect == .write, traceparent: span.context.traceparent, options: options
            ) { [tracer = service.tracer] result in
                if case .failure(let error) = result {
                    tracer.end(span, outcome: error.name.rawValue)
                } else {
                    tracer.end(span)
                }
                completion(result)
            }
        } catch {
            service.tracer.end(span, outcome: error.name.rawValue)
            completion(.failure(error))
        }
    }
}

extension ExtensionRecord {
    /// The extension that comes with the system speaks as the person.
    var isBuiltIn: Bool { id == LimitsBundle.id && client == BuiltInClient.limits }
}
