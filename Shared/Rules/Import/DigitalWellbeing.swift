import Units

/// Android's Digital Wellbeing event log as CSV with the columns `id, timestamp_ms, type, package,
/// instance_id` in any order; others are ignored. A row is identified by its content; the order of rows is
/// irrelevant.
package enum DigitalWellbeing {
    /// A parsed log.
    package struct Log: Hashable, Sendable {
        /// Sorted, without duplicates; `ordinal` is the row's id except as in ``numbered(_:)``.
        package let changes: [UsageChange]
        /// Numbers of rows by what became of them.
        package let counts: Counts
    }

    /// Numbers of rows by what became of them.
    package struct Counts: Hashable, Sendable {
        /// All rows below the header, including skipped and repeated ones.
        package var rows = 0
        /// Rows that are equal to an earlier one in every column.
        package var repeated = 0
        /// Imported rows by meaning: `opened`, `closed`, `reset`, `unlocked`, `notification`.
        package var taken: [String: Int] = [:]
        /// Rows of types that do not describe use, by type number.
        package var skipped: [Int64: Int] = [:]
    }

    /// Parses a whole file; throws if anything in it is invalid. A last line without a line end is accepted
    /// if it is complete as far as can be determined: see ``requireUncut(_:among:lastColumn:line:)``. A file
    /// with only a header is an empty log.
    package static func parse(_ bytes: [UInt8]) throws(ImportError) -> Log {
        guard !bytes.isEmpty else {
            throw ImportError(
                .emptyFile, line: 1, expected: "the header \(Columns.header)",
                found: "an empty file (0 bytes)"
            )
        }
        try ImportError.requireUTF8(bytes)
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
        return Log(changes: numbered(changes), counts: counts)
    }

    /// Numbers unlocks and notifications within their millisecond, unlocks before everything else. They are
    /// then the same in an export with other row ids, and are not counted twice.
    private static func numbered(_ changes: [UsageChange]) -> [UsageChange] {
        var times: [UsageChange.Kind: Int64] = [:]
        var present = Instant.min
        let numbered = changes.map { change in
            if change.at != present { times.removeAll(keepingCapacity: true) }
            present = change.at
            switch change.kind {
            case .unlocked, .notification:
                let number = times[change.kind, default: 0]
                times[change.kind] = number + 1
                return UsageChange(at: change.at, ordinal: number, change.kind)
            default: return change
            }
        }
        return numbered.sorted()
    }
}
