import Bus
import CSQLite
import Contract
import Loop
import ScreenTimeTesting
import Testing
import Units

@testable import ActivityCore
@testable import ServiceKit
@testable import Store

/// A sensor that sends no heartbeat any more, while its end cannot be written.
@Suite @LoopActor struct SilentSensorTests {
    private static let start: Instant = 1_772_438_400_000  // 2026-03-02T08:00:00Z

    /// Another program holds the store, so that no write can begin.
    @Test func anEndThatCannotBeWrittenIsTriedAgain() throws {
        let directory = try TestDirectory()
        let configuration = try directory.configuration()
        try makeDirectories(configuration.stateDirectory, mode: 0o700)
        try ClockPage.create(in: configuration.stateDirectory, at: Self.start)
        let page = try #require(try ClockPage.find(in: configuration.stateDirectory, writable: true))
        let core = try ActivityCenter(configuration)
        try core.start()
        let service = core.service
        let clock = try #require(service.clock as? SystemClock)
        service.endTurn()
        let log = core.usage
        var observation = Observation(at: Self.start, kind: .focus)
        observation.app = "chess"
        let params = UsageObserve.Params(device: "here", deviceModel: "linux", observations: [observation])
        try service.transact(trace: nil) { _ = try log.observe(params, $0) }
        service.endTurn()
        let head = service.head
        sqlite3_busy_timeout(service.database.connection.raw, 0)
        var other: OpaquePointer?
        #expect(sqlite3_open(service.database.path, &other) == SQLITE_OK)
        defer { sqlite3_close(other) }
        #expect(sqlite3_exec(other, "BEGIN IMMEDIATE", nil, nil, nil) == SQLITE_OK)
        pass(SensorTimeout.silence)
        #expect(service.head == head)
        pass(Service.retryPause)
        #expect(service.head == head)
        #expect(sqlite3_exec(other, "ROLLBACK", nil, nil, nil) == SQLITE_OK)
        pass(Service.retryPause)
        #expect(service.head > head)
        service.close()

        func pass(_ time: Milliseconds) {
            page.move(to: clock.now + time)
            clock.fire()
            service.endTurn()
        }
    }
}
