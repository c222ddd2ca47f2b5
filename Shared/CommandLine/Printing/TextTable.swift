import Contract

/// Lines of columns, as wide as their widest cell; the last column ends where it ends. A row of one cell is a
/// heading, which is in no column.
package struct TextTable {
    /// Fewer columns of a cut cell say too little to be worth a bar.
    private static let elasticMin = 10

    private var rows: [[String]] = []
    /// By row.
    private var shares: [Int: Double] = [:]
    private let elastic: Int?

    /// - Parameter elastic: the column, not the last one, whose cells are cut where a terminal has no room
    ///   for them; nil: none is.
    package init(_ header: [String], elastic: Int? = nil) {
        rows = [header]
        self.elastic = elastic
    }

    /// Cells are escaped before they are measured.
    /// - Parameter share: 0 to 1, drawn behind the row as a bar on a terminal that has room for it.
    package mutating func add(_ row: [String], share: Double? = nil) {
        if let share { shares[rows.count] = share }
        rows.append(row.map { VisibleText.escaped($0) })
    }

    var lines: [String] {
        let count = rows.map(\.count).max() ?? 0
        let widths = (0..<count).map(width)
        return rows.map { row in
            row.enumerated().map { column, cell in
                guard column < row.count - 1 else { return cell }
                return cell + String(repeating: " ", count: widths[column] - DisplayWidth.of(cell) + 2)
            }.joined()
        }
    }

    package var text: String { lines.joined(separator: "\n") }

    /// Of the cells that others follow.
    private func width(of column: Int) -> Int {
        rows.map { column < $0.count - 1 ? DisplayWidth.of($0[column]) : 0 }.max() ?? 0
    }

    /// Of the widest line that is no heading.
    private var width: Int {
        zip(rows, lines).map { $0.count > 1 ? DisplayWidth.of($1) : 0 }.max() ?? 0
    }

    /// Columns that the elastic cells may take.
    /// - Parameter isBeside: whether a bar has room, too.
    private func room(of elastic: Int, in columns: Int, isBeside: Bool) -> Int {
        columns - (width - width(of: elastic)) - (isBeside ? 2 + Bar.columnsMin : 0)
    }

    /// Whether a terminal has room for all columns and bars, where at most the elastic cells are cut.
    package func fits(_ columns: Int) -> Bool {
        guard let elastic else { return width <= columns }
        return room(of: elastic, in: columns, isBeside: true) >= min(width(of: elastic), Self.elasticMin)
    }

    /// The table with its headings and elastic cells cut for a terminal. Where there are bars, a cell takes
    /// half of the line at most, or what the longest bar leaves.
    private func cut(for columns: Int) -> TextTable {
        guard let elastic else { return self }
        let hasBars = !shares.isEmpty && fits(columns)
        let room = room(of: elastic, in: columns, isBeside: hasBars)
        let half = max(columns / 2, room - Bar.columnsMax + Bar.columnsMin)
        let cellMax = hasBars ? min(room, half) : max(room, 1)
        var table = self
        for (index, row) in rows.enumerated() {
            let (column, width) = row.count > 1 ? (elastic, cellMax) : (0, columns)
            table.rows[index][column] = DisplayWidth.cut(row[column], to: width)
        }
        return table
    }

    /// The bars of the rows that have one, and the spaces before each.
    /// - Parameter columns: of the terminal.
    func bars(columns: Int, hasBlocks: Bool = Bar.hasBlocks) -> [Int: (gap: Int, bar: String)] {
        let widths = lines.map { DisplayWidth.of($0) }
        let start = width + 2
        let room = min(columns - start, Bar.columnsMax)
        guard room >= Bar.columnsMin else { return [:] }
        return Dictionary(
            uniqueKeysWithValues: shares.map { index, share in
                (index, (start - widths[index], Bar.text(share, columns: room, hasBlocks: hasBlocks)))
            })
    }

    /// Prints it whole on any terminal.
    package func printAll() { drawn(columns: nil).forEach { Console.print($0) } }

    /// The lines in their styles.
    /// - Parameter columns: of the terminal; nil: nothing is cut, and there are no bars.
    package func drawn(columns: Int?) -> [ConsoleText] {
        let table = columns.map(cut) ?? self
        let bars = columns.map { table.bars(columns: $0) } ?? [:]
        return table.lines.enumerated().map { index, line in
            guard index > 0 else { return Console.styled(line, .bold) }
            guard let (gap, bar) = bars[index] else { return ConsoleText(line) }
            return "\(line)\(String(repeating: " ", count: gap))\(Console.styled(bar, .blue))"
        }
    }
}
