import Rules

/// How the total of some summands grows: straight pieces, steeper while more of them are in use. The last
/// piece goes on for ever.
struct Course {
    private struct Piece {
        let start_ms: Int64
        let total_ms: Int64
        let rate: Int64
    }

    /// Instants before this one are not known.
    private(set) var from_ms: Int64
    /// Sorted by start, the first at `from_ms`. Totals mean something as differences only.
    private var pieces: [Piece] = []

    /// Known from `from_ms` on; `summands` must not begin before it.
    init(from from_ms: Int64, _ summands: [IntervalSet]) {
        self.from_ms = from_ms
        pieces = Self.pieces(summands, from: from_ms, total_ms: 0)
    }

    /// What was in use before `at_ms`; at the earliest `from_ms`.
    func total_ms(at at_ms: Int64) -> Int64 {
        guard let piece = piece(at: at_ms) else { return pieces.first?.total_ms ?? 0 }
        return piece.total_ms + piece.rate * (at_ms - piece.start_ms)
    }

    /// The first millisecond with at least this total; `nil` if nothing reaches it.
    func first_ms(reaching goal_ms: Int64) -> Int64? {
        var low = 0
        var high = pieces.count
        while low < high {
            let middle = low + (high - low) / 2
            if pieces[middle].total_ms >= goal_ms { high = middle } else { low = middle + 1 }
        }
        guard low > 0 else { return from_ms }
        let piece = pieces[low - 1]
        guard piece.rate > 0 else { return nil }
        return piece.start_ms + (goal_ms - piece.total_ms + piece.rate - 1) / piece.rate
    }

    /// Puts another truth in the place of all that lies at or after `at_ms`; totals before stay the same.
    /// - Parameter summands: they must not begin before `at_ms`.
    mutating func replace(from at_ms: Int64, _ summands: [IntervalSet]) {
        let total_ms = total_ms(at: at_ms)
        while let last = pieces.last, last.start_ms >= at_ms { pieces.removeLast() }
        pieces += Self.pieces(summands, from: at_ms, total_ms: total_ms)
    }

    /// Makes an earlier time known; totals after it stay the same.
    /// - Parameter summands: what is in use in [`at_ms`, `from_ms`).
    mutating func extend(backTo at_ms: Int64, _ summands: [IntervalSet]) {
        let sum_ms = summands.reduce(0) { $0 + $1.total_ms }
        let first_ms = pieces.first?.total_ms ?? 0
        pieces = Self.pieces(summands, from: at_ms, total_ms: first_ms - sum_ms) + pieces
        from_ms = at_ms
    }

    /// Forgets what lies before `at_ms`.
    mutating func trim(to at_ms: Int64) {
        guard at_ms > from_ms, let piece = piece(at: at_ms) else { return }
        let total_ms = total_ms(at: at_ms)
        pieces.removeAll { $0.start_ms <= at_ms }
        pieces.insert(Piece(start_ms: at_ms, total_ms: total_ms, rate: piece.rate), at: 0)
        from_ms = at_ms
    }

    /// The piece that `at_ms` lies in.
    private func piece(at at_ms: Int64) -> Piece? {
        if let last = pieces.last, last.start_ms <= at_ms { return last }
        var low = 0
        var high = pieces.count
        while low < high {
            let middle = low + (high - low) / 2
            if pieces[middle].start_ms > at_ms { high = middle } else { low = middle + 1 }
        }
        return low > 0 ? pieces[low - 1] : nil
    }

    private static func pieces(
        _ summands: [IntervalSet], from from_ms: Int64, total_ms: Int64
    ) -> [Piece] {
        var edges: [(at_ms: Int64, step: Int64)] = []
        for summand in summands {
            for interval in summand.intervals {
                edges.append((interval.start_ms, 1))
                if interval.end_ms < MemberUse.forever_ms { edges.append((interval.end_ms, -1)) }
            }
        }
        if summands.count > 1 { edges.sort { $0.at_ms < $1.at_ms } }
        var pieces: [Piece] = []
        var piece = Piece(start_ms: from_ms, total_ms: total_ms, rate: 0)
        for edge in edges {
            var grown_ms = piece.total_ms
            if edge.at_ms > piece.start_ms {
                pieces.append(piece)
                grown_ms += piece.rate * (edge.at_ms - piece.start_ms)
            }
            piece = Piece(start_ms: edge.at_ms, total_ms: grown_ms, rate: piece.rate + edge.step)
        }
        pieces.append(piece)
        return pieces
    }
}
