package import Bus
package import Contract
package import JSON
package import Loop
import Units

/// The methods of the contract over HTTP: `POST /api/METHOD` with the parameters as body is answered with the
/// method's result. Nothing is decided here: the service that owns the method judges the parameters, as it does
/// for the command line.
@LoopActor package final class API {
    /// Sends a request over the bus.
    package typealias Send = @LoopActor (any Method.Type, RawJSON, CallOptions) async -> Result<
        RawJSON, ServiceError
    >

    /// What the pages use. The others are for agents, for clients, and for whoever maintains the services.
    package static let methods: [any Method.Type] = [
        HealthCheck.self, TraceRead.self, ClockStatus.self, PrivacyForget.self,
        MemberList.self, MemberAdd.self, MemberSet.self, MemberRemove.self,
        AuthorizationList.self, AuthorizationDecide.self, AuthorizationRevoke.self, AuthorizationSwitch.self,
        SelectionSet.self, SelectionRead.self, SelectionList.self, SelectionRemove.self,
        RequestCreate.self, RequestList.self, RequestDecide.self, RequestWithdraw.self, AuditRead.self,
        UsageRead.self, TimeStatus.self, TimeConfirm.self,
        MonitoringList.self, MonitoringPending.self, MonitoringRecount.self,
        CatalogList.self, CatalogResolve.self, CatalogSet.self, CatalogLists.self, CatalogRead.self,
        ExtensionList.self, ExtensionRemove.self, DeliveryList.self,
        SettingsList.self, SettingsRead.self, SettingsEffective.self,
        ShieldList.self, ShieldExplain.self, ShieldFrozen.self, ExceptionList.self, ExceptionEnd.self,
        ExceptionHistory.self, EnforcementList.self,
        ReportQuery.self, ReportRender.self,
        NotificationList.self, NotificationAnswer.self, NotificationClear.self,
    ]
    static let path = "/api/"

    private let byName = Dictionary(uniqueKeysWithValues: API.methods.map { ($0.name, $0) })
    private let send: Send

    package init(_ send: @escaping Send) { self.send = send }

    /// - Parameter request: `POST`, with a path below ``path``. `?service=NAME` says whom to ask for a method
    ///   that all services have.
    package func answer(_ request: HTTPRequest) async -> HTTPResponse {
        let name = String(request.path.dropFirst(Self.path.count))
        guard let method = byName[name] else {
            return HTTPResponse(
                ServiceError(
                    .methodNotFound, "the console has no method '\(name.prefix(60))'",
                    remedy: "See \(Self.path)openapi.json."))
        }
        let params: RawJSON
        do { params = try RawJSON(bytes: request.body.isEmpty ? Array("{}".utf8) : request.body) } catch {
            return HTTPResponse(
                ServiceError(
                    .parseError, "the body of \(name) is not JSON: \(error.message)",
                    remedy: "Send one JSON object, UTF-8."))
        }
        var options = CallOptions(trace: .root())
        if let key = request.fields["idempotency-key"] { options.idempotencyKey = key }
        switch await send(method, params, options) {
        case .success(let result):
            return HTTPResponse(
                200,
                [
                    ("Content-Type", "application/json"), ("Cache-Control", "no-store"),
                    ("Traceparent", options.trace?.traceparent ?? ""),
                ], .bytes(result.bytes))
        case .failure(let error): return HTTPResponse(error)
        }
    }
}
