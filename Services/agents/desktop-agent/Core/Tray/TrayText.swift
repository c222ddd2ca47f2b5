import Contract

/// Texts of others, as hosts of tray icons show them.
enum TrayText {
    /// Bytes of a name; what is longer ends with `…`.
    static let nameBytesMax = 96
    /// Marks of one character, and scalars of one that is joined: more would be as high or wide as somebody
    /// likes.
    private static let marksMax = 4, scalarsMax = 12

    /// A name in one line, without invisible characters that reorder or hide what follows. Nil if nothing can
    /// be seen.
    static func plain(_ name: String) -> String? {
        // Shortened first: what is left over is never read.
        var kept = String.UnicodeScalarView()
        for scalar in VisibleText.shortened(name, bytesMax: nameBytesMax).unicodeScalars {
            switch scalar {
            case "\n", "\t", "\r", "\u{2028}", "\u{2029}": kept.append(" ")
            default: if !VisibleText.isHidden(scalar) { kept.append(scalar) }
            }
        }
        var bounded = String.UnicodeScalarView()
        for character in String(kept) {
            var marks = 0
            for scalar in character.unicodeScalars.prefix(scalarsMax) {
                switch scalar.properties.generalCategory {
                case .nonspacingMark, .enclosingMark: marks += 1
                default: break
                }
                if marks <= marksMax { bounded.append(scalar) }
            }
        }
        let isBlank = bounded.allSatisfy { $0.properties.isWhitespace }
        return isBlank ? nil : String(bounded)
    }

    /// For a label of com.canonical.dbusmenu, where a `_` is before the letter that the keyboard chooses.
    static func label(_ text: String) -> String {
        text.reduce(into: "") { $0 += $1 == "_" ? "__" : String($1) }
    }

    /// For a tooltip, which some hosts read as markup, some literally, and some as either, by its looks: the
    /// same text, without the three characters that markup begins with.
    static func tooltip(_ text: String) -> String {
        var safe = String.UnicodeScalarView()
        for scalar in text.unicodeScalars {
            switch scalar {
            case "<": safe.append("‹")
            case ">": safe.append("›")
            case "&": safe.append("＆")
            default: safe.append(scalar)
            }
        }
        return String(safe)
    }
}
