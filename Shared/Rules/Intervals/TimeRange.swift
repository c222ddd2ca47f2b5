package import Units

/// A stretch of time, half-open: `start` belongs to it, `end` does not. Never empty.
package struct TimeRange: Hashable, Sendable {
    package let start: Instant
    package let end: Instant

    /// `nil` when nothing would be inside (`end` not after `start`).
    @inlinable package init?(start: Instant, end: Instant) {
        guard start < end else { return nil }
        self.start = start
        self.end = end
    }

    /// For code that has just shown `start < end`.
    @inlinable init(proven start: Instant, _ end: Instant) {
        self.start = start
        self.end = end
    }

    @inlinable package var duration: Milliseconds { end - start }

    @inlinable package func contains(_ instant: Instant) -> Bool {
        start <= instant && instant < end
    }

    /// The time both have; `nil` when they share none (touching is not sharing).
    @inlinable package func intersection(_ other: TimeRange) -> TimeRange? {
        TimeRange(start: max(start, other.start), end: min(end, other.end))
    }
}

extension TimeRange: Comparable {
    /// By start, then by end.
    @inlinable package static func < (left: TimeRange, right: TimeRange) -> Bool {
        left.start != right.start ? left.start < right.start : left.end < right.end
    }
}

extension TimeRange: CustomStringConvertible {
    package var description: String { "[\(start), \(end))" }
}
