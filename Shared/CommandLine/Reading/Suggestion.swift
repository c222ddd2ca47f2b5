/// "Did you mean": the known words that are nearest to a mistyped one.
package enum Suggestion {
    /// Longer words are compared with nothing: the cost is the product of the lengths.
    private static let lengthMax = 64
    private static let countMax = 3

    /// The known words with the fewest edits, at most a third of the letters of `word` and never more than
    /// three. If none is as near, those that `word` begins, from three letters on.
    package static func nearest(to word: String, among known: [String]) -> [String] {
        let letters = Array(word.lowercased())
        // The dashes of an option are no letters that one mistypes.
        let count = letters.count { $0 != "-" }
        guard count > 0, letters.count <= lengthMax else { return [] }
        let bound = max(1, min(3, count / 3))
        let ranked = known.map { ($0, edits(letters, Array($0.lowercased()))) }
        if let best = ranked.map(\.1).min(), best <= bound, best < count {
            return ranked.filter { $0.1 == best }.prefix(countMax).map(\.0)
        }
        guard count >= 3 else { return [] }
        let longer = known.filter { $0.lowercased().hasPrefix(word.lowercased()) }
        return longer.count <= countMax ? longer : []
    }

    /// A sentence that follows an error, or nothing.
    package static func sentence(for word: String, among known: [String]) -> String? {
        let found = nearest(to: word, among: known).map { "'\($0)'" }
        guard let last = found.last else { return nil }
        let others = found.dropLast()
        return "Did you mean \(others.isEmpty ? last : others.joined(separator: ", ") + " or " + last)?"
    }

    /// Insertions, deletions, exchanges and swaps of neighbours (optimal string alignment).
    private static func edits(_ one: [Character], _ other: [Character]) -> Int {
        var before: [Int] = []
        var previous = Array(0...other.count)
        for (row, letter) in one.enumerated() {
            var current = [row + 1]
            for (column, wanted) in other.enumerated() {
                let exchanged = previous[column] + (letter == wanted ? 0 : 1)
                var fewest = min(exchanged, previous[column + 1] + 1, current[column] + 1)
                if row > 0, column > 0, letter == other[column - 1], one[row - 1] == wanted {
                    fewest = min(fewest, before[column - 1] + 1)
                }
                current.append(fewest)
            }
            (before, previous) = (previous, current)
        }
        return previous[other.count]
    }
}
