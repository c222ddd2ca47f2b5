import Contract
import Loop
import ScreenTimeTesting
import Testing
import Units

@testable import ReportCore
@testable import ServiceKit

/// The trusted time in a service that follows activity-center.
@Suite @LoopActor struct HeldTimeTests {
    @Test func itIsKeptAndEndsWithARebuildThatDoesNotHaveIt() async throws {
        let configuration = try TestDirectory().configuration()
        let owner = try Service(.activity, configuration: configuration, migrations: [])
        owner.snapshot = { _ in SnapshotPage(events: [], nextPage: nil) }
        try owner.start(answering: { _ in }, following: { _ in })
        var core = try ReportService(configuration, clock: HandClock())
        try core.start()
        try owner.transact(trace: nil) { _ = try $0.emit(TimeHeld(held: 5_000)) }
        try await untilTurn("it is told") { core.time.held == 5_000 && !core.service.hasUncommitted }
        core.service.close()
        core = try ReportService(configuration, clock: HandClock())
        try core.start()
        #expect(core.time.held == 5_000)
        _ = try core.service.followers[.activity]?.rebuildCopy("it is a test")
        try await untilTurn("the copy is rebuilt") { core.time.held == 0 && !core.service.hasUncommitted }
        core.service.close()
        owner.close()
    }
}
