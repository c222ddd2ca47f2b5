import CommandKit
import Contract
import Loop
import Units

/// A report for a person: per segment the largest first, and a line with the total.
@LoopActor enum ReportCommandTable {
    static func printReport(_ report: WholeReport, _ session: Session) async throws {
        guard !report.rows.isEmpty else { return }
        let columns = Console.tableColumns
        lines(report, total: try await total(report, session), columns: columns).forEach { Console.print($0) }
        if report.isRunning {
            Console.print("Something is in use right now; it is counted up to this moment.")
        }
    }

    /// - Parameter columns: of the terminal; nil without one.
    static func lines(_ report: WholeReport, total: Int64, columns: Int?) -> [ConsoleText] {
        let wide = table(report, total: total, isWide: true)
        guard let columns, !wide.fits(columns) else { return wide.drawn(columns: columns) }
        return table(report, total: total, isWide: false).drawn(columns: columns)
    }

    /// - Parameter isWide: whether segments have a column, or are headings.
    private static func table(_ report: WholeReport, total: Int64, isWide: Bool) -> TextTable {
        let header = [report.grouping.rawValue.uppercased(), valueHeader(report)]
        var table = TextTable(
            (isWide ? [segmentHeader(report)] : []) + header, elastic: isWide ? 1 : 0)
        let largest = report.rows.map(\.value).max() ?? 0
        var previous = ""
        for row in ordered(report.rows) {
            let start = row.segmentStart == previous ? "" : LocalTime.stamp(row.segmentStart)
            previous = row.segmentStart
            if !isWide, start != "" { table.add([start]) }
            table.add(
                (isWide ? [start] : []) + [label(row.key, report), value(row.value, report)],
                share: largest > 0 ? Double(row.value) / Double(largest) : nil)
        }
        table.add((isWide ? ["total", ""] : ["total"]) + [value(total, report)])
        return table
    }

    /// Segments as they come; inside of each the largest first.
    static func ordered(_ rows: [ReportRow]) -> [ReportRow] {
        var place: [String: Int] = [:]
        for row in rows where place[row.segmentStart] == nil { place[row.segmentStart] = place.count }
        return rows.sorted { left, right in
            let (mine, theirs) = (place[left.segmentStart, default: 0], place[right.segmentStart, default: 0])
            return (mine, -left.value, left.key) < (theirs, -right.value, right.key)
        }
    }

    /// Of everything together, so that what ran at the same time counts once; a sum of rows would
    /// not say that.
    static func total(_ report: WholeReport, _ session: Session) async throws -> Int64 {
        // The union of everything would have what has no domain, too.
        guard report.grouping != .total, report.grouping != .domain else {
            return report.rows.reduce(0) { $0 + $1.value }
        }
        var params = report.params
        params.by = .total
        return try await ReportCommandFetch.whole(params, session).rows.reduce(0) { $0 + $1.value }
    }

    private static func segmentHeader(_ report: WholeReport) -> String {
        switch report.segment {
        case .hourly: "HOUR"
        case .daily: "DAY"
        case .weekly: "WEEK OF"
        }
    }

    private static func valueHeader(_ report: WholeReport) -> String {
        report.metric == .duration ? "TIME" : report.metric.rawValue.uppercased()
    }

    static func value(_ value: Int64, _ report: WholeReport) -> String {
        report.metric == .duration ? LocalTime.duration(Milliseconds(value)) : String(value)
    }

    /// What a person calls it, and its id when that says more.
    static func label(_ key: String, _ report: WholeReport) -> String {
        if report.grouping == .domain { return DomainName.readable(key) }
        return report.names[key].map { $0 == key ? key : "\($0) (\(key))" } ?? key
    }
}
