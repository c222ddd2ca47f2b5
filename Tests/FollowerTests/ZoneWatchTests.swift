import Contract
import Foundation
import Loop
import ScreenTimeTesting
import Testing
import ZoneWatch

@testable import ServiceKit

/// The machine moves to another time zone while the store fails.
@Suite(.serialized) @LoopActor struct ZoneWatchTests {
    enum Obstacle: CaseIterable {
        /// The write cannot begin, because an earlier one is not undone in memory yet.
        case beginning
        /// The write fails.
        case writing
        /// It is undone with its turn.
        case committing
    }

    private struct Surprise: Error {}

    /// Otherwise calendar triggers and schedules would follow the former zone until the next start.
    @Test(arguments: Obstacle.allCases)
    func aMoveThatCannotBeStoredIsAppliedLater(obstacle: Obstacle) async throws {
        let directory = try TestDirectory()
        let zone = directory.path + "/zone"
        mkdir(zone, 0o700)
        symlink("/usr/share/zoneinfo/UTC", zone + "/localtime")
        // The suite has a process of its own.
        let before = getenv("TZ").map { String(cString: $0) }
        setenv("TZ", ":" + zone + "/localtime", 1)
        defer { if let before { setenv("TZ", before, 1) } else { unsetenv("TZ") } }
        let configuration = try directory.configuration()
        let service = try Service(.notifier, configuration: configuration, migrations: [])
        try service.start(answering: { _ in }, following: { _ in })
        service.endTurn()
        let faults = CommitFaults(service.database)
        var (isBroken, moves, stored) = (true, 0, 0)
        let failed = Expectation<Void>("nothing failed")
        let watch = service.watchZone { _, transaction in
            moves += 1
            try transaction.database.run("CREATE TABLE IF NOT EXISTS moved (number INTEGER)")
            try transaction.database.run("INSERT INTO moved VALUES (?1)", Int64(moves))
            if isBroken, obstacle == .writing {
                failed.fulfil(())
                throw Surprise()
            }
            transaction.afterCommit { stored += 1 }
        }
        if obstacle == .beginning {
            #expect(throws: ServiceError.self) {
                try service.transact(trace: nil) { transaction in
                    transaction.onUndo { if isBroken { throw Surprise() } }
                    throw Surprise()
                }
            }
            service.endTurn()
        }
        faults.failsCommit = {
            guard isBroken, obstacle == .committing, moves > 0 else { return false }
            failed.fulfil(())
            return true
        }
        let log = configuration.logDirectory + "/notifier.log"
        let token = EventLoop.main.atEndOfTurn {
            // There is none before the first line.
            let text = (try? String(contentsOfFile: log, encoding: .utf8)) ?? ""
            if text.contains("applying the new time zone failed") { failed.fulfil(()) }
        }
        defer { EventLoop.main.forget(token) }
        symlink("/usr/share/zoneinfo/Asia/Kathmandu", zone + "/next")
        rename(zone + "/next", zone + "/localtime")
        try await failed.wait()
        #expect(stored == 0)
        isBroken = false
        try await untilTurn("it is stored") { stored > 0 }
        #expect(moves == (obstacle == .beginning ? 1 : 2))
        watch.stop()
        service.close()
    }
}
