/// How many columns of a terminal a text takes.
package enum DisplayWidth {
    package static func of(_ text: String) -> Int {
        var ascii = 0
        for byte in text.utf8 {
            guard byte < 0x80 else { return text.reduce(0) { $0 + width(of: $1) } }
            ascii += byte >= 0x20 && byte != 0x7F ? 1 : 0
        }
        return ascii
    }

    /// The text, or as much of its beginning as fits with a `…`.
    package static func cut(_ text: String, to columns: Int) -> String {
        guard of(text) > columns else { return text }
        var (kept, used) = ("", 1)
        for character in text {
            used += width(of: character)
            guard used <= columns else { break }
            kept.append(character)
        }
        return columns > 0 ? kept + "…" : ""
    }

    /// Of a grapheme cluster: one that is drawn as a picture takes two columns, however many people are in
    /// it; of another, the letters count.
    private static func width(of character: Character) -> Int {
        var sum = 0
        for scalar in character.unicodeScalars {
            // The variation selector for pictures, after a scalar that is a sign without it.
            if scalar == "\u{FE0F}", sum > 0 { return 2 }
            if scalar.properties.isEmojiPresentation { return 2 }
            sum += width(of: scalar)
        }
        return sum
    }

    private static func width(of scalar: Unicode.Scalar) -> Int {
        if scalar.value < 0x300 { return scalar.value < 0x20 || (0x7F..<0xA0).contains(scalar.value) ? 0 : 1 }
        switch scalar.properties.generalCategory {
        case .nonspacingMark, .enclosingMark, .format, .control, .lineSeparator, .paragraphSeparator: return 0
        default: break
        }
        // The vowels and final consonants of a Hangul syllable stand on its first.
        if (0x1160...0x11FF).contains(scalar.value) { return 0 }
        return wide.contains { $0.contains(scalar.value) } ? 2 : 1
    }

    /// East Asian Wide and Fullwidth (Unicode Standard Annex 11), in blocks; unassigned scalars inside are
    /// wide, too, as the annex says of the CJK planes.
    private static let wide: [ClosedRange<UInt32>] = [
        0x1100...0x115F, 0x2E80...0x303E, 0x3041...0x33FF, 0x3400...0x4DBF, 0x4E00...0xA4CF, 0xA960...0xA97C,
        0xAC00...0xD7A3, 0xF900...0xFAFF, 0xFE10...0xFE19, 0xFE30...0xFE6B, 0xFF01...0xFF60, 0xFFE0...0xFFE6,
        0x16FE0...0x18CFF, 0x1AFF0...0x1B2FB, 0x1F200...0x1F265, 0x20000...0x2FFFD, 0x30000...0x3FFFD,
    ]
}
