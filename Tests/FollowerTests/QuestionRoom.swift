import Bus
import Contract
import Loop
import ScreenTimeTesting
import Testing
import Units

@testable import AuthCore
@testable import NotifierCore
@testable import ServiceKit
@testable import Store

/// auth-service, the notifier on a desktop, and the person's and the app's client.
@LoopActor final class QuestionRoom {
    static let app = "org.example.app"
    let desktop = DirectedDesktop()
    let configuration: Configuration
    private(set) var auth: AuthService
    private(set) var notifier: NotifierService?
    let client: RequestClient
    private let directory: TestDirectory

    init() throws {
        directory = try TestDirectory()
        configuration = try directory.configuration()
        auth = try AuthService(configuration)
        try auth.start()
        client = try RequestClient(
            to: .auth, in: configuration.runtime, tracer: Tracer(service: "test"))
    }

    func show() throws { notifier = try desktop.notifier(configuration) }

    func hide() {
        notifier?.service.close()
        notifier = nil
        desktop.vanish()
    }

    func restartAuth() throws {
        auth.service.close()
        auth = try AuthService(configuration)
        try auth.start()
    }

    func close() {
        client.close()
        hide()
        auth.service.close()
    }

    /// The app asks; the answer comes later.
    func ask(dataAccess: Bool? = nil) -> Task<Authorization, any Error> {
        let params = AuthorizationRequest.Params(client: Self.app, dataAccess: dataAccess)
        return Task { @LoopActor in
            try await self.client.call(
                AuthorizationRequest.self, params,
                options: CallOptions(deadline: 60_000, client: Self.app)
            ).authorization
        }
    }

    /// Waits until so many requests wait for the open question.
    func question(askers: Int = 1) async throws -> Authorization {
        var found: Authorization?
        try await untilTurn("\(askers) ask") { [self] in
            found = try auth.authorizations.pending().first
            guard let found, !auth.service.hasUncommitted else { return false }
            return try auth.askers.waiting(authorization: found.id).count == askers
        }
        return try #require(found)
    }

    func decide(_ decision: Decision) async throws {
        let asked = try #require(try auth.authorizations.all(client: Self.app).first)
        _ = try await client.call(
            AuthorizationDecide.self, AuthorizationDecide.Params(id: asked.id, decision: decision))
    }

    /// Presses a button of the notification on the desktop.
    func press(_ decision: Decision) async throws {
        let shown = try #require(desktop.shown.last)
        let person = try RequestClient(
            to: .notifier, in: configuration.runtime, tracer: Tracer(service: "test"))
        _ = try await person.call(
            NotificationAnswer.self,
            NotificationAnswer.Params(identifier: shown, action: decision.rawValue))
        person.close()
    }
}
