import Contract
import Engine

/// As many rows as fit into one answer, cut between two segments, and the names of their keys.
struct ReportPage {
    private(set) var rows: [ReportRow] = []
    /// Sorted by key.
    private(set) var names: [ReportName] = []
    /// The segment where the next page begins, counted from the first of this one; nil: this is the last.
    private(set) var next: Int64?

    /// - mayCut: false makes too many rows an error, so that nobody takes a part for the whole.
    /// - Throws: `limitExceeded`; what `name` throws.
    init(
        _ all: [TotalRow], _ range: ReportRange, mayCut: Bool, name: (String) throws -> String?
    ) throws {
        var bytes = 0
        var known: [String: String?] = [:]
        for row in all {
            if known[row.key] == nil {
                let name = try name(row.key)
                known[row.key] = .some(name)
                // {"key":"","name":""},
                bytes += name.map { 24 + row.key.utf8.count + $0.utf8.count } ?? 0
            }
            // {"segment_start":"","key":"","value":}, and a number.
            bytes += 58 + range.labels[row.segment].utf8.count + row.key.utf8.count
            guard bytes <= ReportLimits.answerBytesMax else {
                try cut(before: row.segment, of: all, mayCut: mayCut)
                break
            }
            rows.append(ReportRow(segmentStart: range.labels[row.segment], key: row.key, value: row.value))
        }
        names = Set(rows.map(\.key)).sorted().compactMap { key in
            known[key].flatMap { $0 }.map { ReportName(key: key, name: $0) }
        }
    }

    private mutating func cut(before segment: Int, of all: [TotalRow], mayCut: Bool) throws(ServiceError) {
        let kept = all.firstIndex { $0.segment == segment } ?? 0
        guard mayCut, kept > 0 else {
            throw ServiceError(
                .limitExceeded,
                "\(all.count) rows are more than the answerBytesMax of \(ReportLimits.answerBytesMax) bytes",
                remedy: mayCut
                    ? "Ask for one device, or by category."
                    : "Ask with page 0 and follow next_page, or for fewer days.")
        }
        rows.removeSubrange(kept...)
        next = Int64(segment)
    }
}
