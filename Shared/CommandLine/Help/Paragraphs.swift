/// Text for a person, broken into lines of a width.
package enum Paragraphs {
    /// The blocks of a text. An empty line ends a section. Lines that begin with a space are an example,
    /// which stays as it is, or a list: terms, each with two spaces before what it means.
    enum Block: Equatable {
        case paragraph(String)
        case example([String])
        case list([Item])
    }

    struct Item: Equatable {
        var term: String
        var text: String
    }

    static func sections(_ text: String) -> [[Block]] {
        let lines = text.split(separator: "\n", omittingEmptySubsequences: false).map(String.init)
        return lines.split(whereSeparator: \.isEmpty).map { section in
            var blocks: [Block] = []
            for line in section { add(line, to: &blocks) }
            return blocks
        }
    }

    private static func add(_ line: String, to blocks: inout [Block]) {
        let end = blocks.count - 1
        let item = item(line)
        switch blocks.last {
        case .paragraph(let text) where !line.hasPrefix(" "): blocks[end] = .paragraph("\(text) \(line)")
        case .list(let items) where line.hasPrefix(" "):
            if let item {
                blocks[end] = .list(items + [item])
            } else {
                var items = items
                items[items.count - 1].text += " " + line.drop { $0 == " " }
                blocks[end] = .list(items)
            }
        case .example(let lines) where line.hasPrefix(" "): blocks[end] = .example(lines + [line])
        default:
            if let item { blocks.append(.list([item])) } else {
                blocks.append(line.hasPrefix(" ") ? .example([line]) : .paragraph(line))
            }
        }
    }

    /// A term and its meaning. A line that is indented further than a term continues the one before.
    private static func item(_ line: String) -> Item? {
        let indent = line.prefix { $0 == " " }.count
        let rest = line.dropFirst(indent)
        guard (1...4).contains(indent), let gap = rest.firstRange(of: "  ") else { return nil }
        return Item(
            term: String(rest[..<gap.lowerBound]), text: String(rest[gap.upperBound...].drop { $0 == " " }))
    }

    /// Lines of at most `width` columns; a word that is longer has a line of its own.
    /// - Parameters:
    ///   - first: columns that are taken on the first line.
    ///   - indent: of every further line.
    package static func wrapped(_ text: String, width: Int, first: Int = 0, indent: Int = 0) -> [String] {
        var lines: [String] = []
        var line = ""
        var columns = first
        for word in text.split(separator: " ").map(String.init) {
            let wide = DisplayWidth.of(word)
            if !line.isEmpty, columns + 1 + wide > width {
                lines.append(line)
                line = String(repeating: " ", count: indent) + word
                columns = indent + wide
            } else {
                columns += wide + (line.isEmpty ? 0 : 1)
                line += line.isEmpty ? word : " " + word
            }
        }
        return lines + [line]
    }

    /// All blocks, filled, with an empty line between sections.
    static func filled(_ text: String, width: Int) -> [String] {
        let sections = sections(text).map { section in
            section.flatMap { block in
                switch block {
                case .paragraph(let text): wrapped(text, width: width)
                case .example(let lines): lines
                case .list(let items): columns(items.map { ("  " + $0.term, $0.text) }, width: width)
                }
            }
        }
        return Array(sections.joined(separator: [""]))
    }

    /// Two columns. What does not fit into the left one has a line of its own.
    static func columns(_ rows: [(left: String, right: String)], width: Int) -> [String] {
        let widest = rows.map { DisplayWidth.of($0.left) }.max() ?? 0
        let indent = min(widest + 2, max(26, width * 2 / 5))
        return rows.flatMap { row -> [String] in
            let left = DisplayWidth.of(row.left)
            let fits = left + 2 <= indent
            let gap = String(repeating: " ", count: fits ? indent - left : indent)
            let right = wrapped(row.right, width: width, first: indent, indent: indent)
            let first = gap + (right.first ?? "")
            return (fits ? [row.left + first] : [row.left, first]) + right.dropFirst()
        }
    }
}
