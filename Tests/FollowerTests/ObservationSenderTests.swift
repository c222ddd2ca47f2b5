import Bus
import Contract
import Loop
import ServiceKit
import Testing
import Units

@testable import DesktopCore

/// What the agent does with observations that activity-center refuses.
@Suite @LoopActor struct ObservationSenderTests {
    @Test(arguments: [[3], [0], [9], [2, 3], [0, 4, 9], Array(0..<10)])
    func onlyTheRefusedObservationIsLost(bad: [Int]) async throws {
        let room = try SenderRoom()
        defer { room.close() }
        var received: [Int64] = []
        room.server.answer(UsageObserve.self) { params, _, reply in
            let instants = params.observations.map(\.at.milliseconds)
            guard !instants.contains(where: { bad.contains(Int($0)) }) else {
                return reply.fail(ServiceError(.invalidParams, "a bad one", remedy: "Send others."))
            }
            received += instants
            reply.succeed(UsageObserve.Result(accepted: Int64(instants.count), duplicates: 0, sequence: 1))
        }
        for at in 0..<10 {
            let observation = Observation(at: Instant(milliseconds: Int64(at)), kind: .alive)
            room.sender.add(observation, trace: .root())
        }
        await room.empty()
        #expect(received == (0..<10).filter { !bad.contains(Int($0)) })
        #expect(room.sender.problem?.contains("refused \(bad.count) observations") == true)
    }
}
