import Contract
import Foundation
import Glibc
import Rules
import ScreenTimeTesting
import Testing

/// Any service may be killed at any moment and started again in any order: no event is lost, no state
/// doubled, and everybody catches up.
@Suite struct RestartTests {
    /// Where each service can be killed here. Without programs to call and without a daemon to show anything,
    /// monitor-runner and notifier publish nothing; their own tests kill them there.
    private static let places: [(service: ServiceName, point: String)] = ServiceName.allCases.flatMap {
        service in
        ["before-commit", "after-commit", "after-publish"].compactMap { point in
            let tells = service != .monitor && service != .notifier
            return point == "after-publish" && !tells ? nil : (service, point)
        }
    }

    @Test(arguments: [1, 2])
    func killedAnywhereInAnyOrderNothingIsLostOrDoubled(seed: UInt64) async throws {
        print("seed \(seed)")
        var chance = ActivityChance(seed: seed)
        let places = Self.places.shuffled(using: &chance)
        let orders = (0..<3).map { _ in ServiceName.allCases.shuffled(using: &chance) }
        try await World.with([]) { world in
            let restarts = RestartWorld(world)
            let recorders = try world.recordAll()
            for service in orders[0] { try await restarts.start(service) }
            let stream = restarts.stream(ActivityData.phone(200_000, seed: seed), seed: seed)
            for place in places { try await restarts.kill(place.service, at: place.point) }
            // All at once, as a power cut does, and back in any order.
            for order in orders {
                for service in order { try await world.process(service.rawValue).destroy() }
                for service in order.shuffled(using: &chance) { try await restarts.start(service) }
            }
            restarts.stopStream()
            try await stream.value
            try await world.settle()
            try await world.expectGapless(recorders)
            let activity = try #require(recorders[.activity])
            try await world.expectUsage(restarts.sent, activity, through: restarts.lastSequence)
            let members = try await world.call(MemberList.self, Nothing()).members
            #expect(members.count == 1 + Self.places.count { $0.service == .auth }, "each was added once")
        }
    }

    /// A service that is stopped, not dead, costs others nothing but its own answers.
    @Test func aStoppedServiceCostsOthersOnlyItsAnswers() async throws {
        try await World.with { world in
            let recorders = try world.recordAll()
            let batches = ActivityData.batches(ActivityData.phone(600, seed: 5), 20...20, seed: 5)
            var rest = batches[...]
            var sent: [UsageChange] = []
            var last: Int64 = 0
            for stopped in ServiceName.allCases {
                let process = try world.process(stopped.rawValue)
                // Connected first: what cannot even be handed over is unavailable, another error.
                #expect(try await world.health(stopped).state != .down)
                process.signal(SIGSTOP)
                let silent = await refusal { try await world.health(stopped, deadline: 200) }
                #expect(silent == .deadlineExceeded, "\(stopped.rawValue)")
                for other in ServiceName.allCases where other != stopped {
                    #expect(try await world.health(other, deadline: 5_000).state != .down)
                }
                if stopped != .activity, let batch = rest.popFirst() {
                    last = try await world.observe(batch, device: "phone", model: "android").sequence
                    sent += batch
                }
                if stopped != .auth {
                    _ = try await world.call(
                        MemberAdd.self, .init(name: "While \(stopped.rawValue)"), deadline: 5_000)
                }
                process.signal(SIGCONT)
                try await world.settle()
            }
            try await world.expectGapless(recorders)
            let activity = try #require(recorders[.activity])
            try await world.expectUsage(sent, activity, through: last)
        }
    }
}
