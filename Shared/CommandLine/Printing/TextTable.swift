import Contract

/// Lines of columns, as wide as their widest cell; the last column ends where it ends.
package struct TextTable {
    private var rows: [[String]] = []

    package init(_ header: [String]) { rows = [header] }

    /// Cells are escaped before they are measured.
    package mutating func add(_ row: [String]) { rows.append(row.map { VisibleText.escaped($0) }) }

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

    package func printAll() {
        for (index, line) in lines.enumerated() {
            Console.print(index == 0 ? Console.styled(line, .bold) : ConsoleText(line))
        }
    }
}
