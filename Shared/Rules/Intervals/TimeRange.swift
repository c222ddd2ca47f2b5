/// A stretch of time, half-open: `start_ms` belongs to it, `end_ms` does not. Never empty.
/// Both ends are UTC milliseconds since 1970 (design 4).
package struct TimeRange: Hashable, Sendable {
    package let start_ms: Int64
    package let end_ms: Int64

    /// `nil` when nothing would be inside (`end_ms` not after `start_ms`).
    @inlinable package init?(start_ms: Int64, end_ms: Int64) {
        guard start_ms < end_ms else { return nil }
        self.start_ms = start_ms
        self.end_ms = end_ms
    }

    /// For code that has just shown `start_ms < end_ms`.
    @inlinable init(proven start_ms: Int64, _ end_ms: Int64) {
        self.start_ms = start_ms
        self.end_ms = end_ms
    }

    @inlinable package var duration_ms: Int64 { end_ms - start_ms }

    @inlinable package func contains(_ instant_ms: Int64) -> Bool {
        start_ms <= instant_ms && instant_ms < end_ms
    }

    /// The time both have; `nil` when they share none (touching is not sharing).
    @inlinable package func intersection(_ other: TimeRange) -> TimeRange? {
        TimeRange(start_ms: max(start_ms, other.start_ms), end_ms: min(end_ms, other.end_ms))
    }
}

extension TimeRange: Comparable {
    /// By start, then by end.
    @inlinable package static func < (left: TimeRange, right: TimeRange) -> Bool {
        left.start_ms != right.start_ms ? left.start_ms < right.start_ms : left.end_ms < right.end_ms
    }
}

extension TimeRange: CustomStringConvertible {
    package var description: String { "[\(start_ms), \(end_ms))" }
}
