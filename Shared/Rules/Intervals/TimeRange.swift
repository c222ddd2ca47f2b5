package import Units

/// A half-open range of time: it contains `start`, but not `end`. Never empty.
package struct TimeRange: Hashable, Sendable {
    /// First instant.
    package let start: Instant
    /// First instant after it.
    package let end: Instant

    /// Nil if it would be empty (`end` not after `start`).
    @inlinable package init?(start: Instant, end: Instant) {
        guard start < end else { return nil }
        self.start = start
        self.end = end
    }

    /// For callers that have verified `start < end`.
    @inlinable init(proven start: Instant, _ end: Instant) {
        self.start = start
        self.end = end
    }

    /// Its length; positive.
    @inlinable package var duration: Milliseconds { end - start }

    /// Whether an instant is inside.
    @inlinable package func contains(_ instant: Instant) -> Bool {
        start <= instant && instant < end
    }

    /// The time in both ranges; nil if they do not overlap (touching is not overlapping).
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
