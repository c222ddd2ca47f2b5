/// Words of Hangul, which stand whole in a line, as on iOS (NSLineBreakStrategy.hangulWordPriority): Unicode
/// allows a break after each syllable (UAX 14).
enum HangulWords {
    /// Longer ones may be divided.
    static let charactersMax = 12

    /// Their places in a text, in bytes of UTF-8. A word is everything between two spaces.
    static func places(in text: String) -> [Range<Int>] {
        text.split(whereSeparator: \.isWhitespace).compactMap { word in
            guard word.count <= charactersMax, word.unicodeScalars.contains(where: isHangul)
            else { return nil }
            return word.startIndex.utf8Place(in: text)..<word.endIndex.utf8Place(in: text)
        }
    }

    private static func isHangul(_ scalar: Unicode.Scalar) -> Bool {
        // Syllables, letters, and compatibility letters.
        (0xAC00...0xD7A3).contains(scalar.value) || (0x1100...0x11FF).contains(scalar.value)
            || (0x3130...0x318F).contains(scalar.value)
    }
}

extension String.Index {
    fileprivate func utf8Place(in text: String) -> Int {
        text.utf8.distance(from: text.startIndex, to: self)
    }
}
