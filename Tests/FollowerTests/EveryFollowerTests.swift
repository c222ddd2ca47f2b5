import Contract
import Foundation
import Loop
import Store
import ScreenTimeTesting
import Testing

@testable import ServiceKit

/// Every service, with its real core and store in this process, follows owners that publish a random story.
/// Commits fail, disks are full, and the service and its owners are restarted, at random. In the end the
/// service stores the same as after the same story without faults.
@Suite(.serialized) @LoopActor struct EveryFollowerTests {
    @Test(arguments: FollowerCase.all, [UInt64.random(in: 0 ... .max), 1])
    func keepsTheSameWithFaultsAndWithout(_ one: FollowerCase, seed: UInt64) async throws {
        print("\(one.name.rawValue) seed \(seed)")
        let calm = try await Run(one, seed: seed, hasFaults: false).rows()
        let faulty = try await Run(one, seed: seed, hasFaults: true).rows()
        #expect(calm.count >= 5, "the story leaves nothing")
        let lost = Set(calm).subtracting(faulty)
        let other = Set(faulty).subtracting(calm)
        #expect(
            lost.isEmpty && other.isEmpty && faulty.count == calm.count,
            "lost: \(lost.sorted().prefix(5)), other: \(other.sorted().prefix(5))")
    }

    /// `status` says what does not work while events are not applied.
    @Test(arguments: FollowerCase.all) func saysWhatDoesNotWorkWithoutThem(_ one: FollowerCase) throws {
        let directory = try TestDirectory()
        let (service, core) = try one.start(try directory.configuration(), StandingClock())
        #expect(Set(service.followers.keys) == Set(one.sources))
        for follower in service.followers.values {
            #expect(follower.consequence != Follower.unnamed, "\(follower.source.rawValue)")
        }
        service.close()
        withExtendedLifetime(core) {}
    }
}

/// One story published to one service.
@LoopActor private final class Run {
    private let one: FollowerCase
    private let directory: TestDirectory
    private let hasFaults: Bool
    private let seed: UInt64
    private let clock = StandingClock()
    private var owners: [ServiceName: Service] = [:]
    private var service: Service?
    private var core: AnyObject?
    private var faults: CommitFaults?
    private var watch: Reactor.Token?

    init(_ one: FollowerCase, seed: UInt64, hasFaults: Bool) throws {
        self.one = one
        self.seed = seed
        self.hasFaults = hasFaults
        directory = try TestDirectory()
        try start()
        for source in one.sources { try start(source) }
    }

    private func start() throws {
        let (service, core) = try one.start(try directory.configuration(), clock)
        self.service = service
        self.core = core
        faults = CommitFaults(service.database)
    }

    private func start(_ source: ServiceName) throws {
        let owner = try Service(source, configuration: try directory.configuration(), migrations: [])
        owners[source] = owner
        owner.snapshot = { _ in SnapshotPage(events: [], nextPage: nil) }
        try owner.start(
            answering: { if source == .activity { $0.answerCatalogueFromLog() } }, following: { _ in })
    }

    private func restart() throws {
        heal()
        service?.close()
        faults = nil
        service = nil
        core = nil
        try start()
    }

    private func restart(_ source: ServiceName) throws {
        owners[source]?.close()
        owners[source] = nil
        try start(source)
    }

    private func heal() {
        faults?.failsCommit = { false }
        // Its limit is gone with the connection at the latest.
        try? faults?.freeDisk()
    }

    /// Publishes the story and returns what the service has stored, sorted.
    func rows() async throws -> [String] {
        var story = Story(seed: seed)
        var chance = Chance(seed: seed ^ 0x5eed)
        for _ in 0..<40 {
            if hasFaults { try disturb(&chance) }
            for _ in 0..<4 {
                for source in one.sources {
                    guard let owner = owners[source] else { continue }
                    try owner.transact(trace: nil) { try story.publish(source, $0) }
                }
                await Task.yield()
            }
        }
        heal()
        try await caughtUp()
        defer { close() }
        guard let service else { return [] }
        return try one.kept.flatMap { sql in try service.database.query(sql) { $0.text(0) } }.sorted()
    }

    private func disturb(_ chance: inout Chance) throws {
        switch chance.next() % 10 {
        case 0, 1:
            var left = Int(chance.next() % 3) + 1
            faults?.failsCommit = {
                left -= 1
                return left >= 0
            }
        case 2: try faults?.fillDisk()
        case 3, 4: try faults?.freeDisk()
        case 5: try restart()
        case 6: try restart(one.sources[Int(chance.next() % UInt64(one.sources.count))])
        default: break
        }
    }

    /// Suspends until all events of all owners are applied.
    private func caughtUp() async throws {
        let expectation = Expectation<Void>(
            "\(self.one.name.rawValue): \(self.service?.healthReport().follows ?? [])")
        @LoopActor func judge() {
            guard let follows = service?.healthReport().follows else { return }
            let isDone = follows.allSatisfy { log in
                owners[log.service].map { $0.head == log.sequence && $0.unpublishedCount == 0 } ?? false
            }
            if isDone { expectation.fulfil(()) }
        }
        let token = EventLoop.main.atEndOfTurn { judge() }
        defer { EventLoop.main.forget(token) }
        try await expectation.wait(deadline: 60_000)
    }

    private func close() {
        service?.close()
        owners.values.forEach { $0.close() }
    }
}
