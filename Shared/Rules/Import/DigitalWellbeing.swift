import Units

/// Android's Digital Wellbeing event log as CSV: `id, timestamp_ms, type, package, instance_id` in any order,
/// further columns ignored. A row's identity is its whole content; the order of the rows means nothing.
package enum DigitalWellbeing {
    package struct Log: Hashable, Sendable {
        /// Sorted; `ordinal` is the row's id, but see ``numbered(_:)``. Repeated rows come once.
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

    /// All or nothing. A last line without an end is taken if it is whole as far as can be seen: see
    /// ``requireUncut(_:among:lastColumn:line:)``. Header only is an empty log.
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

    /// Unlocks and notifications are numbered by how often they come in one millisecond, and an unlock comes
    /// before what else happened in it: so they are the same in an export with other row ids, and nothing
    /// counts them twice.
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
