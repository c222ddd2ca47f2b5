import Contract
import ExtensionLink
import JSON
import ManagedSettingsUI
import ScreenTimeTesting
import Testing

/// A shield-configuration program with a host at the other end of its socket.
@Suite(.serialized, .timeLimit(.minutes(1))) struct ShieldConfigurationServingTests {
    @Test func theHostGetsTheLookOfItsQuestion() async throws {
        let host = Guarded<LinkHost?>(nil)
        let link = LinkHost.link(hosts: { made in host.withLock { $0 = made } })
        let made = Guarded(0)
        ShieldConfigurationDataSource.serve(on: link) {
            made.withLock { $0 += 1 }
            return Counting()
        }
        link.startServing()
        let end = try #require(host.withLock { $0 })
        for number in 1...2 {
            var params = ShieldConfigure.Params()
            params.webDomain = ShieldedSubject(token: "token:AAEC", name: "example.org")
            end.send(WireMessage.request(Int64(number), ShieldConfigure.name, RawJSON(encoding: params)))
        }
        try await eventually { end.answer(to: 2) != nil }
        let look = try ShieldLook.decode(try #require(end.answer(to: 2)).get().bytes)
        #expect(look.title?.text == "example.org, asked 2 times" && look.backgroundBlurStyle == "dark")
        #expect(made.withLock { $0 } == 1, "one object answers all questions")
    }

    @Test func aQuestionAboutNothingIsRefused() async throws {
        let host = Guarded<LinkHost?>(nil)
        let link = LinkHost.link(hosts: { made in host.withLock { $0 = made } })
        ShieldConfigurationDataSource.serve(on: link) { Counting() }
        link.startServing()
        let end = try #require(host.withLock { $0 })
        end.send(
            WireMessage.request(1, ShieldConfigure.name, RawJSON(encoding: ShieldConfigure.Params())))
        try await eventually { end.answer(to: 1) != nil }
        #expect(throws: ServiceError.self) { try end.answer(to: 1)?.get() }
        withExtendedLifetime(link) {}
    }

    private final class Counting: ShieldConfigurationDataSource {
        private var questions = 0

        override func configuration(shielding webDomain: WebDomain) -> ShieldConfiguration {
            questions += 1
            return ShieldConfiguration(
                backgroundBlurStyle: .dark,
                title: .init(text: "\(webDomain.domain ?? "?"), asked \(questions) times", color: .white))
        }
    }
}
