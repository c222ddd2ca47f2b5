package import Units

/// A set of instants in the fewest intervals possible: sorted, not overlapping or touching. Two sets of the
/// same instants are equal, regardless of how they were built.
package struct IntervalSet: Hashable, Sendable {
    /// Sorted and disjoint, with a gap between any two.
    package private(set) var intervals: [TimeRange]

    /// The empty set.
    package init() { intervals = [] }

    /// The instants of one interval.
    package init(_ interval: TimeRange) { intervals = [interval] }

    /// The union of intervals in any order. Linear if they are sorted.
    package init(_ loose: some Sequence<TimeRange>) {
        var sorted = Array(loose)
        if !sorted.isSortedByStart { sorted.sort { $0.start < $1.start } }
        self.init(sorted: sorted)
    }

    /// The union of intervals sorted by start; they may overlap.
    init(sorted: [TimeRange]) {
        intervals = []
        intervals.reserveCapacity(sorted.count)
        for interval in sorted { append(interval) }
    }

    /// Intervals that are sorted, disjoint and have gaps; not checked.
    init(normalised: [TimeRange]) { intervals = normalised }

    /// Whether it has no instant.
    package var isEmpty: Bool { intervals.isEmpty }
    /// The earliest interval.
    package var first: TimeRange? { intervals.first }
    /// The latest interval.
    package var last: TimeRange? { intervals.last }

    /// The sum of all durations. Linear.
    package var total: Milliseconds {
        var total: Milliseconds = 0
        for interval in intervals { total += interval.duration }
        return total
    }

    /// Adds one interval. Constant time if it does not start before the last one.
    package mutating func insert(_ interval: TimeRange) {
        if let last = intervals.last, interval.start < last.start {
            self = union(IntervalSet(interval))
        } else {
            append(interval)
        }
    }

    /// Whether an instant is in the set. Binary search.
    package func contains(_ instant: Instant) -> Bool {
        let index = firstIndex(endingAfter: instant)
        return index < intervals.count && intervals[index].start <= instant
    }

    /// The index of the first interval that ends after `instant`; `count` if there is none. Binary search.
    func firstIndex(endingAfter instant: Instant) -> Int {
        var low = 0
        var high = intervals.count
        while low < high {
            let middle = low + (high - low) / 2
            if intervals[middle].end > instant { high = middle } else { low = middle + 1 }
        }
        return low
    }

    /// `interval` must not start before the last one.
    private mutating func append(_ interval: TimeRange) {
        guard let last = intervals.last, interval.start <= last.end else {
            intervals.append(interval)
            return
        }
        if interval.end > last.end {
            intervals[intervals.count - 1] = TimeRange(proven: last.start, interval.end)
        }
    }
}

extension Array where Element == TimeRange {
    fileprivate var isSortedByStart: Bool {
        var previous = Instant.min
        for interval in self {
            if interval.start < previous { return false }
            previous = interval.start
        }
        return true
    }
}
