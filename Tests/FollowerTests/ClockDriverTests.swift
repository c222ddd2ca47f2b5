import ClockDriver
import Contract
import Loop
import ScreenTimeTesting
import Store
import Testing
import Units

@testable import Bus
@testable import ServiceKit
@testable import ShieldCore

/// The driver of the virtual clock with two services, all in this process: an owner of a log and its
/// follower.
struct ClockDriverTests {
    private static let start: Instant = 1_772_438_400_000  // 2026-03-02T08:00:00Z

    /// Work in progress.
    @LoopActor private final class Work {
        var isDone = false
        /// How often somebody asked for it.
        var looks = 0
    }

    /// A pair on a virtual clock, and its driver.
    @LoopActor private func with(
        timeout: Milliseconds = ClockDriver.timeout,
        _ body: @LoopActor (LogPair, ClockDriver) async throws -> Void
    ) async throws {
        let pair = try LogPair()
        defer { pair.close() }
        let driver = ClockDriver(
            try pair.directory.configuration(), tracer: Tracer(service: "test"), timeout: timeout)
        defer { driver.close() }
        _ = try await driver.start(at: Self.start)
        try await body(pair, driver)
    }

    @LoopActor private func refusal(
        _ body: @LoopActor () async throws(ServiceError) -> Void
    ) async -> ServiceError? {
        do { try await body() } catch { return error }
        return nil
    }

    @LoopActor private func refusal(of driver: ClockDriver, by length: Milliseconds) async -> ServiceError? {
        await refusal { () throws(ServiceError) in _ = try await driver.advance(by: length) }
    }

    @Test @LoopActor func everythingIsDoneAtItsOwnInstantAndInOrder() async throws {
        try await with { pair, driver in
            var done: [String] = []
            let (owner, follower) = try (pair.owner, pair.follower)
            let due: [(Int64, Service)] = [(3, owner), (1, follower), (2, owner), (2, follower)]
            for (hours, service) in due {
                _ = service.clock.at(Self.start + .hours(hours)) {
                    #expect(service.clock.now == Self.start + .hours(hours))
                    done.append("\(service.name.rawValue) \(hours)")
                }
            }
            let drive = try await driver.advance(by: .hours(4))
            // At one instant, in the order in which services start.
            #expect(done == ["monitor-runner 1", "shield-service 2", "monitor-runner 2", "shield-service 3"])
            #expect(drive.from == Self.start && drive.now == Self.start + .hours(4) && drive.instants == 3)
            #expect(owner.clock.now == Self.start + .hours(4) && follower.clock.now == owner.clock.now)
        }
    }

    @Test @LoopActor func whatIsDueNextIsNotReachedBeforeTheFollowerHasAppliedAll() async throws {
        try await with { pair, driver in
            var takenAtTwo: [Int64] = []
            var appliedAt: [Instant] = []
            let (owner, follower) = try (pair.owner, pair.follower)
            pair.meets = { _ in appliedAt.append(follower.clock.now) }
            _ = owner.clock.at(Self.start + .hours(1)) {
                do { try pair.emit(500) } catch { Issue.record(error) }
            }
            _ = follower.clock.at(Self.start + .hours(2)) {
                do { takenAtTwo = try pair.taken() } catch { Issue.record(error) }
            }
            _ = try await driver.advance(by: .hours(3))
            #expect(takenAtTwo == Array(1...500))
            #expect(Set(appliedAt) == [Self.start + .hours(1)])
        }
    }

    @Test @LoopActor func workInProgressHoldsTheClock() async throws {
        try await with { pair, driver in
            let owner = try pair.owner
            let work = Work()
            work.isDone = true
            owner.unfinished.append {
                guard !work.isDone else { return [] }
                work.looks += 1
                work.isDone = work.looks == 5
                return work.isDone ? [] : ["it writes a book"]
            }
            _ = owner.clock.at(Self.start + .hours(1)) { work.isDone = false }
            _ = owner.clock.at(Self.start + .hours(2)) { #expect(work.isDone) }
            _ = try await driver.advance(by: .hours(3))
            #expect(work.looks == 5)
        }
    }

    @Test @LoopActor func whoDoesNotBecomeIdleIsNamedAndRepeatingContinues() async throws {
        try await with(timeout: 1) { pair, driver in
            let owner = try pair.owner
            let work = Work()
            owner.unfinished.append { work.isDone ? [] : ["it writes a book"] }
            let error = await refusal(of: driver, by: .hours(1))
            #expect(error?.name == .deadlineExceeded)
            #expect(error?.message.contains("shield-service (pid") == true)
            #expect(error?.message.contains("it writes a book") == true)
            #expect(error?.message.contains("the clock stands at 2026-03-02T08:00:00") == true)
            #expect(owner.clock.now == Self.start)
            work.isDone = true
            let again = ClockDriver(try pair.directory.configuration(), tracer: Tracer(service: "test"))
            defer { again.close() }
            _ = try await again.advance(by: .hours(1))
            #expect(owner.clock.now == Self.start + .hours(1))
        }
    }

    @Test @LoopActor func timeDoesNotGoBackAndHasBounds() async throws {
        try await with { pair, driver in
            let owner = try pair.owner
            let back = await refusal { () throws(ServiceError) in
                _ = try await driver.advance(to: Self.start - .second)
            }
            #expect(back?.name == .conflict)
            for wrong in [-.second, .max] as [Milliseconds] {
                let error = await refusal(of: driver, by: wrong)
                #expect([.conflict, .invalidArgument].contains(error?.name))
            }
            #expect(owner.clock.now == Self.start)
        }
    }

    @Test @LoopActor func onlyOneDriverMovesTheClock() async throws {
        try await with { pair, driver in
            let owner = try pair.owner
            let lock = try pair.directory.configuration().runtime.lock(named: "clock")
            let error = await refusal(of: driver, by: .hours(1))
            #expect(error?.name == .alreadyExists)
            #expect(owner.clock.now == Self.start)
            withExtendedLifetime(lock) {}
        }
    }

    @Test @LoopActor func aClockStartsOnEmptyStateOnly() async throws {
        let pair = try LogPair()
        defer { pair.close() }
        let configuration = try pair.directory.configuration()
        let driver = ClockDriver(configuration, tracer: Tracer(service: "test"))
        defer { driver.close() }
        let none = await refusal(of: driver, by: .hours(1))
        #expect(none?.name == .notFound)
        try pair.emit()
        try await pair.takes(1)
        let error = await refusal { () throws(ServiceError) in _ = try await driver.start(at: Self.start) }
        #expect(error?.name == .conflict)
        #expect(error?.message == "shield-service already holds data: 1 rows in 'event'")
        #expect(try ClockPage.find(in: configuration.stateDirectory) == nil)
    }

    /// What was only copied from another service is no state of this one.
    @Test @LoopActor func aCopyIsNotHeld() throws {
        let core = try ShieldService(try TestDirectory().configuration())
        try core.start()
        try core.service.transact(trace: nil) {
            try $0.database.run(
                "INSERT INTO app_category (app, category, listing) VALUES ('chess', 'games', 1)")
        }
        core.service.endTurn()
        #expect(core.service.clockState().holds == nil)
        try core.service.transact(trace: nil) {
            try $0.database.run("INSERT INTO freeze (agent, app, body) VALUES ('here', 'chess', x'7B7D')")
        }
        core.service.endTurn()
        #expect(core.service.clockState().holds == "shield-service already holds data: 1 rows in 'freeze'")
        core.service.close()
    }
}
