extension VisibleText {
    /// Quotes `text` as one word of a shell command that a person can paste. Each invisible character is
    /// escaped (`$'\012'`, as bash and zsh read it), so that printing the result has no side effects.
    package static func shellWord(_ text: String) -> String {
        if text.unicodeScalars.contains(where: { isHidden($0) }) { return "$'\(spelledForShell(text))'" }
        guard text.isEmpty || !text.utf8.allSatisfy(isPlainInShell) else { return text }
        let parts = text.split(separator: "'", omittingEmptySubsequences: false)
        return "'" + parts.joined(separator: "'\\''") + "'"
    }

    private static func isPlainInShell(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
            UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "-")...UInt8(ascii: "/"), UInt8(ascii: "_"),
            UInt8(ascii: ":"), 0x80...0xFF:
            true
        default: false
        }
    }

    private static func spelledForShell(_ text: String) -> String {
        var spelled = ""
        for scalar in text.unicodeScalars {
            switch scalar {
            case "\\": spelled += "\\\\"
            case "'": spelled += "\\'"
            case _ where isHidden(scalar):
                for byte in String(scalar).utf8 {
                    let digits = String(byte, radix: 8)
                    spelled += "\\" + String(repeating: "0", count: 3 - digits.utf8.count) + digits
                }
            default: spelled.unicodeScalars.append(scalar)
            }
        }
        return spelled
    }
}
