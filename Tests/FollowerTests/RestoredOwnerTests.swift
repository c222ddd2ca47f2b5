import Contract
import Loop
import Store
import ScreenTimeTesting
import Testing

@testable import ServiceKit

/// Owners are restored from older copies, overtake their followers, and restart; followers' commits fail,
/// followers restart and repair: in any order. In the end each copy equals its owner's data, and each
/// callback that its owner published was applied once.
@Suite(.serialized) @LoopActor struct RestoredOwnerTests {
    private nonisolated static let seeds: [UInt64] = [
        .random(in: 0 ... .max), .random(in: 0 ... .max), 1, 2, 1_508_602_359_871_518_663,
        8_978_867_333_319_104_111,
    ]

    @Test(arguments: seeds)
    func copiesAreTheOwnersStateAndDeliveriesComeOnce(seed: UInt64) async throws {
        print("seed \(seed)")
        var chance = Chance(seed: seed)
        let keeper = try CopyKeeper()
        var history: [String] = []
        for step in 0..<50 {
            let what = try Self.disturb(keeper, &chance)
            history.append(what)
            for _ in 0..<Int(chance.next() % 4) { try Self.publish(keeper, &chance) }
            for _ in 0..<Int(chance.next() % 6) { await Task.yield() }
            guard step % 10 == 9, chance.next() % 2 == 0 else { continue }
            try await Self.settle(keeper, step, history)
        }
        try await Self.settle(keeper, 50, history)
        keeper.close()
    }

    private static func settle(_ keeper: CopyKeeper, _ step: Int, _ history: [String]) async throws {
        keeper.heal()
        try keeper.auth.put("last", "after step \(step)")
        try keeper.activity.publish(1_000_000 + Int64(history.count))
        try await keeper.becomesInStep()
        let story = history.joined(separator: ", ")
        #expect(try keeper.members() == keeper.auth.rows(), "\(story)")
        let deliveries = try keeper.deliveries()
        let told = try keeper.activity.rows().keys.compactMap { Int64($0) }
        #expect(deliveries.values.allSatisfy { $0 == 1 }, "taken in more than once: \(story)")
        #expect(told.allSatisfy { deliveries[$0] == 1 }, "told and not taken in: \(story)")
    }

    private static func publish(_ keeper: CopyKeeper, _ chance: inout Chance) throws {
        let member = "m\(chance.next() % 9)"
        try keeper.auth.put(member, chance.next() % 4 == 0 ? nil : "name \(chance.next() % 1_000)")
        try keeper.activity.publish(Int64(chance.next() % 60))
    }

    /// - Returns: what was done, for the failure message.
    private static func disturb(_ keeper: CopyKeeper, _ chance: inout Chance) throws -> String {
        let owner = keeper.owner(chance.next() % 2 == 0 ? .auth : .activity)
        let name = owner.name.rawValue
        switch chance.next() % 9 {
        case 0: return "\(name): copy \(try owner.copy())"
        case 1, 2:
            guard owner.copyCount > 0 else { return "" }
            let copy = Int(chance.next() % UInt64(owner.copyCount)) + 1
            let told = Int(chance.next() % 12)
            try owner.restore(copy) { _ in for _ in 0..<told { try publish(keeper, &chance) } }
            return "\(name): restore \(copy) and overtake by \(told)"
        case 3:
            try owner.restart()
            return "\(name): restart"
        case 4:
            var left = Int(chance.next() % 3) + 1
            let fails = {
                left -= 1
                return left >= 0
            }
            if owner === keeper.auth {
                keeper.faults.failsCommit = fails
            } else {
                keeper.delivererFaults.failsCommit = fails
            }
            return "\(left + 1) commits fail"
        case 5:
            try keeper.restart()
            return "follower: restart"
        case 6:
            try keeper.addStranger("x\(chance.next() % 5)")
            try keeper.repair()
            return "a stranger, and repair"
        case 7:
            owner.stop()
            try keeper.restart()
            try owner.start()
            return "\(name) and follower: restart"
        default: return "nothing"
        }
    }
}
