/// The text alternative of a page: elements of a column are on separate lines.
package enum PlainText {
    /// The lines of `nodes`, each ended by a line feed. Empty if there is no text.
    package static func of(_ nodes: [RenderNode]) -> String {
        let lines = nodes.flatMap(lines)
        return lines.isEmpty ? "" : lines.joined(separator: "\n") + "\n"
    }

    private static func lines(_ node: RenderNode) -> [String] {
        switch node.reading {
        case .silent: return []
        case .text(let text): return split(text)
        case .lines: return node.children.flatMap(lines)
        case .joined:
            if node.tag.isEmpty && node.children.isEmpty { return split(node.text) }
            let parts = node.children.map(lines).filter { !$0.isEmpty }
            // Columns with several lines cannot share lines, so they follow each other.
            if parts.contains(where: { $0.count > 1 }) { return parts.flatMap { $0 } }
            let joined = parts.compactMap(\.first).joined(separator: " ")
            return joined.isEmpty ? [] : [joined]
        }
    }

    private static func split(_ text: String) -> [String] {
        text.split(whereSeparator: \.isNewline).map(String.init).filter { $0.contains { !$0.isWhitespace } }
    }
}
