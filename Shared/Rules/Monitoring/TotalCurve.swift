import Rules
import Units

/// The total of some summands over time: piecewise linear, steeper while more of them are in use. The last
/// piece extends forever.
struct TotalCurve {
    private struct Piece {
        let start: Instant
        let total: Milliseconds
        let rate: Int64
    }

    /// The total is unknown before this instant.
    private(set) var from: Instant
    /// Sorted by start, the first at `from`. Only differences of totals are meaningful.
    private var pieces: [Piece] = []

    /// A course from `from` on; `summands` must not start before it.
    init(from: Instant, _ summands: [IntervalSet]) {
        self.from = from
        pieces = Self.pieces(summands, from: from, total: 0)
    }

    /// The total at `at`; for an earlier instant than `from`, that at `from`.
    func total(at: Instant) -> Milliseconds {
        guard let piece = piece(at: at) else { return pieces.first?.total ?? 0 }
        return piece.total + piece.rate * (at - piece.start)
    }

    /// The first millisecond with at least this total; nil if it is never reached.
    func first(reaching goal: Milliseconds) -> Instant? {
        var low = 0
        var high = pieces.count
        while low < high {
            let middle = low + (high - low) / 2
            if pieces[middle].total >= goal { high = middle } else { low = middle + 1 }
        }
        guard low > 0 else { return from }
        let piece = pieces[low - 1]
        guard piece.rate > 0 else { return nil }
        return piece.start + (goal - piece.total + Milliseconds(piece.rate - 1)) / piece.rate
    }

    /// Replaces everything at or after `at`; totals before it are unchanged.
    /// - Parameter summands: must not start before `at`.
    mutating func replace(from at: Instant, _ summands: [IntervalSet]) {
        let total = total(at: at)
        while let last = pieces.last, last.start >= at { pieces.removeLast() }
        pieces += Self.pieces(summands, from: at, total: total)
    }

    /// Extends the course to an earlier time; differences of totals after it are unchanged.
    /// - Parameter summands: the use in [`at`, `from`).
    mutating func extend(backTo at: Instant, _ summands: [IntervalSet]) {
        let sum = summands.reduce(0) { $0 + $1.total }
        let first = pieces.first?.total ?? 0
        pieces = Self.pieces(summands, from: at, total: first - sum) + pieces
        from = at
    }

    /// Discards everything before `at`.
    mutating func trim(to at: Instant) {
        guard at > from, let piece = piece(at: at) else { return }
        let total = total(at: at)
        pieces.removeAll { $0.start <= at }
        pieces.insert(Piece(start: at, total: total, rate: piece.rate), at: 0)
        from = at
    }

    /// The piece that contains `at`.
    private func piece(at: Instant) -> Piece? {
        if let last = pieces.last, last.start <= at { return last }
        var low = 0
        var high = pieces.count
        while low < high {
            let middle = low + (high - low) / 2
            if pieces[middle].start > at { high = middle } else { low = middle + 1 }
        }
        return low > 0 ? pieces[low - 1] : nil
    }

    private static func pieces(
        _ summands: [IntervalSet], from: Instant, total: Milliseconds
    ) -> [Piece] {
        var edges: [(at: Instant, step: Int64)] = []
        for summand in summands {
            for interval in summand.intervals {
                edges.append((interval.start, 1))
                if interval.end < MemberUse.forever { edges.append((interval.end, -1)) }
            }
        }
        if summands.count > 1 { edges.sort { $0.at < $1.at } }
        var pieces: [Piece] = []
        var piece = Piece(start: from, total: total, rate: 0)
        for edge in edges {
            var grown = piece.total
            if edge.at > piece.start {
                pieces.append(piece)
                grown += piece.rate * (edge.at - piece.start)
            }
            piece = Piece(start: edge.at, total: grown, rate: piece.rate + edge.step)
        }
        pieces.append(piece)
        return pieces
    }
}
