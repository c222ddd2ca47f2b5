import CommandKit
import Contract
import Loop
import Testing

@testable import CommandCore

/// The table of a report in terminals of all widths, and without one.
@LoopActor struct ReportTableTests {
    private static let names = [
        "a", "한국어 이름이 긴 앱", "e\u{301}a\u{308}" + String(repeating: "o\u{302}", count: 60),
        String(repeating: "👩‍👩‍👧", count: 40), "a\u{1B}b",
    ]

    private func report(
        _ segment: ReportSegment = .daily, _ metric: ReportMetric = .duration, names: [String] = names
    ) -> WholeReport {
        let starts = segment == .hourly
            ? ["2026-03-17T09:00:00+01:00", "2026-03-17T10:00:00+01:00"] : ["2026-03-16", "2026-03-17"]
        let rows = starts.flatMap { start in
            names.enumerated().map { index, _ in
                ReportRow(segmentStart: start, key: "id\(index)", value: 3_600_000 / Int64(index + 1))
            }
        }
        let known = names.enumerated().map { ("id\($0)", $1) }
        return WholeReport(
            segment: segment, grouping: .app, metric: metric, params: ReportQuery.Params(), rows: rows,
            names: Dictionary(uniqueKeysWithValues: known))
    }

    private func text(_ report: WholeReport, columns: Int?) -> [String] {
        ReportCommandTable.lines(report, total: 3_600_000, columns: columns).map(\.written)
    }

    @Test(arguments: [ReportSegment.daily, .hourly], [ReportMetric.duration, .notifications])
    func noLineIsWiderThanTheTerminal(_ segment: ReportSegment, _ metric: ReportMetric) {
        let report = report(segment, metric)
        for columns in 20...320 {
            let lines = text(report, columns: columns)
            #expect(lines.allSatisfy { DisplayWidth.of($0) <= columns }, "\(columns): \(lines)")
            let values = lines.filter { $0.contains("1 h 00 min") || $0.contains("3600000") }
            #expect(values.count == 3, "the first of each segment, and the total: \(lines)")
            let bars = lines.filter { $0.contains { "█▉▊▋▌▍▎▏#".contains($0) } }
            #expect(bars.count == (columns < 33 ? bars.count : 10), "\(columns): \(lines)")
        }
    }

    @Test func aShortNameIsWholeAndItsBarBounded() {
        let lines = text(report(names: ["Editor"]), columns: 300)
        #expect(lines[1].hasPrefix("2026-03-16  Editor (id0)  1 h 00 min  "), "\(lines)")
        #expect(lines[1].filter { "█#".contains($0) }.count == 40)
        #expect(lines.last == "total                     1 h 00 min")
    }

    @Test func aLongNameTakesWhatTheLongestBarLeaves() {
        let name = String(repeating: "n", count: 200)
        let lines = text(report(names: [name]), columns: 300)
        #expect(lines[1].hasPrefix("2026-03-16  \(name) (id0)  1 h 00 min  "), "\(lines)")
        #expect(lines[1].filter { "█#".contains($0) }.count == 40)
        let narrower = text(report(names: [name]), columns: 100)
        #expect(narrower[1].hasPrefix("2026-03-16  \(name.prefix(49))…  1 h 00 min  "), "\(narrower)")
    }

    @Test func whereDaysHaveNoColumnTheyAreHeadings() {
        #expect(
            text(report(names: ["A long name"]), columns: 24) == [
                "APP           TIME", "2026-03-16", "A long name…  1 h 00 min", "2026-03-17",
                "A long name…  1 h 00 min", "total         1 h 00 min",
            ])
    }

    @Test func withoutATerminalNothingIsCut() {
        let lines = text(report(), columns: nil)
        for name in Self.names.dropLast() {
            #expect(lines.count { $0.contains("  \(name) (id") } == 2, "\(name)")
        }
        #expect(!lines.contains { $0.contains { "…█#".contains($0) } }, "\(lines)")
    }
}
