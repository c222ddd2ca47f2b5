@testable import Bus
import Contract
import Loop
import Store
import ScreenTimeTesting
import Testing

@testable import ServiceKit

/// Where two copies of a log part, by the runs that each knows.
@Suite @LoopActor struct FollowedRunsTests {
    struct Known {
        let runs: [StoredRun]
        let cursor: Int64
    }

    private static func fork(
        _ known: [(String, Int64)], at cursor: Int64, _ owner: [(String, Int64)], head: Int64,
        epoch: String = "e"
    ) throws -> Cursor? {
        let directory = try TestDirectory()
        let database = try Database(path: directory.path + "/a.sqlite3", migrations: [])
        let cursors = Cursors(database)
        try database.write { _ in
            for (id, first) in known {
                try cursors.note(StoredRun(id: id, first: first), of: "shield-service")
            }
        }
        try database.commit()
        let fork = ForkedLog(
            cursor: Cursor(epoch: epoch, sequence: cursor, run: known.last?.0 ?? ""), epoch: "e", head: head,
            runs: owner.map { LogRun(id: $0.0, first: $0.1) })
        return try FollowedRuns(.shield, cursors).common(with: fork)
    }

    @Test func theLastCommonPlaceIsTheEndOfTheLastCommonRun() throws {
        // The copy was made in the middle of a run, and went on in another.
        #expect(
            try Self.fork([("a", 1)], at: 150, [("a", 1), ("c", 101)], head: 300)
                == Cursor(epoch: "e", sequence: 100, run: "a"))
        // The same, and nothing was made since.
        #expect(
            try Self.fork([("a", 1)], at: 150, [("a", 1)], head: 100)
                == Cursor(epoch: "e", sequence: 100, run: "a"))
        // The follower has seen more runs than the copy has, and the copy is older than the last common one.
        #expect(
            try Self.fork([("a", 1), ("b", 101)], at: 150, [("a", 1), ("c", 81)], head: 90)
                == Cursor(epoch: "e", sequence: 80, run: "a"))
        // The follower came late to a run.
        #expect(
            try Self.fork([("b", 120)], at: 150, [("a", 1), ("b", 101), ("c", 140)], head: 160)
                == Cursor(epoch: "e", sequence: 139, run: "b"))
    }

    /// A copy from before the first event.
    @Test func whatWasReadFromItsFirstEventOnPartedBeforeIt() throws {
        #expect(
            try Self.fork([("a", 1), ("b", 4)], at: 5, [("c", 1)], head: 9)
                == Cursor(epoch: "e", sequence: 0))
        #expect(try Self.fork([("a", 1)], at: 5, [], head: 0) == Cursor(epoch: "e", sequence: 0))
    }

    @Test func nothingIsCommonToAnotherLogOrToStrangers() throws {
        #expect(try Self.fork([("a", 2)], at: 5, [("b", 1)], head: 9) == nil)
        #expect(try Self.fork([("a", 1)], at: 5, [("a", 1)], head: 9, epoch: "other") == nil)
        #expect(try Self.fork([], at: 5, [("a", 1)], head: 9) == nil)
    }

    /// A run is stored as long as one of its events can be requested. The newest are stored longer: by them a
    /// reader whose events are gone recognises whether the log is still the one that it read.
    @Test func theOwnerForgetsOldRunsWithTheirEvents() throws {
        let directory = try TestDirectory()
        let path = directory.path + "/a.sqlite3"
        var ids: [String] = []
        for start in 0..<5 {
            let database = try Database(path: path, migrations: [])
            let log = try EventLog(database, now: 0)
            ids.append(log.run)
            // Starts without events are no runs.
            if start == 2 { continue }
            try database.write { _ in
                for _ in 0..<10 { _ = try log.append(type: "t", time: 0) { _, _ in [] } }
            }
            try database.commit()
            #expect(try log.run(of: 10) == ids[0])
            #expect(try log.run(of: log.head()) == log.run && log.run(of: log.head() + 1) == nil)
        }
        let database = try Database(path: path, migrations: [])
        let log = try EventLog(database, now: 0)
        #expect(try log.runs().map(\.first) == [1, 11, 21, 31])
        #expect(try log.runs().map(\.id) == [ids[0], ids[1], ids[3], ids[4]])
        try database.write { _ in _ = try log.trim(keepingLast: 15) }
        try database.commit()
        #expect(try log.runs().map(\.first) == [1, 11, 21, 31])
        try database.write { _ in
            for first in 100..<100 + EventLog.runsMax {
                try database.run("INSERT INTO run (first, id) VALUES (?1, 'x')", Int64(first))
            }
            _ = try log.trim(keepingLast: 14)
        }
        try database.commit()
        #expect(try database.integer("SELECT min(first) FROM run") == 21, "26 is the last trimmed one")
        #expect(try log.run(of: 26) == ids[3])
    }

    @Test(arguments: [
        (1, "a", true), (10, "a", true), (11, "a", false), (11, "b", true), (15, "b", true), (16, "b", false),
        (15, "c", false), (5, "", true), (16, "", false), (0, "", true),
    ])
    func aLogContinuesWhatItsRunsHave(sequence: Int64, run: String, continues: Bool) {
        let runs = [LogRun(id: "a", first: 1), LogRun(id: "b", first: 11)]
        let log = EventsRuns.Result(epoch: "e", head: 15, runs: runs)
        let cursor = Cursor(epoch: "e", sequence: sequence, run: run)
        #expect(log.continues(cursor) == continues)
        #expect(!log.continues(Cursor(epoch: "other", sequence: sequence, run: run)))
        // Its owner forgot the run of that time.
        let short = EventsRuns.Result(epoch: "e", head: 15, runs: [LogRun(id: "b", first: 11)])
        #expect(short.continues(Cursor(epoch: "e", sequence: 3, run: "z")))
    }
}
