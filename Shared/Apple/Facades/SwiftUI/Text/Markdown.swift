/// Emphasis, code and links of Markdown within a line, as texts of apps use them.
enum Markdown {
    struct Run: Equatable {
        var text: String
        var isBold = false
        var isItalic = false
        var isCode = false
        var isStruck = false
        var link: String?
    }

    /// The runs of `text`. Unpaired marks are literal.
    static func runs(_ text: String) -> [Run] {
        guard text.contains(where: { "*_`~[\\".contains($0) }) else {
            return text.isEmpty ? [] : [Run(text: text)]
        }
        return parse(Array(text), Run(text: ""))
    }

    private static func parse(_ text: [Character], _ look: Run) -> [Run] {
        var runs: [Run] = []
        var plain = ""
        var index = 0
        func flush() {
            guard !plain.isEmpty else { return }
            var run = look
            run.text = plain
            runs.append(run)
            plain = ""
        }
        while index < text.count {
            let character = text[index]
            if character == "\\", index + 1 < text.count, "*_`~[]()\\#".contains(text[index + 1]) {
                plain.append(text[index + 1])
                index += 2
                continue
            }
            if let (inner, mark, end) = emphasis(text, at: index) {
                flush()
                runs += styled(inner, mark, look)
                index = end
                continue
            }
            if character == "[", let (label, target, end) = link(text, at: index) {
                flush()
                var linked = look
                linked.link = target
                runs += parse(label, linked)
                index = end
                continue
            }
            plain.append(character)
            index += 1
        }
        flush()
        return runs
    }

    private static func styled(_ inner: [Character], _ mark: String, _ look: Run) -> [Run] {
        var look = look
        switch mark {
        case "`":
            look.isCode = true
            look.text = String(inner)
            return [look]
        case "***", "___": (look.isBold, look.isItalic) = (true, true)
        case "**", "__": look.isBold = true
        case "~~": look.isStruck = true
        default: look.isItalic = true
        }
        return parse(inner, look)
    }

    /// The text between a mark at `index` and its counterpart, the mark, and the index after it.
    private static func emphasis(_ text: [Character], at index: Int) -> ([Character], String, Int)? {
        for mark in ["***", "**", "*", "___", "__", "_", "~~", "`"] {
            let marks = Array(mark)
            guard text[index...].starts(with: marks) else { continue }
            let start = index + marks.count
            guard start < text.count, !text[start].isWhitespace else { return nil }
            if marks[0] == "_", index > 0, text[index - 1].isLetter || text[index - 1].isNumber { return nil }
            var end = start + 1
            while end + marks.count <= text.count {
                let isClose = text[end...].starts(with: marks) && !text[end - 1].isWhitespace
                let after = end + marks.count
                let isInWord = marks[0] == "_" && after < text.count && text[after].isLetter
                if isClose && !isInWord && (after >= text.count || text[after] != marks[0] || mark == "`") {
                    return (Array(text[start..<end]), mark, after)
                }
                end += 1
            }
        }
        return nil
    }

    private static func link(_ text: [Character], at index: Int) -> ([Character], String, Int)? {
        guard let close = text[index...].firstIndex(of: "]"), close + 1 < text.count, text[close + 1] == "(",
            let end = text[(close + 1)...].firstIndex(of: ")")
        else { return nil }
        return (Array(text[(index + 1)..<close]), String(text[(close + 2)..<end]), end + 1)
    }
}
