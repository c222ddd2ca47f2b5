import Bus
import Contract
import ExtensionLink
import JSON
import Loop
import Units

/// Translates messages of an extension between tokens and subjects. Built-in extensions speak as the person,
/// and use names.
extension HostedExtension {
    /// The owner of its tokens, unless a message names another member.
    var owner: TokenOwner { TokenOwner(client: program.client, member: host.service.member(nil)) }

    private var kind: ProgramKind { ProgramKind(program.point) }

    /// The request as the program may see it: a callback with tokens. A program that may not see names only
    /// gets other requests that contain none.
    func tokenize(
        _ request: HostedRequest,
        _ completion: @escaping @LoopActor (Result<HostedRequest, HostedFailure>) -> Void
    ) {
        guard !program.isBuiltIn, request.method == Wire.callbackMethod else {
            let isWithoutNames = [Describe.name, ShieldAct.name].contains(request.method)
            guard program.isBuiltIn || kind.seesNames || isWithoutNames else {
                let error = ServiceError(
                    .internalError, "'\(request.method)' is not for a program of this kind",
                    remedy: "This is a bug.")
                return completion(.failure(HostedFailure(kind: .notStarted, error: error)))
            }
            return completion(.success(request))
        }
        var owner = owner
        // Invalid parameters are refused below.
        if let callback = try? CallbackParams.decode(request.params.bytes) {
            owner.member = callback.about.member
        }
        host.translator.tokenized(request.params, as: CallbackParams.self, owner) { result in
            completion(
                result.map { params in
                    var tokenized = request
                    tokenized.params = params
                    return tokenized
                }.mapError { HostedFailure(kind: .notStarted, error: $0, missedService: true) })
        }
    }

    /// Relays a request of the program to the bus.
    func relay(
        _ request: ProgramRequest, trace: TraceContext?, deadline: Milliseconds,
        _ reply: @escaping @LoopActor (Result<RawJSON, ServiceError>) -> Void
    ) {
        guard !program.isBuiltIn else {
            return host.relay.pass(request, for: program, trace: trace, deadline: deadline, reply)
        }
        let method: any Method.Type
        do throws(ServiceError) { method = try Relay.method(request.method, kind) } catch {
            return reply(.failure(error))
        }
        let params = AttachedFiles(program: program, files: host.files)
            .own(request.params ?? RawJSON(encoding: Nothing()), of: method) { [program, host] one in
                host.service.log.warning(
                    "a notification is shown without an attachment that is not a file of the extension",
                    [("extension", .text(program.id)), ("path", .text(one.path))])
            }
        let owner = owner.named(by: params, of: method)
        host.translator.plain(params, of: method, owner) { [program, host] result in
            switch result {
            case .failure(let error): reply(.failure(error))
            case .success(let plain):
                var plainly = request
                plainly.params = plain.params
                host.relay.pass(plainly, for: program, trace: trace, deadline: deadline) { answer in
                    switch answer {
                    case .failure(let error): reply(.failure(plain.shown(error)))
                    case .success(let raw): host.translator.tokenizedResult(raw, of: method, owner, reply)
                    }
                }
            }
        }
    }

    /// Answers a request of a program that sees names for descriptions of its tokens; false if it is another
    /// request, or not allowed.
    func describe(
        _ request: ProgramRequest, _ reply: @escaping @LoopActor (Result<RawJSON, ServiceError>) -> Void
    ) -> Bool {
        guard request.method == DescribeTokens.name, kind.seesNames else { return false }
        do throws(JSONError) {
            let params = try DescribeTokens.Params.decode((request.params ?? RawJSON()).bytes)
            host.describer.describe(params, owner) { result in reply(result.map { RawJSON(encoding: $0) }) }
        } catch {
            reply(
                .failure(ServiceError(.invalidParams, error.message, remedy: "See Shared/Extensions/Link.")))
        }
        return true
    }

    /// Pushes events of these types from now on to a program that acts. A program that sees names gets none.
    func listen(_ types: [String]) {
        if let listener { host.events.forget(listener) }
        listener = nil
        guard program.point == .monitor || program.point == .shieldAction, !types.isEmpty else { return }
        let client = program.isBuiltIn ? nil : program.client
        listener = host.events.listen(types, client: client) { [weak self] type, data in
            guard let self else { return }
            guard !program.isBuiltIn else { return push(type, data) }
            host.translator.tokenizedEvent(data, of: type, owner) { [weak self] result in
                // An event without its tokens must not be sent; the program reads the present state when it
                // needs it.
                if case .success(let tokenized) = result { self?.push(type, tokenized) }
            }
        }
    }
}
