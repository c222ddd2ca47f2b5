import Bus
import Contract
import Glibc
import JSON
import Loop
import ScreenTimeTesting
import ServiceKit
import Testing
import Units

@testable import ConsoleCore

/// What a page was told to have failed does not happen later.
@Suite struct LateWriteTests {
    /// Two decisions that got no answer, and then the service goes on.
    @Test func aServiceThatStoodStillDoesNotDoWhatWasGivenUp() async throws {
        try await World.with(["auth-service"]) { world in
            let services = Services(world.runtime, tracer: Tracer(service: "test"))
            func add(_ name: String, deadline: Milliseconds) async throws -> Result<RawJSON, ServiceError> {
                let params = try RawJSON(bytes: MemberAdd.Params(name: name).encoded())
                return await services.ask(
                    ServiceName.auth.rawValue, MemberAdd.self, params, CallOptions(deadline: deadline))
            }
            _ = try await add("before", deadline: 60_000).get()
            let auth = try world.process("auth-service")
            auth.signal(SIGSTOP)
            try await eventually("it stands still") {
                world.readText("/proc/\(auth.pid)/stat").split(separator: " ").dropFirst(2).first == "T"
            }
            for name in ["given up", "given up, too"] {
                let result = try await add(name, deadline: 200)
                #expect(throws: ServiceError.self) { try result.get() }
            }
            auth.signal(SIGCONT)
            _ = try await add("after", deadline: 60_000).get()
            let names = try await world.call(MemberList.self, Nothing()).members.map(\.name)
            #expect(names.filter { $0.hasPrefix("given") }.isEmpty, "\(names)")
            #expect(names.contains("before") && names.contains("after"))
            services.close()
        }
    }

    /// A service that hangs runs: to start it would help nobody.
    @LoopActor @Test(arguments: [(true, nil), (false, nil), (true, "the clock is not judged yet")])
    func whoHangsIsNotSaidToBeDown(isThere: Bool, said: String?) async throws {
        let api = API(tracer: Tracer(service: "test"), isThere: { _ in isThere }) { peer, _, _, _ in
            .failure(
                said.map { ServiceError(.unavailable, $0, remedy: "Repeat it.") }
                    ?? RequestClient.absence(of: peer))
        }
        let answer = await api.answer(
            HTTPRequest(method: "POST", path: API.path + MemberAdd.name, fields: [:], body: Array("{}".utf8)))
        #expect(answer.status == (isThere && said == nil ? 504 : 503))
    }
}
