import Contract

/// Lines of columns, as wide as their widest cell; the last column ends where it ends.
package struct TextTable {
    private var rows: [[String]] = []
    /// By row.
    private var shares: [Int: Double] = [:]

    package init(_ header: [String]) { rows = [header] }

    /// Cells are escaped before they are measured.
    /// - Parameter share: 0 to 1, drawn behind the row as a bar on a terminal that has room for it.
    package mutating func add(_ row: [String], share: Double? = nil) {
        if let share { shares[rows.count] = share }
        rows.append(row.map { VisibleText.escaped($0) })
    }

    var lines: [String] {
        let count = rows.map(\.count).max() ?? 0
        let widths = (0..<count).map { column in
            rows.map { column < $0.count ? DisplayWidth.of($0[column]) : 0 }.max() ?? 0
        }
        return rows.map { row in
            row.enumerated().map { column, cell in
                guard column < row.count - 1 else { return cell }
                return cell + String(repeating: " ", count: widths[column] - DisplayWidth.of(cell) + 2)
            }.joined()
        }
    }

    package var text: String { lines.joined(separator: "\n") }

    /// The bars of the rows that have one, and the spaces before each.
    /// - Parameter columns: of the terminal.
    func bars(columns: Int, hasBlocks: Bool = Bar.hasBlocks) -> [Int: (gap: Int, bar: String)] {
        let widths = lines.map { DisplayWidth.of($0) }
        let start = (widths.max() ?? 0) + 2
        let room = min(columns - start, Bar.columnsMax)
        guard room >= Bar.columnsMin else { return [:] }
        return Dictionary(
            uniqueKeysWithValues: shares.map { index, share in
                (index, (start - widths[index], Bar.text(share, columns: room, hasBlocks: hasBlocks)))
            })
    }

    package func printAll() {
        drawn(columns: Console.isTerminal ? Console.columns : nil).forEach { Console.print($0) }
    }

    /// The lines in their styles.
    /// - Parameter columns: of the terminal; nil: no bars.
    package func drawn(columns: Int?) -> [ConsoleText] {
        let bars = columns.map { self.bars(columns: $0) } ?? [:]
        return lines.enumerated().map { index, line in
            guard index > 0 else { return Console.styled(line, .bold) }
            guard let (gap, bar) = bars[index] else { return ConsoleText(line) }
            return "\(line)\(String(repeating: " ", count: gap))\(Console.styled(bar, .blue))"
        }
    }
}
