import Contract

/// Texts of others, as a cover shows them.
enum PlainText {
    /// A name inside a sentence. If it is short, it stays in one line.
    static func unbroken(_ name: String, bytesMax: Int) -> String? {
        guard let plain = of(name, bytesMax: bytesMax) else { return nil }
        guard plain.utf8.count <= 32 else { return plain }
        var text = ""
        for scalar in plain.unicodeScalars { text.unicodeScalars.append(scalar == " " ? "\u{A0}" : scalar) }
        return text
    }

    /// `text` in one line, or with its lines, without invisible characters that reorder or hide what follows,
    /// and not longer than `bytesMax`. Nil if nothing can be seen.
    static func of(_ text: String, bytesMax: Int, isLines: Bool = false) -> String? {
        // Shortened first: what is left over is never read.
        var plain = ""
        for scalar in VisibleText.shortened(text, bytesMax: bytesMax).unicodeScalars {
            switch scalar {
            case "\n" where isLines: plain.unicodeScalars.append(scalar)
            case "\n", "\t", "\r", "\u{2028}", "\u{2029}": plain.unicodeScalars.append(" ")
            default: if !VisibleText.isHidden(scalar) { plain.unicodeScalars.append(scalar) }
            }
        }
        plain = bounded(plain)
        let isBlank = plain.unicodeScalars.allSatisfy { $0.properties.isWhitespace }
        return isBlank ? nil : plain
    }

    /// A character with its first marks only, and the first parts of a joined one: it is not broken into
    /// lines, and would be as wide as somebody likes.
    private static func bounded(_ text: String) -> String {
        var bounded = String.UnicodeScalarView()
        for character in text {
            var marks = 0
            for scalar in character.unicodeScalars.prefix(CoverLimits.scalarsMax) {
                switch scalar.properties.generalCategory {
                case .nonspacingMark, .enclosingMark: marks += 1
                default: break
                }
                if marks <= CoverLimits.marksMax { bounded.append(scalar) }
            }
        }
        return String(bounded)
    }
}
