/// Writes nodes as HTML. Each style becomes a class named by its content, so equal styles are written once.
package struct HTMLWriter {
    /// The HTML written so far.
    package private(set) var html = ""
    private var classes: [Style: String] = [:]
    private var rules: [String] = []
    private static let void: Set<String> = ["input", "hr", "img", "br", "source"]

    /// Nothing is written yet.
    package init() {}

    /// Writes a node and its descendants. Attribute values and texts are escaped.
    package mutating func write(_ node: RenderNode) {
        guard !node.tag.isEmpty else {
            html += node.isMarkup ? node.text : Self.escaped(node.text)
            for child in node.children { write(child) }
            return
        }
        html += "<" + node.tag
        var names = node[attribute: "class"].map { [$0] } ?? []
        if !node.style.isEmpty { names.append(name(of: node.style)) }
        if !names.isEmpty { html += " class=\"\(names.joined(separator: " "))\"" }
        for attribute in node.attributes where attribute.name != "class" {
            html += " \(attribute.name)=\"\(Self.escaped(attribute.value))\""
        }
        if Self.void.contains(node.tag) {
            html += "/>"
            return
        }
        html += ">"
        html += Self.escaped(node.text)
        for child in node.children { write(child) }
        html += "</\(node.tag)>"
    }

    /// The rules of all classes written so far.
    package var styleSheet: String { rules.joined(separator: "\n") }

    private mutating func name(of style: Style) -> String {
        if let known = classes[style] { return known }
        let css = style.css
        let name = "s" + String(Self.hash(css), radix: 36)
        classes[style] = name
        rules.append(".\(name){\(css)}")
        return name
    }

    /// FNV-1a, so that a style has the same class on every page and in every run.
    package static func hash(_ text: String) -> UInt64 {
        text.utf8.reduce(0xcbf2_9ce4_8422_2325) { ($0 ^ UInt64($1)) &* 0x0000_0100_0000_01b3 }
    }

    /// `text` escaped for an element or an attribute. Characters that HTML forbids become U+FFFD.
    package static func escaped(_ text: String) -> String {
        var escaped = ""
        escaped.reserveCapacity(text.utf8.count)
        for scalar in text.unicodeScalars {
            switch scalar {
            case "&": escaped += "&amp;"
            case "<": escaped += "&lt;"
            case ">": escaped += "&gt;"
            case "\"": escaped += "&quot;"
            case "'": escaped += "&#39;"
            case "\u{09}", "\u{0A}": escaped.unicodeScalars.append(scalar)
            case "\u{00}"..."\u{1F}", "\u{7F}"..."\u{9F}", "\u{FFFE}", "\u{FFFF}": escaped += "\u{FFFD}"
            default: escaped.unicodeScalars.append(scalar)
            }
        }
        return escaped
    }
}
