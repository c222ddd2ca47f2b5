import Bus
import Contract
import Loop
import ServiceKit
import Testing

@testable import DesktopCore

/// What the agent reports of a session.
@Suite @LoopActor struct PresenceTests {
    /// Only the silence of a sensor that has sent a heartbeat ends use. One that is gone before its first
    /// regular heartbeat must not leave use that goes on until the next sensor comes.
    @Test func aSensorSendsAHeartbeatBeforeItsFirstUse() async throws {
        let directory = try TestDirectory()
        let configuration = try directory.configuration()
        try configuration.prepareDirectories(of: .activity)
        let tracer = Tracer(service: "test")
        let server = try RequestServer(.activity, in: configuration.runtime, tracer: tracer)
        let client = try RequestClient(to: .activity, in: configuration.runtime, tracer: tracer)
        let log = try Log(name: "agent", directory: configuration.logDirectory, level: .error)
        let sender = ObservationSender(client, device: "here", log: log)
        defer {
            sender.close()
            client.close()
            server.close()
        }
        var received: [Observation] = []
        server.answer(UsageObserve.self) { params, _, reply in
            received += params.observations
            reply.succeed(
                UsageObserve.Result(
                    accepted: Int64(params.observations.count), duplicates: 0, sequence: 1))
        }
        let presence = Presence(
            resolver: AppResolver(cgroups: CgroupTree(), reading: { [] }), sender: sender, tracer: tracer,
            pauses: try SystemClock(of: configuration.stateDirectory), idleThreshold: 60_000)
        presence.focusChanged(Window(id: 1, instance: "", windowClass: "App", title: "", pid: nil))
        presence.focusChanged(nil)
        await withCheckedContinuation { continuation in
            sender.whenEmpty(within: 60_000) { continuation.resume() }
        }
        presence.end()
        #expect(received.map(\.kind) == [.alive, .focus, .focus])
    }
}
