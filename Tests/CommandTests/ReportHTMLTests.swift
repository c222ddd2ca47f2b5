import Contract
import Foundation
import Loop
import Testing

@testable import CommandCore

/// The page that `report --format html` writes.
@LoopActor struct ReportHTMLTests {
    private static let report = WholeReport(
        segment: .daily, grouping: .app, metric: .duration,
        params: ReportQuery.Params(from: "2026-03-02", to: "2026-03-03"),
        rows: [
            ReportRow(segmentStart: "2026-03-02", key: "org.example.Game", value: 7_200_000),
            ReportRow(segmentStart: "2026-03-02", key: "<script>alert(1)</script>", value: 900_000),
            ReportRow(segmentStart: "2026-03-03", key: "org.example.Game", value: 1_800_000),
        ],
        zone: "Asia/Seoul", notes: ["<b>a note</b>"], names: ["org.example.Game": "Marble \u{202E}Game & Co"])

    @Test func eachDayHasATableWithItsRows() {
        let page = ReportCommandHTML.page(Self.report, total: 9_900_000)
        #expect(page.components(separatedBy: "<caption>").count == 3)
        for day in 2...3 { #expect(page.contains("<caption>2026-03-0\(day)</caption>")) }
        for text in ["2 h 00 min", "15 min 00 s", "30 min 00 s", "2 h 45 min", "Asia/Seoul"] {
            #expect(page.contains(">\(text)<") || page.contains(", \(text)<"), "\(text)")
        }
        for share in ["100.0%", "12.5%", "25.0%"] { #expect(page.contains("width:\(share)"), "\(share)") }
    }

    @Test func namesAreTextAndNothingElse() {
        let page = ReportCommandHTML.page(Self.report, total: 0)
        #expect(!page.contains("<script") && !page.contains("<b>") && !page.contains("\u{202E}"))
        #expect(page.contains("&lt;script&gt;alert(1)&lt;/script&gt;") && page.contains("&amp; Co"))
    }

    @Test func aReportOfNothingSaysSo() {
        var empty = Self.report
        empty.rows = []
        #expect(ReportCommandHTML.page(empty, total: 0).contains("No use is recorded."))
    }
}
