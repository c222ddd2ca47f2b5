import Schedules
import CommandKit
import Contract
import Rules
import JSON
import Loop
import ScreenTimeTesting
import Testing

@testable import CommandCore

/// What `screentime report` prints, without services.
@Suite struct ReportCommandTests {
    static func report(_ rows: [(String, String, Int64)], names: [String: String] = [:]) -> WholeReport {
        WholeReport(
            segment: .daily, grouping: .app, metric: .duration, params: ReportQuery.Params(),
            rows: rows.map { ReportRow(segmentStart: $0.0, key: $0.1, value: $0.2) }, names: names)
    }

    @Test func csvQuotesWhatItMust() {
        let report = Self.report([
            ("2023-06-01", "a,b", 1), ("2023-06-01", "say \"hi\"", 2), ("2023-06-01", "x\ny", 3),
        ])
        #expect(
            ReportCommandCSV.lines(report) == [
                "segment_start,app,duration_ms", "2023-06-01,\"a,b\",1", "2023-06-01,\"say \"\"hi\"\"\",2",
                "2023-06-01,\"x\ny\",3",
            ])
        #expect(UsageTables.csvField("") == "")
        #expect(UsageTables.csvField("\r\n") == "\"\r\n\"")
        #expect(UsageTables.csvField("\"") == "\"\"\"\"")
    }

    @Test func columnsAreNamedAfterKeyAndMetric() throws {
        var report = Self.report([("2023-06-01", "phone", 7)])
        report.grouping = .device
        report.metric = .pickups
        #expect(ReportCommandCSV.lines(report) == ["segment_start,device,pickups", "2023-06-01,phone,7"])
        #expect(
            String(decoding: ReportCommandJSON.rows(report), as: UTF8.self)
                == #"[{"segment_start":"2023-06-01","device":"phone","pickups":7}]"#)
        report.rows = []
        #expect(String(decoding: ReportCommandJSON.rows(report), as: UTF8.self) == "[]")
    }

    @Test @LoopActor func aPersonSeesTheLargestFirstAndNoControlCharacters() {
        let rows = Self.report([("d1", "a", 1), ("d1", "b", 3), ("d1", "c", 3), ("d2", "a", 9)]).rows
        #expect(
            ReportCommandTable.ordered(rows).map { "\($0.segmentStart)\($0.key)" } == [
                "d1b", "d1c", "d1a", "d2a",
            ])
        let report = Self.report([], names: ["id": "Name", "same": "same", "evil": "\u{1b}[31mred\u{9b}"])
        #expect(ReportCommandTable.label("id", report) == "Name (id)")
        #expect(ReportCommandTable.label("same", report) == "same")
        #expect(ReportCommandTable.label("other", report) == "other")
        #expect(
            ConsoleText(ReportCommandTable.label("evil", report)).written == "\\u{1B}[31mred\\u{9B} (evil)")
    }

    @Test func theZoneIsTakenFromWhereTheSystemKeepsIt() {
        #expect(MachineZone.ianaName("Europe/Berlin") == "Europe/Berlin")
        #expect(
            MachineZone.ianaName("/usr/share/zoneinfo/America/Argentina/Ushuaia")
                == "America/Argentina/Ushuaia"
        )
        #expect(MachineZone.ianaName("../usr/share/zoneinfo/posix/Etc/UTC") == "Etc/UTC")
        #expect(MachineZone.ianaName("") == "UTC")
        #expect(MachineZone.ianaName("/etc/my-own-zone") == nil)
    }
}
