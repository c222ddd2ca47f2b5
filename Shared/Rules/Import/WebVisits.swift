import Contract
import Units

/// Visits of web pages as CSV with the columns `panelist, timestamp_ms, host` in any order; others are
/// ignored. A visit lasts until the panelist's next one, at most 300 s, and the last one does not count. Of
/// visits in the same millisecond, the last row counts. Each panelist is a device.
enum WebVisits {
    private enum Column: String, CaseIterable {
        case panelist
        case timestamp = "timestamp_ms"
        case host
    }

    private struct Visit {
        let at: Instant
        let host: String
    }

    /// Parses a whole file; throws if anything in it is invalid.
    static func parse(_ bytes: [UInt8]) throws(ImportError) -> ImportedFile {
        guard !bytes.isEmpty else {
            throw ImportError(
                .emptyFile, line: 1, expected: "the header \(CSVColumns<Column>.header)",
                found: "an empty file (0 bytes)")
        }
        try ImportError.requireUTF8(bytes)
        let result: Result<ImportedFile, ImportError> = bytes.withUnsafeBufferPointer { buffer in
            Result { () throws(ImportError) -> ImportedFile in try readVisits(buffer) }
        }
        return try result.get()
    }

    private static func readVisits(
        _ buffer: UnsafeBufferPointer<UInt8>
    ) throws(ImportError) -> ImportedFile {
        var reader = CSVReader(buffer)
        let columns = try CSVColumns<Column>(headerOf: &reader)
        var counts = ImportCounts()
        var visits: [String: [Visit]] = [:]
        var hosts: Set<String> = []
        while try reader.next() {
            try columns.requireAll(of: reader)
            counts.rows += 1
            let panelist = try columns.name(.panelist, of: reader, "panelist")
            guard !panelist.isEmpty else {
                throw ImportError(
                    .emptyName, line: reader.line, column: Column.panelist.rawValue,
                    expected: "the panelist's name", found: "nothing")
            }
            let at = try columns.instant(.timestamp, of: reader)
            // Share one string per host, because files repeat them.
            let host = try host(of: reader, columns)
            let known = hosts.insert(host).memberAfterInsert
            visits[panelist, default: []].append(Visit(at: at, host: known))
        }
        let devices = visits.sorted { $0.key < $1.key }.map {
            ImportedDevice(name: $0.key, changes: changes($0.value))
        }
        return ImportedFile(devices: devices, counts: counts)
    }

    /// The host of a row; empty for a page without one. If the field is a URL, the host of the URL.
    private static func host(
        of reader: CSVReader, _ columns: CSVColumns<Column>
    ) throws(ImportError) -> String {
        let text = try columns.name(.host, of: reader, "host")
        if text.isEmpty { return text }
        guard let host = DomainName.host(text) ?? WebAddress.host(of: text) else {
            throw ImportError(
                .notAHost, line: reader.line, column: Column.host.rawValue,
                expected: "a host such as www.example.org, or nothing", found: "'\(text)'")
        }
        return host
    }

    private static func changes(_ visits: [Visit]) -> [UsageChange] {
        // In order of rows within one millisecond.
        let order = visits.indices.sorted { (visits[$0].at, $0) < (visits[$1].at, $1) }
        var changes: [UsageChange] = []
        changes.reserveCapacity(visits.count)
        for index in order {
            let visit = visits[index]
            let isTied = changes.last?.at == visit.at
            let ordinal = isTied ? (changes.last?.ordinal ?? 0) + 1 : 0
            changes.append(UsageChange(at: visit.at, ordinal: ordinal, .visit(visit.host)))
        }
        return changes
    }
}
