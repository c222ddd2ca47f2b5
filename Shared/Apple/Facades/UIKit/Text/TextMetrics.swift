internal import FoundationExtras

/// Estimates the width of text without a font: the widths of a common sans-serif, rounded up.
package enum TextMetrics {
    /// In points.
    package static func width(_ text: String, size: Double, weight: UIFont.Weight = .regular) -> Double {
        let heavier = weight.css >= 600 ? 1.06 : 1
        return text.reduce(0) { $0 + em($1) } * size * heavier
    }

    /// The width of a character relative to the font size.
    private static func em(_ character: Character) -> Double {
        guard let scalar = character.unicodeScalars.first else { return 0 }
        switch scalar {
        case "i", "j", "l", "I", "'", "|", "!", ".", ",", ":", ";": return 0.32
        case "f", "t", "r", " ", "(", ")", "-", "/", "[", "]": return 0.4
        case "m", "M", "W", "w", "@", "%": return 0.95
        case "a"..."z", "0"..."9": return 0.62
        case "A"..."Z": return 0.7
        default: break
        }
        if scalar.value < 0x300 { return 0.62 }
        if scalar.properties.isEmojiPresentation || character.unicodeScalars.contains("\u{FE0F}") {
            return 1.25
        }
        // East Asian characters are as wide as they are high.
        return (0x1100...0x11FF).contains(scalar.value) || (0x2E80...0xFF60).contains(scalar.value)
            || scalar.value >= 0x1F000 ? 1 : 0.62
    }

    /// The lines of a text wrapped to a width. Longer words are not broken.
    package static func lines(
        _ text: String, size: Double, weight: UIFont.Weight = .regular, width: Double
    ) -> [String] {
        text.split(separator: "\n", omittingEmptySubsequences: false).flatMap { paragraph -> [String] in
            var lines: [String] = []
            var line = ""
            for word in paragraph.split(separator: " ") {
                let longer = line.isEmpty ? String(word) : line + " " + word
                if !line.isEmpty, self.width(longer, size: size, weight: weight) > width {
                    lines.append(line)
                    line = String(word)
                } else {
                    line = longer
                }
            }
            return lines + [line]
        }
    }
}
