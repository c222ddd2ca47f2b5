extension IntervalSet {
    /// All instants of either. Linear.
    package func union(_ other: IntervalSet) -> IntervalSet {
        if other.isEmpty { return self }
        if isEmpty { return other }
        var merged: [TimeRange] = []
        merged.reserveCapacity(intervals.count + other.intervals.count)
        var left = 0
        var right = 0
        while left < intervals.count && right < other.intervals.count {
            if intervals[left].start_ms <= other.intervals[right].start_ms {
                merged.append(intervals[left])
                left += 1
            } else {
                merged.append(other.intervals[right])
                right += 1
            }
        }
        merged.append(contentsOf: intervals[left...])
        merged.append(contentsOf: other.intervals[right...])
        return IntervalSet(sorted: merged)
    }

    /// All instants of any of `sets`: n log k for n intervals in k sets.
    package static func union(of sets: some Sequence<IntervalSet>) -> IntervalSet {
        var round = Array(sets)
        while round.count > 1 {
            var next: [IntervalSet] = []
            next.reserveCapacity((round.count + 1) / 2)
            for pair in stride(from: 0, to: round.count, by: 2) {
                next.append(pair + 1 < round.count ? round[pair].union(round[pair + 1]) : round[pair])
            }
            round = next
        }
        return round.first ?? IntervalSet()
    }

    /// The instants both have. Linear.
    package func intersection(_ other: IntervalSet) -> IntervalSet {
        var shared: [TimeRange] = []
        var left = 0
        var right = 0
        while left < intervals.count && right < other.intervals.count {
            let mine = intervals[left]
            let theirs = other.intervals[right]
            if let both = mine.intersection(theirs) { shared.append(both) }
            if mine.end_ms <= theirs.end_ms { left += 1 } else { right += 1 }
        }
        return IntervalSet(normalised: shared)
    }

    /// The instants of this set that `other` lacks. Linear.
    package func subtracting(_ other: IntervalSet) -> IntervalSet {
        if other.isEmpty || isEmpty { return self }
        var kept: [TimeRange] = []
        var right = 0
        for mine in intervals {
            var start_ms = mine.start_ms
            while right < other.intervals.count && other.intervals[right].end_ms <= start_ms { right += 1 }
            var probe = right
            while probe < other.intervals.count && other.intervals[probe].start_ms < mine.end_ms {
                let hole = other.intervals[probe]
                if let before = TimeRange(start_ms: start_ms, end_ms: hole.start_ms) { kept.append(before) }
                start_ms = hole.end_ms
                probe += 1
            }
            if let rest = TimeRange(start_ms: start_ms, end_ms: mine.end_ms) { kept.append(rest) }
        }
        return IntervalSet(normalised: kept)
    }

    /// What lies inside `window`. Only the part inside is looked at.
    package func clipped(to window: TimeRange) -> IntervalSet {
        var kept: [TimeRange] = []
        var index = firstIndex(endingAfter: window.start_ms)
        while index < intervals.count, let part = intervals[index].intersection(window) {
            kept.append(part)
            index += 1
        }
        return IntervalSet(normalised: kept)
    }

    /// The intervals, cut wherever one of `boundaries` (sorted, UTC milliseconds) lies inside one.
    package func cut(at boundaries: [Int64]) -> [TimeRange] {
        var parts: [TimeRange] = []
        var next = 0
        for interval in intervals {
            var start_ms = interval.start_ms
            while next < boundaries.count && boundaries[next] <= start_ms { next += 1 }
            while next < boundaries.count && boundaries[next] < interval.end_ms {
                parts.append(TimeRange(proven: start_ms, boundaries[next]))
                start_ms = boundaries[next]
                next += 1
            }
            if let rest = TimeRange(start_ms: start_ms, end_ms: interval.end_ms) { parts.append(rest) }
        }
        return parts
    }

    /// Calls `body` with (index of the segment, milliseconds in it) for every segment that has any.
    /// `segments` must be sorted and must not overlap; they may have gaps. Linear.
    package func forEachTotal(in segments: [TimeRange], _ body: (Int, Int64) -> Void) {
        guard let first = segments.first else { return }
        var index = firstIndex(endingAfter: first.start_ms)
        for (number, segment) in segments.enumerated() {
            var sum_ms: Int64 = 0
            while index < intervals.count && intervals[index].start_ms < segment.end_ms {
                if let part = intervals[index].intersection(segment) { sum_ms += part.duration_ms }
                guard intervals[index].end_ms <= segment.end_ms else { break }
                index += 1
            }
            if sum_ms > 0 { body(number, sum_ms) }
            if index == intervals.count { return }
        }
    }
}
