import Bus
import Contract
import CPosix
import ExtensionLink
import Glibc
import Hosting
import JSON
package import Loop
import ServiceKit
import Units

/// Connects one app to the bus: adds the client to its requests, translates its tokens, and pushes the events
/// that concern it. It ends when its app does.
@LoopActor package final class AppLink {
    private let configuration: Configuration
    private let identity: Result<AppIdentity, ServiceError>
    private let stream: ProgramStream
    private let tracer = Tracer(service: "app-link")
    private var clients: [ServiceName: RequestClient] = [:]
    private lazy var translator = TokenTranslator { [unowned self] (name) throws(ServiceError) in
        try client(name)
    }
    private lazy var describer = TokenDescriber(translator) { [unowned self] (name) throws(ServiceError) in
        try client(name)
    }
    private lazy var events = ProgramEvents(
        in: configuration.runtime, client: { [unowned self] (name) throws(ServiceError) in try client(name) },
        authorizationChanged: { [unowned self] in note($0) },
        grantsUnknown: { [unowned self] in noteUnknownGrants() })
    private lazy var requests = AppRequests(
        tracer: tracer, translator: translator,
        client: { [unowned self] (name) throws(ServiceError) in try client(name) })
    private lazy var turn = CommandTurn(in: configuration.runtime)
    private var usesTokens = false
    private var listener: Int64?
    private var nextEvent: Int64 = 1

    /// The instance of this process, which is never released.
    private static var running: AppLink?

    /// Serves the app at the other end of the socket until that ends.
    /// Exit codes: 0 the app ended; 64 not started by an app; 65 the app violates the protocol or does not
    /// read; 78 wrong configuration.
    package nonisolated static func run(_ arguments: [String]) -> Never {
        signal(SIGPIPE, SIG_IGN)
        signal(SIGXFSZ, SIG_IGN)
        // Signals from the terminal are for the app; this process ends with it.
        signal(SIGINT, SIG_IGN)
        signal(SIGHUP, SIG_IGN)
        umask(0o077)
        let options: AppOptions
        do throws(ServiceError) { options = try AppOptions(arguments) } catch {
            leave(error, code: 64)
        }
        // Closes other descriptors inherited from the app.
        close_range(UInt32(options.socket) + 1, UInt32.max, 0)
        Reactor.run {
            do throws(ServiceError) {
                let configuration = try Configuration(environment: Configuration.processEnvironment)
                running = AppLink(configuration, options)
                running?.start { error in
                    guard let error else { exit(0) }
                    leave(error, code: Wire.protocolExitCode)
                }
            } catch {
                leave(error, code: ServiceMain.exitCode(error.name))
            }
        }
        exit(0)
    }

    private nonisolated static func leave(_ error: ServiceError, code: Int32) -> Never {
        let sentence = VisibleText.escaped("app-link: \(error.message). \(error.remedy)")
        let text = Array((sentence + "\n").utf8)
        // Standard error may be closed; the exit code still reports the failure.
        _ = write(STDERR_FILENO, text, text.count)
        exit(code)
    }

    init(_ configuration: Configuration, _ options: AppOptions) {
        self.configuration = configuration
        do throws(ServiceError) {
            identity = .success(try AppIdentity(options, configuration))
        } catch {
            identity = .failure(error)
        }
        stream = ProgramStream(options.socket)
    }

    /// - Parameter ended: called when the app ended or, with an error, when it violates the protocol or does
    ///   not read.
    func start(ended: @escaping @LoopActor (ServiceError?) -> Void) {
        translator.willAsk = { [unowned self] in events.followGrants() }
        stream.start(
            taking: { [unowned self] id, method, params, deadline in
                take(id, method, params, deadline ?? Limits.requestDeadline)
            },
            ended: ended)
    }

    private func client(_ service: ServiceName) throws(ServiceError) -> RequestClient {
        if let client = clients[service] { return client }
        do throws(SocketError) {
            let client = try RequestClient(to: service, in: configuration.runtime, tracer: tracer)
            clients[service] = client
            return client
        } catch {
            throw ServiceError(
                .unavailable, error.message, remedy: "Raise the limit of open files (ulimit -n).")
        }
    }

    private func note(_ change: AuthorizationChanged) {
        translator.drop(change.authorization)
        requests.drop(change.authorization)
    }

    private func noteUnknownGrants() {
        translator.dropAll()
        requests.dropAll()
    }

    // MARK: requests

    private func take(_ id: Int64, _ method: String, _ params: RawJSON?, _ deadline: Milliseconds) {
        Task {
            do throws(ServiceError) {
                let params = params ?? RawJSON(encoding: Nothing())
                stream.answer(id, .success(try await answer(method, params, identity.get(), deadline)))
            } catch {
                stream.answer(id, .failure(error))
            }
        }
    }

    private func answer(
        _ method: String, _ params: RawJSON, _ app: AppIdentity, _ deadline: Milliseconds
    ) async throws(ServiceError) -> RawJSON {
        switch method {
        case Hello.method: return try await hello(decoded(params), app, deadline)
        case Subscribe.method: return try subscribe(decoded(params), app)
        case LinkClock.name: return RawJSON(encoding: try await clock(app, deadline))
        case LinkTurn.name:
            try await turn.change(decoded(params), of: app.client, deadline: deadline)
            return RawJSON(encoding: Nothing())
        case DescribeTokens.name:
            let params: DescribeTokens.Params = try decoded(params)
            // Names of tokens require access to names.
            try await requests.checkDataAccess(app)
            return RawJSON(encoding: try await describer.describe(params, app.owner))
        case NameTokens.name:
            let params: NameTokens.Params = try decoded(params)
            let tokens = try await requests.tokens(for: params.subjects, app)
            return RawJSON(encoding: NameTokens.Result(tokens: tokens))
        default:
            return try await requests.pass(
                method, params, of: app, usesTokens: usesTokens, deadline: deadline)
        }
    }

    private func decoded<P: Record>(_ params: RawJSON) throws(ServiceError) -> P {
        do throws(JSONError) { return try P.decode(params.bytes) } catch {
            throw ServiceError(.invalidParams, error.message, remedy: "See the wire protocol.")
        }
    }

    private func clock(
        _ app: AppIdentity, _ deadline: Milliseconds
    ) async throws(ServiceError) -> LinkClock.Result {
        let options = CallOptions(deadline: min(deadline, AppIdentity.othersDeadline))
        var clock = try systemClock()
        do throws(ServiceError) {
            let members = try await client(.auth).call(MemberList.self, Nothing(), options: options).members
            clock.zone = members.first { $0.id == app.owner.member }?.zone
            // A member without a zone has the zone of the machine, as activity-center knows it; the
            // terminal's may differ.
            if clock.zone == nil {
                let status = try await client(.activity).call(TimeStatus.self, Nothing(), options: options)
                clock.zone = status.zone
            }
        } catch {
            clock.zoneUnknown = error.message
        }
        return clock
    }

    private func systemClock() throws(ServiceError) -> LinkClock.Result {
        guard let page = try ClockPage.find(in: configuration.stateDirectory) else {
            return LinkClock.Result()
        }
        let library = try Programs.find(
            "libscreentime-clock.so", purpose: "commands need it to use the virtual clock")
        return LinkClock.Result(page: page.path, library: library)
    }

    private func hello(
        _ params: Hello.Params, _ app: AppIdentity, _ deadline: Milliseconds
    ) async -> RawJSON {
        usesTokens = params.tokens
        // An app with extensions also has their groups. It always has its own bundle's groups; if it needs
        // another one, it sends the request again.
        let extensions: Result<[ExtensionRecord], ServiceError>
        do throws(ServiceError) {
            let options = CallOptions(deadline: min(deadline, AppIdentity.othersDeadline))
            extensions = .success(
                try await client(.monitor).call(ExtensionList.self, Nothing(), options: options).extensions)
        } catch {
            extensions = .failure(error)
        }
        return RawJSON(encoding: app.hello(beside: extensions))
    }

    private func subscribe(_ params: Subscribe.Params, _ app: AppIdentity) -> RawJSON {
        if let listener { events.forget(listener) }
        listener = events.listen(params.types, client: app.client) { [unowned self] in push($0, $1, app) }
        return RawJSON(encoding: Nothing())
    }

    private func push(_ type: String, _ data: RawJSON, _ app: AppIdentity) {
        if app.isThePerson, !usesTokens { return send(type, data) }
        Task {
            // Without tokens the app must not receive the event: it reads the present state when it needs it.
            if let tokenized = try? await translator.tokenizedEvent(data, of: type, app.owner) {
                send(type, tokenized)
            }
        }
    }

    private func send(_ type: String, _ data: RawJSON) {
        stream.request(
            nextEvent, PushedEvent.name, RawJSON(encoding: PushedEvent.Params(type: type, data: data)))
        nextEvent += 1
    }
}
