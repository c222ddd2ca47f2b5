package import Units

extension IntervalSet {
    /// The instants in either set. Linear.
    package func union(_ other: IntervalSet) -> IntervalSet {
        if other.isEmpty { return self }
        if isEmpty { return other }
        var merged: [TimeRange] = []
        merged.reserveCapacity(intervals.count + other.intervals.count)
        var left = 0
        var right = 0
        while left < intervals.count && right < other.intervals.count {
            if intervals[left].start <= other.intervals[right].start {
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

    /// The instants in any of `sets`: O(n log k) for n intervals in k sets.
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

    /// The instants in both sets. Linear.
    package func intersection(_ other: IntervalSet) -> IntervalSet {
        var shared: [TimeRange] = []
        var left = 0
        var right = 0
        while left < intervals.count && right < other.intervals.count {
            let mine = intervals[left]
            let theirs = other.intervals[right]
            if let both = mine.intersection(theirs) { shared.append(both) }
            if mine.end <= theirs.end { left += 1 } else { right += 1 }
        }
        return IntervalSet(normalised: shared)
    }

    /// The instants of this set that are not in `other`. Linear.
    package func subtracting(_ other: IntervalSet) -> IntervalSet {
        if other.isEmpty || isEmpty { return self }
        var kept: [TimeRange] = []
        var right = 0
        for mine in intervals {
            var start = mine.start
            while right < other.intervals.count && other.intervals[right].end <= start { right += 1 }
            var probe = right
            while probe < other.intervals.count && other.intervals[probe].start < mine.end {
                let hole = other.intervals[probe]
                if let before = TimeRange(start: start, end: hole.start) { kept.append(before) }
                start = hole.end
                probe += 1
            }
            if let rest = TimeRange(start: start, end: mine.end) { kept.append(rest) }
        }
        return IntervalSet(normalised: kept)
    }

    /// The part inside `window`. Only intervals inside it are visited.
    package func clipped(to window: TimeRange) -> IntervalSet {
        var kept: [TimeRange] = []
        var index = firstIndex(endingAfter: window.start)
        while index < intervals.count, let part = intervals[index].intersection(window) {
            kept.append(part)
            index += 1
        }
        return IntervalSet(normalised: kept)
    }

    /// The intervals, split wherever one of `boundaries` (sorted) is inside one.
    package func cut(at boundaries: [Instant]) -> [TimeRange] {
        var parts: [TimeRange] = []
        var next = 0
        for interval in intervals {
            var start = interval.start
            while next < boundaries.count && boundaries[next] <= start { next += 1 }
            while next < boundaries.count && boundaries[next] < interval.end {
                parts.append(TimeRange(proven: start, boundaries[next]))
                start = boundaries[next]
                next += 1
            }
            if let rest = TimeRange(start: start, end: interval.end) { parts.append(rest) }
        }
        return parts
    }

    /// Calls `body` with the index of a segment and the milliseconds in it, for each segment that has any.
    /// `segments` must be sorted and disjoint; they may have gaps. Linear.
    package func forEachTotal(in segments: [TimeRange], _ body: (Int, Milliseconds) -> Void) {
        guard let first = segments.first else { return }
        var index = firstIndex(endingAfter: first.start)
        for (number, segment) in segments.enumerated() {
            var sum: Milliseconds = 0
            while index < intervals.count && intervals[index].start < segment.end {
                if let part = intervals[index].intersection(segment) { sum += part.duration }
                guard intervals[index].end <= segment.end else { break }
                index += 1
            }
            if sum > 0 { body(number, sum) }
            if index == intervals.count { return }
        }
    }
}
