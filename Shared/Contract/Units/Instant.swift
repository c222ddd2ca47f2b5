/// A point in time: milliseconds of UTC since the beginning of 1970, without leap seconds, as Unix counts.
@frozen @usableFromInline
package struct Instant: Hashable, Sendable {
    /// Since 1970-01-01T00:00:00Z; before it, negative.
    @usableFromInline package var sinceEpoch: Milliseconds

    @inlinable package init(_ sinceEpoch: Milliseconds) { self.sinceEpoch = sinceEpoch }
    @inlinable package init(milliseconds: Int64) { sinceEpoch = Milliseconds(milliseconds) }

    /// ``sinceEpoch`` as a number.
    @inlinable package var milliseconds: Int64 { sinceEpoch.count }

    /// 1970-01-01T00:00:00Z.
    @inlinable package static var epoch: Instant { Instant(Milliseconds(0 as Int64)) }
    /// Later than all that a clock shows.
    @inlinable package static var max: Instant { Instant(.max) }
    /// Earlier than all that a clock shows.
    @inlinable package static var min: Instant { Instant(.min) }
}

extension Instant: ExpressibleByIntegerLiteral {
    @inlinable package init(integerLiteral count: Int64) { sinceEpoch = Milliseconds(count) }
}

extension Instant: Comparable {
    @inlinable package static func < (left: Instant, right: Instant) -> Bool {
        left.sinceEpoch < right.sinceEpoch
    }
}

extension Instant: CustomStringConvertible {
    @usableFromInline package var description: String { sinceEpoch.description }
}

extension Instant {
    @inlinable package static func + (instant: Instant, time: Milliseconds) -> Instant {
        Instant(instant.sinceEpoch + time)
    }
    @inlinable package static func + (time: Milliseconds, instant: Instant) -> Instant { instant + time }
    @inlinable package static func - (instant: Instant, time: Milliseconds) -> Instant {
        Instant(instant.sinceEpoch - time)
    }
    // Disfavoured: in `instant - 1` the number is a length of time.
    @_disfavoredOverload
    @inlinable package static func - (later: Instant, earlier: Instant) -> Milliseconds {
        later.sinceEpoch - earlier.sinceEpoch
    }
    @inlinable package static func += (instant: inout Instant, time: Milliseconds) {
        instant = instant + time
    }
    @inlinable package static func -= (instant: inout Instant, time: Milliseconds) {
        instant = instant - time
    }
}
