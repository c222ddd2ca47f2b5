import Units

/// Positions of the columns a format needs in one file, found by the names in its header.
struct CSVColumns<Name: RawRepresentable & CaseIterable & Hashable> where Name.RawValue == String {
    private let positions: [Name: Int]
    /// Number of all columns, including ignored ones.
    let count: Int

    static var header: String { Name.allCases.map(\.rawValue).joined(separator: ",") }

    init(headerOf reader: inout CSVReader) throws(ImportError) {
        guard try reader.next() else {
            throw ImportError(
                .missingColumn, line: 1, expected: "the header \(Self.header)", found: "only blank lines")
        }
        let names = reader.fields.map(reader.text)
        var positions: [Name: Int] = [:]
        for (position, name) in names.enumerated() {
            guard let column = Name(rawValue: name) else { continue }
            guard positions.updateValue(position, forKey: column) == nil else {
                throw ImportError(
                    .repeatedColumn, line: reader.line, column: name, expected: "each column once",
                    found: "it again in column \(position + 1)")
            }
        }
        for column in Name.allCases where positions[column] == nil {
            throw ImportError(
                .missingColumn, line: reader.line, column: column.rawValue,
                expected: "the header \(Self.header)", found: "'\(names.joined(separator: ","))'")
        }
        self.positions = positions
        count = names.count
    }

    /// The last column of each line; nil if it is ignored.
    var last: Name? { positions.first { $0.value == count - 1 }?.key }

    /// Checks that a row has all columns.
    /// - Throws: `fieldCount`, or `truncated` at the end of the file.
    func requireAll(of reader: CSVReader) throws(ImportError) {
        guard reader.fields.count != count else { return }
        let isCut = reader.isUnterminated && reader.fields.count < count
        throw ImportError(
            isCut ? .truncated : .fieldCount, line: reader.line, expected: "\(count) fields",
            found: "\(reader.fields.count)" + (isCut ? " and the end of the file" : ""))
    }

    /// The field of a column. The row must have passed `requireAll`; `init` gives every column a position.
    func field(_ column: Name, of reader: CSVReader) -> CSVReader.Field {
        reader.fields[positions[column, default: 0]]
    }

    func text(_ column: Name, of reader: CSVReader) -> String { reader.text(field(column, of: reader)) }

    /// The field as a name, checked by ``ImportName``.
    func name(_ column: Name, of reader: CSVReader, _ what: String) throws(ImportError) -> String {
        let text = text(column, of: reader)
        try ImportName.check(text, what, line: reader.line, column: column.rawValue)
        return text
    }

    /// The field as an instant in UTC milliseconds.
    func instant(_ column: Name, of reader: CSVReader) throws(ImportError) -> Instant {
        Instant(milliseconds: try integer(column, of: reader, 0...latestStamp.milliseconds))
    }

    func integer(
        _ column: Name, of reader: CSVReader, _ range: ClosedRange<Int64> = .min ... .max
    ) throws(ImportError) -> Int64 {
        let field = field(column, of: reader)
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
}
