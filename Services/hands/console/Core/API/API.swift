package import Bus
package import Contract
package import JSON
package import Loop
import Units

/// The methods of the contract over HTTP: `POST /api/METHOD` with the parameters as body is answered with the
/// method's result. Nothing is decided here: the service that owns the method judges the parameters, as it
/// does for the command line.
@LoopActor package final class API {
    /// Sends a request to a service or an agent over the bus.
    package typealias Send =
        @LoopActor (_ peer: String, any Call.Type, RawJSON, CallOptions) async -> Result<
            RawJSON, ServiceError
        >

    /// What the pages use. The others are for agents, for clients, and for whoever maintains the services.
    package nonisolated static let methods: [any Call.Type] = [
        HealthCheck.self, TraceRead.self, ClockStatus.self, PrivacyForget.self,
        EventsRead.self, EventsSnapshot.self, EventsRuns.self,
        MemberList.self, MemberAdd.self, MemberSet.self, MemberRemove.self,
        AuthorizationList.self, AuthorizationDecide.self, AuthorizationRevoke.self, AuthorizationSwitch.self,
        SelectionSet.self, SelectionRead.self, SelectionList.self, SelectionRemove.self,
        RequestCreate.self, RequestList.self, RequestDecide.self, RequestWithdraw.self, AuditRead.self,
        UsageRead.self, TimeStatus.self, TimeConfirm.self,
        MonitoringList.self, MonitoringPending.self, MonitoringRecount.self,
        CatalogList.self, CatalogResolve.self, CatalogSet.self, CatalogLists.self, CatalogRead.self,
        ExtensionList.self, ExtensionRemove.self, DeliveryList.self, DeliverySkip.self,
        SettingsList.self, SettingsRead.self, SettingsEffective.self,
        ShieldList.self, ShieldExplain.self, ShieldPredict.self, ShieldFrozen.self,
        ExceptionList.self, ExceptionEnd.self, ExceptionHistory.self,
        EnforcementList.self, EnforcementCheck.self,
        ReportQuery.self, ReportRender.self,
        NotificationList.self, NotificationPost.self, NotificationAnswer.self, NotificationClear.self,
        ChannelList.self, ChannelSet.self,
    ]
    nonisolated static let path = "/api/"
    nonisolated static let byName = Dictionary(uniqueKeysWithValues: API.methods.map { ($0.name, $0) })

    /// All that a page may ask: these, and what the console itself answers.
    nonisolated static let names = (methods.map { $0.name } + [AppRun.name]).sorted()

    private let send: Send
    private let isThere: @LoopActor (_ peer: String) -> Bool
    private let tracer: Tracer

    /// - Parameters:
    ///   - tracer: gets a span for each request, under which those of the services are.
    ///   - isThere: whether a service or an agent listens.
    package init(
        tracer: Tracer, isThere: @escaping @LoopActor (_ peer: String) -> Bool, _ send: @escaping Send
    ) {
        self.tracer = tracer
        self.isThere = isThere
        self.send = send
    }

    /// - Parameter request: `POST`, with a path below ``path``. `?service=NAME` says whom to ask for a method
    ///   that all services have.
    package func answer(_ request: HTTPRequest) async -> HTTPResponse {
        let name = String(request.path.dropFirst(Self.path.count))
        guard let method = Self.byName[name] else {
            return HTTPResponse(
                ServiceError(
                    .methodNotFound, "the console has no method '\(VisibleText.shortened(name))'",
                    remedy: "See \(Self.path)openapi.json."))
        }
        let (peer, params): (String, RawJSON)
        do throws(ServiceError) {
            peer = try Addressee.of(method, named: request.query["service"])
            params = try Self.params(of: request, name)
        } catch { return HTTPResponse(error) }
        if method == HealthCheck.self, !isThere(peer) { return Self.down(peer) }
        let span = tracer.start(name, .client, parent: nil)
        var options = CallOptions(deadline: deadline(of: method, peer), trace: span.context)
        options.idempotencyKey = request.fields["idempotency-key"]
        switch await send(peer, method, params, options) {
        case .success(let result):
            tracer.end(span)
            return HTTPResponse(
                200,
                [
                    ("Content-Type", "application/json"), ("Cache-Control", "no-store"),
                    ("Traceparent", span.context.traceparent),
                ], .bytes(result.bytes))
        case .failure(var error):
            // A connection that was made for this request tells only that nobody has answered on it.
            if error == RequestClient.absence(of: peer), isThere(peer) { error = Self.silent(peer) }
            tracer.end(span, outcome: error.name.rawValue)
            var response = HTTPResponse(error)
            response.fields.append((name: "Traceparent", value: span.context.traceparent))
            return response
        }
    }

    private func deadline(of method: any Call.Type, _ peer: String) -> Milliseconds {
        guard isThere(peer) else { return ConsoleLimits.grace }
        if method == ReportRender.self { return ConsoleLimits.scene }
        return method == EnforcementCheck.self ? ConsoleLimits.check : ConsoleLimits.request
    }

    private static func silent(_ peer: String) -> ServiceError {
        ServiceError(
            .deadlineExceeded, "\(peer) did not answer in time",
            remedy: "See `screentime status`; it may be stopped or busy.")
    }

    /// That nobody is there is what was asked.
    private static func down(_ peer: String) -> HTTPResponse {
        let health = HealthCheck.Result(
            service: peer, state: .down, contractVersion: Registry.version,
            degradedBy: ["\(peer) is not running"])
        return HTTPResponse(
            200, [("Content-Type", "application/json"), ("Cache-Control", "no-store")],
            .bytes(health.encoded()))
    }

    private static func params(of request: HTTPRequest, _ name: String) throws(ServiceError) -> RawJSON {
        do throws(JSONError) {
            return try RawJSON(bytes: request.body.isEmpty ? Array("{}".utf8) : request.body)
        } catch {
            throw ServiceError(
                .parseError, "the body of \(name) is not JSON: \(error.message)",
                remedy: "Send one JSON object, UTF-8.")
        }
    }
}

/// Who is asked for a method.
enum Addressee {
    /// The name of the service that owns it; for a method that all have, the one that was named.
    /// - Throws: `invalidArgument` if the name is missing, or is none of them.
    static func of(_ method: any Call.Type, named name: String?) throws(ServiceError) -> String {
        let owners = all(of: method)
        guard let name else {
            if owners.count == 1 { return owners[0] }
            throw ServiceError(
                .invalidArgument, "every service has \(method.name), and none was named",
                remedy: "Name one: ?service=\(owners.joined(separator: ", ")).")
        }
        guard owners.contains(name) else {
            throw ServiceError(
                .invalidArgument, "'\(VisibleText.shortened(name))' has no \(method.name)",
                remedy: "Name one of \(owners.joined(separator: ", ")), or leave ?service= out.")
        }
        return name
    }

    /// Everybody who has it.
    static func all(of method: any Call.Type) -> [String] {
        if let method = method as? any AgentMethod.Type { return [method.agent] }
        let isCommon = Registry.commonMethods.contains { $0.name == method.name }
        guard isCommon, let method = method as? any Method.Type else {
            return (method as? any Method.Type).map { [$0.owner.rawValue] } ?? []
        }
        let services = ServiceName.startOrder.map(\.rawValue)
        return ofAgents.contains(method.name)
            ? services + [AgentName.desktopAgent, AgentName.shieldCover, AgentName.console] : services
    }

    /// What agents have, too.
    private static let ofAgents: Set<String> = [HealthCheck.name, TraceRead.name]
}
