import Units
import Contract
import Rules
import ScreenTimeTesting
import Testing

@testable import CommandCore

/// What `screentime import` sends, and what it refuses before it sends anything.
@Suite struct ImportBatchTests {
    /// 2023-06-01T00:00:00Z
    private static let t: Instant = 1_685_577_600_000

    @Test func batchesAreLegalMessagesAndLeaveNothingOut() {
        let name = String(repeating: "\"", count: 512)
        for (count, app) in [(0, "a"), (1, "a"), (4_000, "a"), (4_001, "a"), (9_000, name)] {
            let changes = (0..<count).map { number in
                UsageChange(at: Self.t, ordinal: .min + Int64(number), .opened(.app(app), instance: .min))
            }
            let batches = ImportCommandSender.batches(changes)
            #expect(batches.flatMap { Array($0) } == Array(0..<count))
            for batch in batches {
                #expect(batch.count <= Limits.observationsPerRequestMax)
                let params = UsageObserve.Params(
                    device: "phone", observations: changes[batch].map(\.observation))
                #expect(params.encoded().count < Limits.messageBytesMax - 2_000)
            }
        }
    }

    /// Each subject is a separate event: the service answers nobody else until a batch is done.
    @Test func aBatchOfManyAppsIsShort() {
        let changes = (0..<9_000).map { number in
            UsageChange(at: Self.t + Milliseconds(number), ordinal: 0, .focus(.app("a\(number % 1_200)")))
        }
        let batches = ImportCommandSender.batches(changes)
        #expect(batches.flatMap { Array($0) } == Array(0..<9_000))
        #expect(batches.allSatisfy { $0.count <= 500 } && batches.count == 18)
    }

    /// The second device is wrong by a rule of the service's: the first is not sent either.
    @Test(arguments: [
        #"{"device":"b\u200b","device_model":"m","at_ms":1,"kind":"focus","app":"x"}"#,
        #"{"device":"b","device_model":"m\u202e","at_ms":1,"kind":"focus","app":"x"}"#,
        #"{"device":"b","device_model":"m","at_ms":1,"kind":"focus","app":"token:AAAA"}"#,
        #"{"device":"b","device_model":"m","at_ms":1,"kind":"domain","domain":"token:AAAA"}"#,
    ])
    func nothingOfSeveralDevicesIsSentWhenOneIsWrong(_ line: String) async throws {
        try await World.with(ImportCommandTests.services) { world in
            let good = #"{"device":"a","device_model":"m","at_ms":1,"kind":"focus","app":"x"}"#
            let file = try world.write(good + "\n" + line + "\n", to: "two.jsonl")
            let outcome = try await world.command("import", "observations", file)
            #expect(outcome.status == ExitCode.badData && outcome.errors.contains("Nothing was imported."))
            #expect(!outcome.errors.contains("changes sent"))
            #expect(try await world.health(.activity).head == 0)
        }
    }

    @Test func anEventBeyondTheYear9999IsRefusedBeforeAnythingIsSent() async throws {
        func bucket(_ host: String, _ at: String, _ seconds: Int) -> String {
            """
            "w_\(host)": {"id": "w_\(host)", "type": "currentwindow", "client": "c", "hostname": "\(host)",
             "events": [{"timestamp": "\(at)", "duration": \(seconds), "data": {"app": "a", "title": "t"}}]}
            """
        }
        try await World.with(ImportCommandTests.services) { world in
            let text =
                "{\"buckets\": {" + bucket("aaa", "2024-05-01T10:00:00Z", 60) + ","
                + bucket("zzz", "9999-12-31T23:59:59Z", 5_000) + "}}"
            let file = try world.write(text, to: "aw.json")
            let outcome = try await world.command("import", "activitywatch", file)
            #expect(outcome.status == ExitCode.badData, "\(outcome)")
            #expect(outcome.errors.contains("device 'zzz'"))
            #expect(outcome.errors.contains("Nothing was imported."))
            #expect(try await world.health(.activity).head == 0)
        }
    }
}
