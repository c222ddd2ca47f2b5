import Contract
import Rules

/// As many segments as fit into one answer, and the names of their keys.
struct ReportPage {
    private(set) var rows: [ReportRow] = []
    private(set) var table: ReportTable?
    /// Sorted by key.
    private(set) var names: [ReportName] = []
    /// The first segment of the next page, relative to this one; nil if this is the last page.
    private(set) var next: Int64?

    /// - cells: sorted.
    /// - mayCut: if false, too many rows are an error, so that no caller mistakes a part for the whole.
    /// - name: a person's name for a key.
    /// - Throws: `limitExceeded`; what `name` throws.
    init(
        _ cells: ReportCells, _ labels: [String], asTable: Bool, mayCut: Bool,
        name: (String) throws -> String?
    ) throws {
        let known = try cells.keys.map(name)
        let keyBytes = zip(cells.keys, known).map { key, name in
            ReportBytes.key(key) + (name.map { ReportBytes.name(key, $0) } ?? 0)
        }
        var bytes = 0
        var isUsed = Array(repeating: false, count: cells.keys.count)
        var end = 0
        while end < cells.segments.count {
            for cell in cells.segments[end] {
                bytes += asTable ? ReportBytes.cell : ReportBytes.row(labels[end], cells.keys[cell.key])
                if !isUsed[cell.key] { bytes += keyBytes[cell.key] }
                isUsed[cell.key] = true
            }
            if asTable { bytes += ReportBytes.segment(labels[end]) }
            if bytes > ReportLimits.answerBytesMax { break }
            end += 1
        }
        if end < cells.segments.count {
            guard mayCut, end > 0 else { throw ReportBytes.tooMuch(cells.count, mayCut: mayCut) }
            next = Int64(end)
        }
        let shown = Set(cells.segments[..<end].joined().map(\.key)).sorted()
        if asTable {
            table = Self.table(cells, shown, labels, end)
        } else {
            rows = Self.rows(cells, labels, end)
        }
        names = shown.compactMap { key in
            known[key].map { ReportName(key: cells.keys[key], name: $0) }
        }
    }

    private static func rows(_ cells: ReportCells, _ labels: [String], _ end: Int) -> [ReportRow] {
        var rows: [ReportRow] = []
        for segment in 0..<end {
            for cell in cells.segments[segment] {
                rows.append(
                    ReportRow(
                        segmentStart: labels[segment], key: cells.keys[cell.key], value: cell.value))
            }
        }
        return rows
    }

    private static func table(
        _ cells: ReportCells, _ shown: [Int], _ labels: [String], _ end: Int
    ) -> ReportTable {
        var table = ReportTable(keys: shown.map { cells.keys[$0] })
        var places = Array(repeating: Int64(0), count: cells.keys.count)
        for (place, key) in shown.enumerated() { places[key] = Int64(place) }
        for segment in 0..<end where !cells.segments[segment].isEmpty {
            var flat: [Int64] = []
            flat.reserveCapacity(cells.segments[segment].count * 2)
            for cell in cells.segments[segment] {
                flat.append(places[cell.key])
                flat.append(cell.value)
            }
            table.segments.append(ReportTableSegment(segmentStart: labels[segment], cells: flat))
        }
        return table
    }
}

/// Upper bounds for the bytes of parts of an answer, without escapes.
enum ReportBytes {
    /// Index of a key, its value, two commas.
    static let cell = 24

    static func row(_ label: String, _ key: String) -> Int {
        // {"segment_start":"","key":"","value":}, and a number.
        58 + label.utf8.count + key.utf8.count
    }

    /// {"segment_start":"","cells":[]},
    static func segment(_ label: String) -> Int { 34 + label.utf8.count }
    static func key(_ key: String) -> Int { 3 + key.utf8.count }
    /// {"key":"","name":""},
    static func name(_ key: String, _ name: String) -> Int { 24 + key.utf8.count + name.utf8.count }

    static func tooMuch(_ rows: Int, mayCut: Bool) -> ServiceError {
        ServiceError(
            .limitExceeded,
            "\(rows) rows are more than the answerBytesMax of \(ReportLimits.answerBytesMax) bytes",
            remedy: mayCut
                ? "Request one device, or group by category."
                : "Request page 0 and follow next_page, or request fewer days.")
    }
}
