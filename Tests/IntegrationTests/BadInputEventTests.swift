import Contract
import JSON
import Loop
import Rules
import ScreenTimeTesting
import Testing
import Units

/// Events that a follower does not know or cannot read: counted, logged once, passed over.
@Suite struct BadInputEventTests {
    @Test func anUnknownAndAMalformedEventAreCountedAndPassedOver() async throws {
        try await World.with(["activity-center", "report-service", "monitor-runner"]) { world in
            let changes = ActivityData.phone(400, seed: 17)
            let head = try await world.observe(Array(changes[..<200]), device: "phone", model: "android")
                .sequence
            let epoch = try await world.health(.activity).logEpoch
            try await world.process("activity-center").stop()
            // As a later version of the owner, or one with a bug, would have left its log.
            let strangers = [
                Self.event("usage.invented", #"{"member":"x","deep":[1,{"a":null}]}"#, head + 1, epoch),
                Self.event("usage.invented", "7", head + 2, epoch),
                Self.event(UsageRecorded.type, #"{"member":7}"#, head + 3, epoch),
            ]
            try world.editActivityStore(
                strangers.joined(separator: ";")
                    + "; UPDATE event_last SET sequence = \(head + 3) WHERE type = '\(UsageRecorded.type)'")
            try await world.start("activity-center")
            let last = try await world.observe(Array(changes[200...]), device: "phone", model: "android")
                .sequence
            #expect(last > head + 3)

            let report = try await world.call(
                ReportQuery.self, .init(from: "2023-11-13", to: "2023-11-20", zone: "UTC", by: .total),
                notBefore: [Position(.activity, last)])
            var machine = UsageMachine()
            let total = IntervalSet(machine.apply(changes.sorted()).uses.map(\.interval)).total
            #expect(report.rows.reduce(0) { $0 + $1.value } == total.count)
            _ = try await world.call(ExtensionList.self, .init(), notBefore: [Position(.activity, last)])

            #expect(try await Self.counted(world, .report) == ["unknown_event": 2, "malformed_event": 1])
            // It has no use for usage.recorded, so it does not read it.
            #expect(try await Self.counted(world, .monitor) == ["unknown_event": 2])
            for (service, warnings) in [("report-service", 2), ("monitor-runner", 1)] {
                let log = world.readText("\(world.directory)/state/logs/\(service).log")
                let lines = log.split(separator: "\n").filter { $0.contains("refused a message") }
                #expect(lines.count == warnings, "\(lines)")
            }
        }
    }

    @LoopActor private static func counted(_ world: World, _ service: ServiceName) async throws -> [String:
        Int64]
    {
        let counters = try await world.health(service).counters
        return Dictionary(uniqueKeysWithValues: counters.map { ($0.name, $0.count) })
            .filter { RefusalReason(rawValue: $0.key) != nil }
    }

    /// The statement that puts an event into a log.
    private static func event(_ type: String, _ data: String, _ sequence: Int64, _ epoch: String) -> String {
        let text =
            #"{"specversion":"1.0","type":"\#(type)","source":"/local/\#(epoch)/activity-center","#
            + #""id":"\#(sequence)","time":"2026-01-01T00:00:00.000Z","#
            + #""sequence":"\#(SequenceText(sequence).text)","previous":"\#(SequenceText(0).text)","#
            + #""traceparent":"00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01","data":\#(data)}"#
        let digits = Array("0123456789abcdef".utf8)
        let hex = text.utf8.flatMap { [digits[Int($0 >> 4)], digits[Int($0 & 15)]] }
        return "INSERT INTO event (sequence, type, previous, time_ms, body) "
            + "VALUES (\(sequence), '\(type)', 0, 0, X'\(String(decoding: hex, as: UTF8.self))')"
    }
}
