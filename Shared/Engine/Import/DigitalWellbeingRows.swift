import Contract

/// The columns, types and rows of the log.
extension DigitalWellbeing {
    enum Column: String, CaseIterable {
        case id
        case timestamp = "timestamp_ms"
        case type, package
        case instance = "instance_id"

        static var header: String { allCases.map(\.rawValue).joined(separator: ",") }
    }

    /// Where each column lies in this file.
    struct Columns {
        let positions: [Column: Int]
        let count: Int

        init(headerOf reader: inout CSVReader) throws(ImportError) {
            guard try reader.next() else {
                throw ImportError(
                    .missingColumn, line: 1, expected: "the header \(Column.header)",
                    found: "only blank lines")
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

        /// The column at the end of each line; nil: one that means nothing here.
        var last: Column? { positions.first { $0.value == count - 1 }?.key }

        func field(_ column: Column, of reader: CSVReader) -> CSVReader.Field {
            // `init` leaves no column without a position, and `Row` checks that the row has all fields.
            reader.fields[positions[column, default: 0]]
        }
    }

    /// Refuses a last line without an end whose last field is only how the field of other rows begins (an
    /// instance: of the same package) and equals none: a download that broke off there would otherwise leave
    /// an app open that nothing closes.
    static func requireUncut(
        _ row: Row, among others: ArraySlice<Row>, lastColumn: Column?, line: Int
    ) throws(ImportError) {
        let text: String
        let whole: (Row) -> String?
        switch lastColumn {
        case .instance:
            text = String(row.instance)
            whole = { $0.package == row.package ? String($0.instance) : nil }
        case .package:
            text = row.package
            whole = { $0.package }
        default: return
        }
        var longer: String?
        for value in others.lazy.compactMap(whole) where value.hasPrefix(text) {
            if value == text { return }
            longer = value
        }
        guard let longer else { return }
        throw ImportError(
            .truncated, line: line, column: lastColumn?.rawValue,
            expected: "the line's end, or a value as '\(longer)' before",
            found: "'\(text)' and the end of the file")
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
            guard package.utf8.count <= Limits.nameBytesMax else {
                throw ImportError(
                    .outOfRange, line: line, column: Column.package.rawValue,
                    expected: "a package name of at most \(Limits.nameBytesMax) bytes", found: "'\(package)'")
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
            let problem: ImportError.Problem =
                if case .notANumber = number { .notANumber } else { .outOfRange }
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
