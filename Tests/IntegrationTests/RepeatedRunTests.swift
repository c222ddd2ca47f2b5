import Bus
import Contract
import Foundation
import Loop
import ScreenTimeTesting
import Testing

/// A client sends open requests again over each new connection, which may lead to the same service: a write
/// is executed once.
@Suite struct RepeatedRunTests {
    /// Its connection ends with the last reference to it.
    @LoopActor private static func end(_ client: inout RequestClient?) {
        client?.close()
        client = nil
    }

    @Test func aCallbackThatIsAskedForTwiceRunsOnce() async throws {
        try await World.with([]) { world in
            try await world.startMonitoring()
            let bundle = try await FixtureBundle(world)
            bundle.closeGate()
            @LoopActor func run() async throws -> ExtensionRun.Result {
                try await world.call(
                    ExtensionRun.self, .init(id: bundle.id, callback: .intervalDidStart, activity: "daily"),
                    deadline: 60_000, idempotencyKey: "once")
            }
            let first = Task { @LoopActor in try await run() }
            try await world.eventually("the callback began") { !bundle.callbacks.isEmpty }
            let second = Task { @LoopActor in try await run() }
            try await world.eventually("the second is known to be the first") {
                try await world.health(.monitor).counters.first { $0.name == "repeated_writes" }?.count == 1
            }
            // Nor does another write get the key while it is underway.
            let removal = await refusal {
                try await world.call(
                    ExtensionRemove.self, ExtensionRemove.Params(id: bundle.id), idempotencyKey: "once")
            }
            #expect(removal == .idempotencyConflict)
            await bundle.openGate(bundle.files)
            let answer = try await first.value
            #expect(try await second.value == answer)
            // An answer that was lost is asked for again.
            #expect(try await run() == answer)
            #expect(bundle.callbacks.count == 1, "\(bundle.callbacks)")
            let other = await refusal {
                try await world.call(
                    ExtensionRun.self, .init(id: bundle.id, callback: .intervalDidEnd, activity: "daily"),
                    idempotencyKey: "once")
            }
            #expect(other == .idempotencyConflict)
        }
    }

    /// Whatever its method: also after its end, and where no answer is stored.
    @Test func aKeyIsOfOneRequest() async throws {
        try await World.with([]) { world in
            try await world.startMonitoring()
            let bundle = try await FixtureBundle(world)
            func install(_ path: String) async throws -> ExtensionInstall.Result {
                try await world.call(
                    ExtensionInstall.self, .init(path: path, client: bundle.client),
                    idempotencyKey: "install")
            }
            func remove(_ key: String) async throws {
                _ = try await world.call(ExtensionRemove.self, .init(id: bundle.id), idempotencyKey: key)
            }
            func rehearse(_ subject: String) async throws {
                var params = PrivacyForget.Params(kind: .app, subject: subject)
                params.rehearse = true
                _ = try await world.client(.monitor).call(
                    PrivacyForget.self, params,
                    options: CallOptions(deadline: 20_000, idempotencyKey: "forget"))
            }
            let answer = try await install(bundle.path)
            #expect(await refusal { try await remove("install") } == .idempotencyConflict)
            try await remove("remove")
            #expect(try await install(bundle.path) == answer, "it is done once")
            #expect(await refusal { try await remove("other") } == .notFound)
            #expect(await refusal { try await install("/elsewhere") } == .idempotencyConflict)
            try await rehearse("org.a")
            try await rehearse("org.a")
            #expect(await refusal { try await rehearse("org.b") } == .idempotencyConflict)
            #expect(await refusal { try await remove("forget") } == .idempotencyConflict)
        }
    }

    /// One that came again lives as long as its own connection, not as long as the first one's.
    @Test func whatCameAgainHasAConnectionOfItsOwn() async throws {
        try await World.with([]) { world in
            try await world.startMonitoring()
            let bundle = try await FixtureBundle(world)
            bundle.closeGate()
            func run(over client: RequestClient?) -> Task<ExtensionRun.Result, any Error> {
                Task { @LoopActor in
                    try await #require(client).call(
                        ExtensionRun.self,
                        .init(id: bundle.id, callback: .intervalDidStart, activity: "daily"),
                        options: CallOptions(deadline: 60_000, idempotencyKey: "once"))
                }
            }
            func open(_ count: Int64, _ what: String) async throws {
                try await world.eventually(what) { try await world.health(.monitor).queue == count }
            }
            var clients: [RequestClient?] = try (0..<3).map { _ in try world.freshClient(.monitor) }
            let idle = try await world.health(.monitor).queue
            let first = run(over: clients[0])
            try await world.eventually("the callback began") { !bundle.callbacks.isEmpty }
            let others = clients.dropFirst().map(run(over:))
            try await open(idle + 3, "all three are open")
            Self.end(&clients[2])
            try await open(idle + 2, "the last one went with its connection")
            Self.end(&clients[0])
            await bundle.openGate(bundle.files)
            _ = try await others[0].value
            #expect(bundle.callbacks.count == 1, "\(bundle.callbacks)")
            try await open(idle, "none is left")
            Self.end(&clients[1])
            for lost in [first, others[1]] { #expect(await refusal { try await lost.value } != nil) }
        }
    }

    /// What waits for the person does not keep the clock, however often it came, and the word reaches all.
    @Test func aQuestionThatCameAgainIsAnsweredOverTheConnectionThatIsLeft() async throws {
        try await World.with(["auth-service", "notifier"], clock: "2026-03-02T08:00:00Z") { world in
            let events = try world.record(.auth)
            func ask(over client: RequestClient?) -> Task<AuthorizationRequest.Result, any Error> {
                Task { @LoopActor in
                    try await #require(client).call(
                        AuthorizationRequest.self, .init(client: "org.example.focus", forWhom: .individual),
                        options: CallOptions(
                            deadline: 60_000, idempotencyKey: "once", client: "org.example.focus"))
                }
            }
            var clients: [RequestClient?] = try (0..<2).map { _ in try world.freshClient(.auth) }
            let idle = try await world.health(.auth).queue
            let first = ask(over: clients[0])
            let pending = try await events.pending("org.example.focus")
            let second = ask(over: clients[1])
            try await world.eventually("both are open") {
                try await world.health(.auth).queue == idle + 2
            }
            try await world.clock.advance(.seconds(1))
            Self.end(&clients[0])
            try await world.eventually("one is left") {
                try await world.health(.auth).queue == idle + 1
            }
            let decided = try await world.decide(pending.id, .approve)
            #expect(try await second.value.authorization == decided)
            Self.end(&clients[1])
            #expect(await refusal { try await first.value } != nil)
        }
    }
}
