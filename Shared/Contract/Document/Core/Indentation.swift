internal import JSON

extension JSONValue {
    /// JSON for people and for diffs: one line per member, two spaces per level, a line feed at the end.
    func indented() -> String {
        var text = ""
        write(into: &text, level: 0)
        return text + "\n"
    }

    private func write(into text: inout String, level: Int) {
        switch self {
        case .array(let values) where !values.isEmpty:
            Self.write(values.map { ("", $0) }, "[", "]", into: &text, level)
        case .object(let members) where !members.isEmpty:
            let named = members.map { (Self.encoded(.string($0.key)) + ": ", $0.value) }
            Self.write(named, "{", "}", into: &text, level)
        default: text += Self.encoded(self)
        }
    }

    private static func write(
        _ items: [(prefix: String, value: JSONValue)], _ open: String, _ close: String,
        into text: inout String,
        _ level: Int
    ) {
        let margin = String(repeating: "  ", count: level + 1)
        text += open + "\n"
        for (index, item) in items.enumerated() {
            text += margin + item.prefix
            item.value.write(into: &text, level: level + 1)
            text += index + 1 < items.count ? ",\n" : "\n"
        }
        text += margin.dropLast(2) + close
    }

    private static func encoded(_ value: JSONValue) -> String {
        String(decoding: value.encoded(), as: UTF8.self)
    }
}
