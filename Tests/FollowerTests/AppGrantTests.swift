import Bus
import Contract
import Hosting
import Loop
import ServiceKit
import Testing

@testable import AppLinkCore

/// Whether an app may see names, from answers of auth-service and its events.
@Suite @LoopActor struct AppGrantTests {
    @Test func anAnswerOlderThanARevocationIsNotKept() async throws {
        let directory = try TestDirectory()
        let configuration = try directory.configuration()
        try configuration.prepareDirectories(of: .auth)
        let tracer = Tracer(service: "test")
        let server = try RequestServer(.auth, in: configuration.runtime, tracer: tracer)
        defer { server.close() }
        let app = try AppIdentity(
            AppOptions(["--socket", "3", "--client", "org.example.reader"]), configuration)
        var grant = Authorization()
        (grant.client, grant.member) = (app.client, app.owner.member)
        (grant.status, grant.dataAccess) = (.approved, true)
        let client = try RequestClient(to: .auth, in: configuration.runtime, tracer: tracer)
        defer { client.close() }
        let translator = TokenTranslator { _ in client }
        let requests = AppRequests(tracer: tracer, translator: translator) { _ in client }
        var asked = 0
        server.answer(AuthorizationList.self) { [grant] _, _, reply in
            asked += 1
            var answer = grant
            // The revocation is published before the first answer, which does not know of it, arrives.
            if asked == 1 { requests.drop(grant) } else { answer.status = .denied }
            reply.succeed(AuthorizationList.Result(authorizations: [answer]))
        }
        for _ in 0..<2 {
            let refusal = await #expect(throws: ServiceError.self) { try await requests.checkDataAccess(app) }
            #expect(refusal?.name == .unauthorized)
        }
        // Asked again because of the revocation, and not after that.
        #expect(asked == 2)
    }
}
