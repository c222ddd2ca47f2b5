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
    func tokenized(_ request: HostedRequest) async throws(HostedFailure) -> HostedRequest {
        guard !program.isBuiltIn, request.method == Wire.callbackMethod else {
            let isWithoutNames = [Describe.name, ShieldAct.name].contains(request.method)
            guard program.isBuiltIn || kind.seesNames || isWithoutNames else {
                let error = ServiceError(
                    .internalError, "'\(request.method)' is not for a program of this kind",
                    remedy: "This is a bug.")
                throw HostedFailure(kind: .notStarted, error: error)
            }
            return request
        }
        var owner = owner
        // Invalid parameters are refused below.
        if let callback = try? CallbackParams.decode(request.params.bytes) {
            owner.member = callback.about.member
        }
        do throws(ServiceError) {
            var tokenized = request
            tokenized.params = try await host.translator.tokenized(
                request.params, as: CallbackParams.self, owner)
            return tokenized
        } catch {
            throw HostedFailure(kind: .notStarted, error: error, missedService: true)
        }
    }

    /// Relays a request of the program to the bus.
    func relay(
        _ request: ProgramRequest, trace: TraceContext?, deadline: Milliseconds
    ) async throws(ServiceError) -> RawJSON {
        if request.method == DescribeTokens.name, kind.seesNames { return try await describe(request) }
        let method = try Relay.method(request.method, kind)
        let params = request.params ?? RawJSON(encoding: Nothing())
        guard !program.isBuiltIn else {
            return try await host.relay.send(method, params, as: nil, trace: trace, deadline: deadline)
        }
        let own = AttachedFiles(program: program, files: host.files).own(params, of: method) { one in
            host.service.log.warning(
                "a notification is shown without an attachment that is not a file of the extension",
                [("extension", .text(program.id)), ("path", .text(one.path))])
        }
        let owner = owner.named(by: own, of: method)
        let plain = try await host.translator.plain(own, of: method, owner)
        let answer: RawJSON
        do throws(ServiceError) {
            answer = try await host.relay.send(
                method, plain.params, as: program.client, trace: trace, deadline: deadline)
        } catch { throw plain.shown(error) }
        return try await host.translator.tokenizedResult(answer, of: method, owner)
    }

    /// Descriptions of its tokens, for a program that sees names.
    private func describe(_ request: ProgramRequest) async throws(ServiceError) -> RawJSON {
        let params: DescribeTokens.Params
        do throws(JSONError) {
            params = try DescribeTokens.Params.decode((request.params ?? RawJSON()).bytes)
        } catch {
            throw ServiceError(.invalidParams, error.message, remedy: "See Shared/Extensions/Link.")
        }
        return RawJSON(encoding: try await host.describer.describe(params, owner))
    }

    // MARK: events

    /// Pushes events of these types from now on to a program that acts. A program that sees names gets none.
    func listen(_ types: [String], _ run: ProgramRun) {
        if let listener = run.listener { host.events.forget(listener) }
        run.listener = nil
        run.subscribed = Set(types)
        guard program.point == .monitor || program.point == .shieldAction, !types.isEmpty else { return }
        let client = program.isBuiltIn ? nil : program.client
        run.listener = host.events.listen(types, client: client) { [weak self, weak run] type, data in
            guard let self, let run else { return }
            guard !program.isBuiltIn else { return push(type, data, to: run) }
            Task {
                // An event without its tokens must not be sent; the program reads the present state when it
                // needs it.
                guard let tokenized = try? await host.translator.tokenizedEvent(data, of: type, owner) else {
                    return
                }
                push(type, tokenized, to: run)
            }
        }
    }

    /// An event for a running program that subscribed to it; one that does not run does not need it.
    private func push(_ type: String, _ data: RawJSON, to run: ProgramRun) {
        guard run.subscribed.contains(type), run.openPushes.count < HostingLimits.openPushesMax else {
            return
        }
        let id = takeID()
        run.openPushes.insert(id)
        run.process?.send(
            id, PushedEvent.name, RawJSON(encoding: PushedEvent.Params(type: type, data: data)),
            deadline: budget.callback)
    }
}
