import CommandKit
import Contract
import Loop
import ServiceKit
import Units

/// A report as one file that a browser shows by itself: nothing in it runs or loads anything.
@LoopActor enum ReportCommandHTML {
    static func page(_ report: WholeReport, total: Int64) -> String {
        let days = span(report)
        let title = "Screen time, \(days)"
        let facts = ["by \(report.grouping.rawValue)", report.zone].filter { !$0.isEmpty }
        return """
            <!DOCTYPE html>
            <html lang="en">
            <head>
            <meta charset="utf-8"/>
            <meta http-equiv="Content-Security-Policy" \
            content="default-src 'none'; style-src 'unsafe-inline'"/>
            <meta name="viewport" content="width=device-width, initial-scale=1"/>
            <title>\(HTMLText.escaped(title))</title>
            <style>\(style)</style>
            </head>
            <body>
            <main>
            <h1>\(HTMLText.escaped(days))</h1>
            <p class="total">\(HTMLText.escaped(ReportCommandTable.value(total, report)))</p>
            <p>\(HTMLText.escaped(facts.joined(separator: ", ")))</p>
            \(report.notes.map(paragraph).joined(separator: "\n"))
            \(sections(report))
            </main>
            </body>
            </html>
            """
    }

    private static func paragraph(_ note: String) -> String {
        "<p>\(HTMLText.escaped(VisibleText.escaped(note)))</p>"
    }

    /// What was asked for; where that is not said, what the rows have.
    private static func span(_ report: WholeReport) -> String {
        let from = report.params.from ?? report.rows.first?.segmentStart ?? "today"
        let to = report.params.to ?? report.rows.last?.segmentStart ?? from
        let days = [from, to].map { LocalTime.stamp(String($0.prefix(10))) }
        return days[0] == days[1] ? days[0] : "\(days[0]) – \(days[1])"
    }

    private static func sections(_ report: WholeReport) -> String {
        let largest = max(1, report.rows.map(\.value).max() ?? 0)
        var parts: [String] = []
        var rows: [String] = []
        let ordered = ReportCommandTable.ordered(report.rows)
        for (index, row) in ordered.enumerated() {
            rows.append(line(row, report, largest: largest))
            let isLast = index + 1 == ordered.count || ordered[index + 1].segmentStart != row.segmentStart
            guard isLast else { continue }
            parts.append(section(row.segmentStart, rows, report))
            rows = []
        }
        return parts.isEmpty ? "<p>No use is recorded.</p>" : parts.joined(separator: "\n")
    }

    private static func section(_ start: String, _ rows: [String], _ report: WholeReport) -> String {
        let head = HTMLText.escaped(LocalTime.stamp(start))
        return """
            <table>
            <caption>\(head)</caption>
            <thead><tr><th scope="col">\(report.grouping.rawValue)</th><th scope="col" class="number">\
            \(report.metric == .duration ? "time" : report.metric.rawValue)</th>\
            <th aria-hidden="true"></th></tr></thead>
            <tbody>
            \(rows.joined(separator: "\n"))
            </tbody>
            </table>
            """
    }

    private static func line(_ row: ReportRow, _ report: WholeReport, largest: Int64) -> String {
        let name = HTMLText.escaped(VisibleText.escaped(ReportCommandTable.label(row.key, report)))
        let share = row.value * 1_000 / largest
        return """
            <tr><th scope="row"><bdi>\(name)</bdi></th>\
            <td class="number">\(HTMLText.escaped(ReportCommandTable.value(row.value, report)))</td>\
            <td class="bar" aria-hidden="true"><i style="width:\(share / 10).\(share % 10)%"></i></td></tr>
            """
    }

    private static let style = """
        :root{color-scheme:light dark;--bar:#3a73d9}
        @media(prefers-color-scheme:dark){:root{--bar:#7aa7ff}}
        body{font:16px/1.5 system-ui,sans-serif;margin:0;padding:2rem 1rem}
        main{max-width:46rem;margin:auto}
        h1{font-size:1.25rem;font-weight:600;margin:0}
        p{margin:.25rem 0}
        .total{font-size:2.5rem;line-height:1.2;font-weight:600;font-variant-numeric:tabular-nums}
        table{width:100%;border-collapse:collapse;margin-top:2rem;break-inside:avoid}
        caption{text-align:start;font-weight:600;padding:.25rem 0}
        th{text-align:start;font-weight:400;overflow-wrap:anywhere}
        thead th{font-size:.875rem;opacity:.75}
        td,th{padding:.25rem .5rem .25rem 0;vertical-align:middle}
        .number{text-align:end;white-space:nowrap;font-variant-numeric:tabular-nums}
        .bar{width:40%;padding-inline-start:.5rem}
        .bar i{display:block;height:.75rem;min-width:2px;border-radius:2px;background:var(--bar);\
        print-color-adjust:exact}
        """
}
