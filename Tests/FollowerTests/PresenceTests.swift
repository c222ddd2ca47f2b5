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
        let room = try SenderRoom()
        defer { room.close() }
        var received: [Observation] = []
        room.server.answer(UsageObserve.self) { params, _, reply in
            received += params.observations
            reply.succeed(
                UsageObserve.Result(
                    accepted: Int64(params.observations.count), duplicates: 0, sequence: 1))
        }
        let presence = Presence(
            resolver: AppResolver(cgroups: CgroupTree(), reading: { [] }), sender: room.sender,
            tracer: room.tracer,
            pauses: try SystemClock(of: room.configuration.stateDirectory), idleThreshold: 60_000)
        presence.focusChanged(Window(id: 1, instance: "", windowClass: "App", title: "", pid: nil))
        presence.focusChanged(nil)
        await room.empty()
        presence.end()
        #expect(received.map(\.kind) == [.alive, .focus, .focus])
    }
}
