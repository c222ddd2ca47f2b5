import Contract
import JSON
import Rules

/// As many segments as fit into one answer, and the names of their keys.
struct ReportPage {
    private let asTable: Bool
    private let mayCut: Bool
    /// Of each segment.
    private let labels: [String]
    private(set) var keys = ReportKeys()
    /// The first segment of the next page, relative to this one; nil if everything fits.
    private(set) var next: Int?
    /// Number of all cells, also of those that do not fit.
    private(set) var count = 0
    /// The cells of all segments, one after the other.
    private var cells: [ReportCell] = []
    /// The end of each segment among the cells.
    private var ends: [Int] = []
    /// Upper bound of its size without escapes.
    private(set) var bytes = 0
    /// By key: bytes of its text; and whether the page has it.
    private var keyBytes: [Int] = []
    private var isUsed: [Bool] = []
    private var zeros: [Int64] = []

    /// - mayCut: if false, too many rows are an error, so that no caller mistakes a part for the whole.
    init(_ labels: [String], asTable: Bool, mayCut: Bool) {
        self.labels = labels
        self.asTable = asTable
        self.mayCut = mayCut
    }

    var isEmpty: Bool { count == 0 }

    /// Whether it is certain that this is too much for an answer.
    var isTooMuch: Bool { next != nil && (!mayCut || next == 0) }

    /// The field of the answer that has the cells.
    var field: StaticString { asTable ? "table" : "rows" }

    /// Adds the next segment.
    /// - Parameters:
    ///   - index: of the segment.
    ///   - areUnique: whether no key occurs twice among its cells.
    ///   - find: adds its cells.
    mutating func add(
        _ index: Int, areUnique: Bool, _ find: (inout [ReportCell], inout ReportKeys) throws -> Void
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
            let before = bytes
            weigh(labels[index], cells[start...])
            if bytes > ReportLimits.answerBytesMax { (next, bytes) = (index, before) }
        }
        if next == nil { ends.append(cells.count) } else { cells.removeLast(cells.count - start) }
    }

    private mutating func weigh(_ label: String, _ added: ArraySlice<ReportCell>) {
        while isUsed.count < keys.all.count {
            keyBytes.append(keys.all[isUsed.count].text.utf8.count)
            isUsed.append(false)
        }
        let row = ReportBytes.row(label)
        for cell in added {
            bytes += asTable ? ReportBytes.cell : row + keyBytes[cell.key]
            if isUsed[cell.key] { continue }
            isUsed[cell.key] = true
            let key = keys.all[cell.key]
            bytes += ReportBytes.key(key.text) + (key.name.map { ReportBytes.name(key.text, $0) } ?? 0)
        }
        if asTable { bytes += ReportBytes.segment(label) }
    }

    private mutating func growZeros() { while zeros.count < keys.all.count { zeros.append(0) } }

    /// - Throws: `limitExceeded`
    func check() throws(ServiceError) {
        guard isTooMuch else { return }
        throw ReportBytes.tooMuch(count, mayCut: mayCut, bytesMax: ReportLimits.answerBytesMax)
    }

    /// Places of the keys in it, sorted by text.
    private var shown: [Int] {
        var isShown = Array(repeating: false, count: keys.all.count)
        for cell in cells { isShown[cell.key] = true }
        return isShown.indices.filter { isShown[$0] }.sorted { keys.all[$0].text < keys.all[$1].text }
    }

    /// Known names of its keys, sorted by key; nil if there are none.
    var names: [ReportName]? {
        let names = shown.compactMap { place in
            keys.all[place].name.map { ReportName(key: keys.all[place].text, name: $0) }
        }
        return names.isEmpty ? nil : names
    }

    /// Writes the rows or the table.
    func write(_ writer: inout JSONWriter) {
        if asTable { writeTable(&writer) } else { writeRows(&writer) }
    }

    /// Calls `body` for each segment that is not empty, with its cells sorted; their keys are places in
    /// `shown`.
    private func eachSegment(_ shown: [Int], _ body: (Int, [ReportCell]) -> Void) {
        var ranks = Array(repeating: 0, count: keys.all.count)
        for (rank, key) in shown.enumerated() { ranks[key] = rank }
        var zeros = Array(repeating: Int64(0), count: shown.count)
        var sorted: [ReportCell] = []
        var start = 0
        for (segment, end) in ends.enumerated() where start < end {
            cells.sorted(start..<end, by: ranks, &zeros, &sorted)
            body(segment, sorted)
            start = end
        }
    }

    /// As `[ReportRow]`.
    private func writeRows(_ writer: inout JSONWriter) {
        let shown = shown
        var parts = PreparedParts()
        for key in shown { parts.add("\"key\":\(keys.all[key].text.json),\"value\":".utf8) }
        var start = Array("{\"segment_start\":\"".utf8)
        let before = start.count
        writer.beginArray()
        eachSegment(shown) { segment, cells in
            // Labels need no escapes.
            start.removeLast(start.count - before)
            start += labels[segment].utf8
            start += "\",".utf8
            let fixed = start.count + PreparedOutput.integerBytesMax + 2
            let count = cells.reduce(0) { $0 + fixed + parts.count(of: $1.key) }
            start.withUnsafeBytes { start in
                parts.lend { parts in
                    writer.prepared(count) { out in
                        for (index, cell) in cells.enumerated() {
                            if index > 0 { out.add(UInt8(ascii: ",")) }
                            out.add(start)
                            out.add(cell.key, of: parts)
                            out.add(cell.value)
                            out.add(UInt8(ascii: "}"))
                        }
                    }
                }
            }
        }
        writer.endArray()
    }

    /// As `ReportTable`.
    private func writeTable(_ writer: inout JSONWriter) {
        let shown = shown
        writer.beginObject()
        writer.key("keys")
        shown.map { keys.all[$0].text }.write(&writer)
        writer.key("segments")
        writer.beginArray()
        eachSegment(shown) { segment, cells in
            writer.beginObject()
            writer.key("segment_start")
            writer.string(labels[segment])
            writer.key("cells")
            writer.beginArray()
            writer.prepared(cells.count * (PreparedOutput.integerBytesMax + 1) * 2) { out in
                for (index, cell) in cells.enumerated() {
                    if index > 0 { out.add(UInt8(ascii: ",")) }
                    out.add(Int64(cell.key))
                    out.add(UInt8(ascii: ","))
                    out.add(cell.value)
                }
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

    static func tooMuch(_ rows: Int, mayCut: Bool, bytesMax: Int) -> ServiceError {
        guard bytesMax == ReportLimits.answerBytesMax else {
            return ServiceError(
                .limitExceeded, "this is more use than the report of an app can have at once",
                remedy: "Choose a shorter time, longer segments, or one device.")
        }
        return ServiceError(
            .limitExceeded, "\(rows) rows are more than the answerBytesMax of \(bytesMax) bytes",
            remedy: mayCut
                ? "Request one device, or group by category."
                : "Request page 0 and follow next_page, or request fewer days.")
    }
}
