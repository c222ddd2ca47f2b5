import Contract
import JSON
import Rules

/// A report as comma-separated values: a header, then a line per row.
enum ReportCommandCSV {
    static func lines(_ report: WholeReport) -> [String] {
        let header = ["segment_start", report.grouping.rawValue, report.valueColumn].joined(separator: ",")
        return [header]
            + report.rows.map { row in
                "\(UsageTables.csvField(row.segmentStart)),\(UsageTables.csvField(row.key)),\(row.value)"
            }
    }
}

/// A report as a JSON array of rows, with the names of the csv columns.
enum ReportCommandJSON {
    static func rows(_ report: WholeReport) -> [UInt8] {
        var writer = JSONWriter(capacity: report.rows.count * 96 + 16)
        writer.beginArray()
        for row in report.rows {
            writer.beginObject()
            writer.key("segment_start")
            writer.string(row.segmentStart)
            writer.key(report.grouping.rawValue)
            writer.string(row.key)
            writer.key(report.valueColumn)
            writer.integer(row.value)
            writer.endObject()
        }
        writer.endArray()
        return writer.bytes
    }
}
