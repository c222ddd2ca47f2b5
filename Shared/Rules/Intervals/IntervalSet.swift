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
        if !sorted.isSortedByStart { sorted.sort { $0.start_ms < $1.start_ms } }
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

    package var total_ms: Int64 {
        var total: Int64 = 0
        for interval in intervals { total += interval.duration_ms }
        return total
    }

    /// Adds one interval; constant time when it begins at or after the last one's begin.
    package mutating func insert(_ interval: TimeRange) {
        if let last = intervals.last, interval.start_ms < last.start_ms {
            self = union(IntervalSet(interval))
        } else {
            append(interval)
        }
    }

    package func contains(_ instant_ms: Int64) -> Bool {
        let index = firstIndex(endingAfter: instant_ms)
        return index < intervals.count && intervals[index].start_ms <= instant_ms
    }

    /// The first interval with an end after `instant_ms`; `count` when there is none. Binary search.
    func firstIndex(endingAfter instant_ms: Int64) -> Int {
        var low = 0
        var high = intervals.count
        while low < high {
            let middle = low + (high - low) / 2
            if intervals[middle].end_ms > instant_ms { high = middle } else { low = middle + 1 }
        }
        return low
    }

    /// `interval` must not begin before the last one begins.
    private mutating func append(_ interval: TimeRange) {
        guard let last = intervals.last, interval.start_ms <= last.end_ms else {
            intervals.append(interval)
            return
        }
        if interval.end_ms > last.end_ms {
            intervals[intervals.count - 1] = TimeRange(proven: last.start_ms, interval.end_ms)
        }
    }
}

extension Array where Element == TimeRange {
    fileprivate var isSortedByStart: Bool {
        var previous = Int64.min
        for interval in self {
            if interval.start_ms < previous { return false }
            previous = interval.start_ms
        }
        return true
    }
}
