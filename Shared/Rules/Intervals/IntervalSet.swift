package import Units

/// Instants, as few intervals as possible: sorted, none overlaps or touches the next.
/// Two sets of the same instants are equal, however they came about.
package struct IntervalSet: Hashable, Sendable {
    /// Sorted, disjoint, with a gap between any two.
    package private(set) var intervals: [TimeRange]

    package init() { intervals = [] }

    package init(_ interval: TimeRange) { intervals = [interval] }

    /// Any intervals in any order, overlapping or not. Linear when they are already sorted.
    package init(_ loose: some Sequence<TimeRange>) {
        var sorted = Array(loose)
        if !sorted.isSortedByStart { sorted.sort { $0.start < $1.start } }
        self.init(sorted: sorted)
    }

    /// Intervals already sorted by start; they may overlap.
    init(sorted: [TimeRange]) {
        intervals = []
        intervals.reserveCapacity(sorted.count)
        for interval in sorted { append(interval) }
    }

    /// Intervals known to be sorted and apart.
    init(normalised: [TimeRange]) { intervals = normalised }

    package var isEmpty: Bool { intervals.isEmpty }
    package var first: TimeRange? { intervals.first }
    package var last: TimeRange? { intervals.last }

    package var total: Milliseconds {
        var total: Milliseconds = 0
        for interval in intervals { total += interval.duration }
        return total
    }

    /// Adds one interval; constant time when it begins at or after the last one's begin.
    package mutating func insert(_ interval: TimeRange) {
        if let last = intervals.last, interval.start < last.start {
            self = union(IntervalSet(interval))
        } else {
            append(interval)
        }
    }

    package func contains(_ instant: Instant) -> Bool {
        let index = firstIndex(endingAfter: instant)
        return index < intervals.count && intervals[index].start <= instant
    }

    /// The first interval with an end after `instant`; `count` when there is none. Binary search.
    func firstIndex(endingAfter instant: Instant) -> Int {
        var low = 0
        var high = intervals.count
        while low < high {
            let middle = low + (high - low) / 2
            if intervals[middle].end > instant { high = middle } else { low = middle + 1 }
        }
        return low
    }

    /// `interval` must not begin before the last one begins.
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
