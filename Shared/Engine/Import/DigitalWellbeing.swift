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

    /// All or nothing. A last line without an end is taken if it is whole: whether its last field was cut cannot
    /// be seen. Header only is an empty log.
    package static func parse(_ bytes: [UInt8]) throws(ImportError) -> Log {
        guard !bytes.isEmpty else {
            throw ImportError(
                .emptyFile, line: 1, expected: "the header \(Column.header)", found: "an empty file (0 bytes)")
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
            if let known = names[row.package] { row.package = known } else { names[row.package] = row.package }
            rows.append(row)
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

extension DigitalWellbeing {
    enum Column: String, CaseIterable {
        case id, timestamp = "timestamp_ms", type, package, instance = "instance_id"

        static var header: String { allCases.map(\.rawValue).joined(separator: ",") }
    }

    /// Where each column lies in this file.
    struct Columns {
        let positions: [Column: Int]
        let count: Int

        init(headerOf reader: inout CSVReader) throws(ImportError) {
            guard try reader.next() else {
                throw ImportError(
                    .missingColumn, line: 1, expected: "the header \(Column.header)", found: "only blank lines")
            }
            let names = reader.fields.map(reader.text)
            var positions: [Column: Int] = [:]
            for (position, name) in names.enumerated() {
                guard let column = Column(rawValue: name) else { continue }
                guard positions.updateValue(position, forKey: column) == nil else {
                    throw ImportError(
                        .repeatedColumn, line: reader.line, column: name, expected: "each column once",
                        found: "it again as column \(position + 1)")
                }
            }
            for column in Column.allCases where positions[column] == nil {
                throw ImportError(
                    .missingColumn, line: reader.line, column: column.rawValue,
                    expected: "the header \(Column.header)", found: "'\(names.joined(separator: ","))'")
            }
            self.positions = positions
            count = names.count
        }

        func field(_ column: Column, of reader: CSVReader) -> CSVReader.Field {
            // `init` leaves no column without a position, and `Row` checks that the row has all fields.
            reader.fields[positions[column, default: 0]]
        }
    }

    enum Meaning: String {
        case opened, closed, reset, unlocked, notification

        /// Android's UsageEvents types; `nil` for those that say nothing about use.
        init?(type: Int64) {
            switch type {
            case 1: self = .opened
            case 2, 23: self = .closed
            case 26, 27: self = .reset
            case 18: self = .unlocked
            case 12: self = .notification
            default: return nil
            }
        }

        var needsPackage: Bool { self == .opened || self == .closed || self == .notification }
    }

    struct Row: Equatable {
        let id: Int64
        let at_ms: Int64
        let type: Int64
        var package: String
        let instance: Int64

        var meaning: Meaning? { Meaning(type: type) }
        var key: (Int64, Int64, Int64, String, Int64) { (at_ms, id, type, package, instance) }

        init(_ reader: CSVReader, _ columns: Columns) throws(ImportError) {
            guard reader.fields.count == columns.count else { throw Self.wrongCount(reader, columns) }
            id = try Self.integer(.id, reader, columns)
            at_ms = try Self.integer(.timestamp, reader, columns, 0...latestStamp_ms)
            type = try Self.integer(.type, reader, columns, 0...Int64(Int32.max))
            instance = try Self.integer(.instance, reader, columns)
            package = reader.text(columns.field(.package, of: reader))
            guard let meaning else { return }
            try Self.check(package, meaning, line: reader.line)
        }

        func change(_ meaning: Meaning) -> UsageChange {
            let subject = Subject.app(package)
            let kind: UsageChange.Kind =
                switch meaning {
                case .opened: .opened(subject, instance: instance)
                case .closed: .closed(subject, instance: instance)
                case .reset: .reset
                case .unlocked: .unlocked
                case .notification: .notification(subject)
                }
            return UsageChange(at_ms: at_ms, ordinal: id, kind)
        }

        private static func check(_ package: String, _ meaning: Meaning, line: Int) throws(ImportError) {
            if package.isEmpty && meaning.needsPackage {
                throw ImportError(
                    .emptyName, line: line, column: Column.package.rawValue,
                    expected: "the name of the package that was \(meaning.rawValue)", found: "nothing")
            }
            if package.utf8.contains(where: { $0 < 0x20 || $0 == 0x7f }) {
                throw ImportError(
                    .controlCharacter, line: line, column: Column.package.rawValue,
                    expected: "a package name without control characters", found: "'\(package)'")
            }
        }

        private static func integer(
            _ column: Column, _ reader: CSVReader, _ columns: Columns,
            _ range: ClosedRange<Int64> = .min ... .max
        ) throws(ImportError) -> Int64 {
            let field = columns.field(column, of: reader)
            let number = reader.integer(field)
            if case .value(let value) = number, range.contains(value) { return value }
            let problem: ImportError.Problem = if case .notANumber = number { .notANumber } else { .outOfRange }
            let text = reader.text(field)
            let isCut = reader.isUnterminated && text.isEmpty
            throw ImportError(
                isCut ? .truncated : problem, line: reader.line, column: column.rawValue,
                expected: "a whole number from \(range.lowerBound) to \(range.upperBound)",
                found: isCut ? "the end of the file" : "'\(text)'")
        }

        private static func wrongCount(_ reader: CSVReader, _ columns: Columns) -> ImportError {
            let isCut = reader.isUnterminated && reader.fields.count < columns.count
            return ImportError(
                isCut ? .truncated : .fieldCount, line: reader.line, expected: "\(columns.count) fields",
                found: "\(reader.fields.count)" + (isCut ? " and the end of the file" : ""))
        }
    }
}
