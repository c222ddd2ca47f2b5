import Contract

/// Suggestions for a word that is not known.
package enum NearMisses {
    /// The nearest of `known`, best first, at most three. A suggestion differs in at most a third of its
    /// letters.
    package static func of(_ word: String, in known: some Sequence<String>) -> [String] {
        let wanted = Array(word.lowercased())
        let most = wanted.count < 4 ? 1 : max(2, wanted.count / 3)
        var found: [(distance: Int, name: String)] = []
        for name in known {
            let lowered = Array(name.lowercased())
            let holds = wanted.count > 2 && name.lowercased().includes(word.lowercased())
            guard holds || abs(lowered.count - wanted.count) <= most else { continue }
            let distance = holds ? 0 : distance(wanted, lowered)
            if distance <= most { found.append((distance, name)) }
        }
        return found.sorted { ($0.distance, $0.name) < ($1.distance, $1.name) }.prefix(3).map(\.name)
    }

    /// The Levenshtein distance: letters inserted, deleted or replaced.
    private static func distance(_ left: [Character], _ right: [Character]) -> Int {
        var row = Array(0...right.count)
        for (index, letter) in left.enumerated() {
            var diagonal = row[0]
            row[0] = index + 1
            for (column, other) in right.enumerated() {
                let changed = diagonal + (letter == other ? 0 : 1)
                diagonal = row[column + 1]
                row[column + 1] = min(changed, diagonal + 1, row[column] + 1)
            }
        }
        return row[right.count]
    }
}
