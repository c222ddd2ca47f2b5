import Contract
import JSON

/// A report as comma-separated values: a header, then a line per row.
enum ReportCommandCSV {
    static func lines(_ report: WholeReport) -> [String] {
        let header = ["segment_start", report.grouping.rawValue, report.valueColumn].joined(separator: ",")
        return [header]
            + report.rows.map { row in
                "\(field(row.segmentStart)),\(field(row.key)),\(row.value)"
            }
    }

    /// RFC 4180, section 2: a field with a comma, a quote or a line break stands in quotes, its own
    /// quotes doubled.
    static func field(_ text: String) -> String {
        let needsQuotes = text.utf8.contains { $0 == 0x22 || $0 == 0x2c || $0 == 0x0a || $0 == 0x0d }
        guard needsQuotes else { return text }
        let parts = text.split(separator: "\"" as Character, omittingEmptySubsequences: false)
        return "\"" + parts.joined(separator: "\"\"") + "\""
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
