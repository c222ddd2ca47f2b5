/// Android's Digital Wellbeing event log as CSV: `id, timestamp_ms, type, package, instance_id` in any order,
/// further columns ignored. A row's identity is its whole content; the order of the rows means nothing.
package enum DigitalWellbeing {
    package struct Log: Hashable, Sendable {
        /// Sorted; `ordinal` is the row's id. Repeated rows come once.
        package let changes: [UsageChange]
        package let counts: Counts
    }

    package struct Counts: Hashable, Sendable {
        /// All rows under the header, those skipped or repeated too.
        package var rows = 0
        /// Rows equal in every column to one before.
        package var repeated = 0
        /// Rows taken, by what they mean: `opened`, `closed`, `reset`, `unlocked`, `notification`.
        package var taken: [String: Int] = [:]
        /// Rows of types that say nothing about use, by the type's number.
        package var skipped: [Int64: Int] = [:]
    }

    /// The year 9999's last millisecond: a stamp beyond it is not a time.
    static let latestStamp_ms: Int64 = 253_402_300_799_999

    /// All or nothing. A last line without an end is taken if it is whole as far as can be seen: see
    /// ``requireUncut(_:among:lastColumn:line:)``. Header only is an empty log.
    package static func parse(_ bytes: [UInt8]) throws(ImportError) -> Log {
        guard !bytes.isEmpty else {
            throw ImportError(
                .emptyFile, line: 1, expected: "the header \(Column.header)", found: "an empty file (0 bytes)"
            )
        }
        try requireUTF8(bytes)
        let result: Result<Log, ImportError> = bytes.withUnsafeBufferPointer { buffer in
            Result { () throws(ImportError) -> Log in try readLog(buffer) }
        }
        return try result.get()
    }

    private static func readLog(_ buffer: UnsafeBufferPointer<UInt8>) throws(ImportError) -> Log {
        var reader = CSVReader(buffer)
        let columns = try Columns(headerOf: &reader)
        var counts = Counts()
        var names: [String: String] = [:]
        var rows: [Row] = []
        while try reader.next() {
            var row = try Row(reader, columns)
            counts.rows += 1
            guard row.meaning != nil else {
                counts.skipped[row.type, default: 0] += 1
                continue
            }
            if let known = names[row.package] {
                row.package = known
            } else {
                names[row.package] = row.package
            }
            rows.append(row)
            if reader.isUnterminated {
                try requireUncut(row, among: rows.dropLast(), lastColumn: columns.last, line: reader.line)
            }
        }
        rows.sort { $0.key < $1.key }
        var changes: [UsageChange] = []
        changes.reserveCapacity(rows.count)
        var previous: Row?
        for row in rows {
            guard row != previous else {
                counts.repeated += 1
                continue
            }
            previous = row
            guard let meaning = row.meaning else { continue }
            counts.taken[meaning.rawValue, default: 0] += 1
            changes.append(row.change(meaning))
        }
        return Log(changes: changes, counts: counts)
    }

    private static func requireUTF8(_ bytes: [UInt8]) throws(ImportError) {
        guard String(validating: bytes, as: UTF8.self) == nil else { return }
        var line = 1
        for row in bytes.split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false) {
            guard String(validating: row, as: UTF8.self) != nil else {
                let shown = String(decoding: row, as: UTF8.self)
                throw ImportError(.notUTF8, line: line, expected: "text in UTF-8", found: "'\(shown)'")
            }
            line += 1
        }
    }
}
