import Bus
import Contract
import ExtensionLink
import JSON

/// What an extension says and hears, in its own words: tokens for subjects. The extension that comes with the
/// system speaks as the person, and plainly.
extension HostedExtension {
    /// Whose tokens it uses, unless a message names another member.
    var owner: TokenOwner { TokenOwner(client: program.client, member: host.service.member(nil)) }

    /// The request as the program may see it.
    func veil(
        _ request: HostedRequest,
        _ completion: @escaping @BusActor (Result<HostedRequest, HostedFailure>) -> Void
    ) {
        guard !program.isBuiltIn, request.method == Wire.callbackMethod else {
            return completion(.success(request))
        }
        var owner = owner
        // What cannot be read is refused by the program.
        if let callback = try? CallbackParams.decode(request.params.bytes) {
            owner.member = callback.about.member
        }
        host.translator.veiled(request.params, owner) { result in
            completion(
                result.map { params in
                    var veiled = request
                    veiled.params = params
                    return veiled
                }.mapError { HostedFailure(kind: .notStarted, error: $0, missedService: true) })
        }
    }

    /// Hands a request of the program to the bus.
    func relay(
        _ request: ProgramRequest, trace: TraceContext?, deadlineMs: Int64,
        _ reply: @escaping @BusActor (Result<RawJSON, ServiceError>) -> Void
    ) {
        guard !program.isBuiltIn else {
            return host.relay.pass(request, for: program, trace: trace, deadlineMs: deadlineMs, reply)
        }
        let params = request.params ?? RawJSON(encoding: Nothing())
        let owner = owner.named(by: params)
        host.translator.plain(params, of: request.method, owner) { [program, host] result in
            switch result {
            case .failure(let error): reply(.failure(error))
            case .success(let plain):
                var plainly = request
                plainly.params = plain
                host.relay.pass(plainly, for: program, trace: trace, deadlineMs: deadlineMs) { answer in
                    guard case .success(let raw) = answer else { return reply(answer) }
                    host.translator.veiled(raw, owner, reply)
                }
            }
        }
    }

    /// Answers what a program asks its host for its labels; false: it asks for something else.
    func describe(
        _ request: ProgramRequest, _ reply: @escaping @BusActor (Result<RawJSON, ServiceError>) -> Void
    ) -> Bool {
        guard request.method == DescribeTokens.name else { return false }
        do throws(JSONError) {
            let params = try DescribeTokens.Params.decode((request.params ?? RawJSON()).bytes)
            host.describer.describe(params, owner) { result in reply(result.map { RawJSON(encoding: $0) }) }
        } catch {
            reply(
                .failure(ServiceError(.invalidParams, error.message, remedy: "See Shared/ExtensionLink.")))
        }
        return true
    }

    /// Pushes events of these types from now on, to a program that acts. One that sees names hears nothing.
    func listen(_ types: [String]) {
        if let listener { host.events.forget(listener) }
        listener = nil
        guard program.point == .monitor || program.point == .shieldAction, !types.isEmpty else { return }
        let client = program.isBuiltIn ? nil : program.client
        listener = host.events.listen(types, client: client) { [weak self] type, data in
            guard let self else { return }
            guard !program.isBuiltIn else { return push(type, data) }
            host.translator.veiled(data, owner) { [weak self] result in
                // Without tokens it must not see it: it reads the present state when it needs it.
                if case .success(let veiled) = result { self?.push(type, veiled) }
            }
        }
    }
}
