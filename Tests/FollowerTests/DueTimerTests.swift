import Bus
import Loop
import ScreenTimeTesting
import Testing
import Time
import Units

@testable import ServiceKit

@Suite @LoopActor struct DueTimerTests {
    private struct Unreadable: Error {}
    private final class Store { var isReadable = true }

    /// A read that failed does not postpone what was due before.
    @Test func aRetryKeepsAnEarlierInstant() throws {
        try arm(due: 1, fires: 1)
        try arm(due: .hour, fires: Service.retryPause)
    }

    private func arm(due: Milliseconds, fires: Milliseconds) throws {
        let configuration = try TestDirectory().configuration()
        try makeDirectories(configuration.stateDirectory, mode: 0o700)
        try ClockPage.create(in: configuration.stateDirectory, at: 1_772_438_400_000)
        let service = try Service(.auth, configuration: configuration, migrations: [])
        let clock = try #require(service.clock as? SystemClock)
        let start = clock.now
        let store = Store()
        let timer = DueTimer(
            service,
            next: {
                guard store.isReadable else { throw Unreadable() }
                return start + due
            }, fire: {})
        timer.arm()
        #expect(clock.nextDue == start + due)
        store.isReadable = false
        timer.arm()
        #expect(clock.nextDue == start + fires)
        timer.disarm()
        service.close()
    }
}
