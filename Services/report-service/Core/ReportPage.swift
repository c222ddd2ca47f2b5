import Contract
import JSON
import Rules

/// As many segments as fit into one answer, and the names of their keys.
struct ReportPage {
    private let asTable: Bool
    private let mayCut: Bool
    private(set) var keys = ReportKeys()
    /// The first segment of the next page, relative to this one; nil if everything fits.
    private(set) var next: Int?
    /// Number of all cells, also of those that do not fit.
    private(set) var count = 0
    /// The cells of all segments, one after the other.
    private var cells: [ReportCell] = []
    /// The end of each segment among the cells.
    private var ends: [Int] = []
    /// Upper bound of its size.
    private var bytes = 0
    private var isUsed: [Bool] = []
    private var zeros: [Int64] = []

    /// - mayCut: if false, too many rows are an error, so that no caller mistakes a part for the whole.
    init(asTable: Bool, mayCut: Bool) {
        self.asTable = asTable
        self.mayCut = mayCut
    }

    var isEmpty: Bool { count == 0 }

    /// Whether it is certain that this is too much for an answer.
    var isTooMuch: Bool { next != nil && (!mayCut || next == 0) }

    /// Adds the next segment.
    /// - Parameters:
    ///   - areUnique: whether no key occurs twice among its cells.
    ///   - find: adds its cells.
    mutating func add(
        _ label: String, areUnique: Bool, _ find: (inout [ReportCell], inout ReportKeys) throws -> Void
    ) rethrows {
        let start = cells.count
        try find(&cells, &keys)
        if areUnique {
            if cells[start...].contains(where: { $0.value == 0 }) {
                cells.replaceSubrange(start..., with: cells[start...].filter { $0.value != 0 })
            }
        } else {
            growZeros()
            cells.merge(from: start, &zeros)
        }
        count += cells.count - start
        if next == nil {
            weigh(label, cells[start...])
            if bytes > ReportLimits.answerBytesMax { next = ends.count }
        }
        if next == nil { ends.append(cells.count) } else { cells.removeLast(cells.count - start) }
    }

    private mutating func weigh(_ label: String, _ added: ArraySlice<ReportCell>) {
        while isUsed.count < keys.all.count { isUsed.append(false) }
        let row = ReportBytes.row(label)
        for cell in added {
            let key = keys.all[cell.key]
            bytes += asTable ? ReportBytes.cell : row + key.text.utf8.count
            if isUsed[cell.key] { continue }
            isUsed[cell.key] = true
            bytes += ReportBytes.key(key.text) + (key.name.map { ReportBytes.name(key.text, $0) } ?? 0)
        }
        if asTable { bytes += ReportBytes.segment(label) }
    }

    private mutating func growZeros() { while zeros.count < keys.all.count { zeros.append(0) } }

    /// The content to be sent.
    /// - Throws: `limitExceeded`
    mutating func content(_ labels: [String]) throws(ServiceError) -> ReportContent {
        if isTooMuch { throw ReportBytes.tooMuch(count, mayCut: mayCut) }
        growZeros()
        var isShown = Array(repeating: false, count: keys.all.count)
        for cell in cells { isShown[cell.key] = true }
        let shown = keys.all.indices.filter { isShown[$0] }.sorted { keys.all[$0].text < keys.all[$1].text }
        var writer = JSONWriter(capacity: bytes + 1_024)
        if asTable {
            writeTable(shown, labels, &writer)
        } else {
            writeRows(labels, &writer)
        }
        let names = shown.compactMap { place in
            keys.all[place].name.map { ReportName(key: keys.all[place].text, name: $0) }
        }
        return ReportContent(
            field: asTable ? "table" : "rows", bytes: writer.finish(), names: names.isEmpty ? nil : names,
            next: next.map(Int64.init))
    }

    /// Calls `body` for each segment that is not empty, with its cells sorted by key, as ranks.
    private mutating func eachSegment(_ body: (Int, [ReportCell]) -> Void) {
        let ranks = keys.ranks
        var sorted: [ReportCell] = []
        var start = 0
        for (segment, end) in ends.enumerated() where start < end {
            cells.sorted(start..<end, by: ranks, &zeros, &sorted)
            body(segment, sorted)
            start = end
        }
    }

    /// Rows as `ReportRow` writes them: the segment, the key, the value.
    private mutating func writeRows(_ labels: [String], _ writer: inout JSONWriter) {
        let ends = keys.all.map { "\"key\":\($0.text.json),\"value\":".bytes }
        let ranked = zip(keys.ranks, ends).sorted { $0.0 < $1.0 }.map(\.1)
        let end = Array("}".utf8)
        writer.beginArray()
        eachSegment { segment, cells in
            let start = "{\"segment_start\":\(labels[segment].json),".bytes
            for cell in cells {
                writer.start(start)
                writer.resume(ranked[cell.key])
                writer.resume(cell.value)
                writer.resume(end)
            }
        }
        writer.endArray()
    }

    /// As `ReportTable` writes it.
    private mutating func writeTable(_ shown: [Int], _ labels: [String], _ writer: inout JSONWriter) {
        let ranks = keys.ranks
        var places = Array(repeating: Int64(0), count: ranks.count)
        for (place, key) in shown.enumerated() { places[ranks[key]] = Int64(place) }
        writer.beginObject()
        writer.key("keys")
        shown.map { keys.all[$0].text }.write(&writer)
        writer.key("segments")
        writer.beginArray()
        eachSegment { segment, cells in
            writer.beginObject()
            writer.key("segment_start")
            writer.string(labels[segment])
            writer.key("cells")
            writer.beginArray()
            for cell in cells {
                writer.integer(places[cell.key])
                writer.integer(cell.value)
            }
            writer.endArray()
            writer.endObject()
        }
        writer.endArray()
        writer.endObject()
    }
}

extension String {
    /// As JSON, in quotes.
    var json: String { String(decoding: encoded(), as: UTF8.self) }
    var bytes: [UInt8] { Array(utf8) }
}

/// Upper bounds for the bytes of parts of an answer, without escapes.
enum ReportBytes {
    /// Index of a key, its value, two commas.
    static let cell = 24

    /// {"segment_start":"","key":"","value":}, and a number; without the key.
    static func row(_ label: String) -> Int { 58 + label.utf8.count }
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
