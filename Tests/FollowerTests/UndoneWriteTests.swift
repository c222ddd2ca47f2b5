import Bus
import Contract
import Foundation
import JSON
import Loop
@testable import Store
import ScreenTimeTesting
import Testing

@testable import ServiceKit

/// An undone write leaves nothing in memory: everything that can be read from a service afterwards equals its
/// state after a restart.
@Suite(.serialized) @LoopActor struct UndoneWriteTests {
    @Test(arguments: WriteCase.all) func nothingOfARefusedTurnIsLeft(_ one: WriteCase) async throws {
        let run = try CoreRun(one)
        for write in one.writes {
            run.faults?.failsCommit = { true }
            let refused = await run.ask(write)
            run.faults?.failsCommit = { false }
            #expect(refused.hasPrefix("error storage"), "\(write): \(refused)")
            try await run.compare(write)
        }
        run.close()
    }

    /// A read in the turn of a write never returns data that is then undone.
    @Test(arguments: WriteCase.all) func nobodyReadsWhatIsNotKept(_ one: WriteCase) async throws {
        let run = try CoreRun(one)
        for write in one.writes {
            run.faults?.failsCommit = { true }
            // Sent together, so that one turn takes them all.
            let answers = try await run.ask([write] + one.reads)
            run.faults?.failsCommit = { false }
            #expect(answers[0].hasPrefix("error storage"), "\(write): \(answers[0])")
            for (read, seen) in zip(one.reads, answers.dropFirst()) {
                let kept = await run.ask(read)
                #expect(seen == kept, "with a \(write) that failed, \(read)")
            }
            let made = await run.ask(write)
            #expect(!made.hasPrefix("error"), "\(write): \(made)")
        }
        run.close()
    }

    /// A read that waited for others may end in the turn of a write: it is answered from what is kept.
    @Test func aReadThatWaitsIsRepeatedWhenTheTurnItEndsInIsUndone() async throws {
        let directory = try TestDirectory()
        let configuration = try directory.configuration()
        let service = try Service(.shield, configuration: configuration, migrations: [])
        let faults = CommitFaults(service.database)
        var runs = 0
        try service.start(
            answering: { service in
                service.later(ShieldExplain.self) { _, _ in
                    runs += 1
                    if runs == 1 {
                        // Another caller writes in this turn, and its commit fails.
                        faults.failsCommit = { true }
                        try service.transact(trace: nil) {
                            try $0.database.run("INSERT INTO setting VALUES ('a', 'b')")
                        }
                    } else {
                        faults.failsCommit = { false }
                    }
                    return ShieldExplain.Result(shielded: runs == 1)
                }
            }, following: { _ in })
        let asker = try RequestClient(to: .shield, in: configuration.runtime, tracer: Tracer(service: "test"))
        let answer = try await asker.call(ShieldExplain.self, ShieldExplain.Params(subject: "a"))
        #expect(!answer.shielded && runs == 2)
        asker.close()
        service.close()
    }

    /// The handler ended, and only its write was undone: others of the turn are committed.
    @Test(arguments: WriteCase.all) func nothingOfARefusedWriteIsLeft(_ one: WriteCase) async throws {
        let run = try CoreRun(one)
        // These keep no answer that could be refused.
        for write in one.writes where write.method != "privacy.forget" {
            try run.refuseAnswers(true)
            let refused = await run.ask(write)
            try run.refuseAnswers(false)
            #expect(refused.hasPrefix("error storage"), "\(write): \(refused)")
            try await run.compare(write)
        }
        run.close()
    }
}
