/// A point in time: UTC milliseconds since the beginning of 1970, without leap seconds (Unix time).
@frozen @usableFromInline
package struct Instant: Hashable, Sendable {
    /// Time since 1970-01-01T00:00:00Z; negative before it.
    @usableFromInline package var sinceEpoch: Milliseconds

    /// The instant this long after 1970-01-01T00:00:00Z.
    @inlinable package init(_ sinceEpoch: Milliseconds) { self.sinceEpoch = sinceEpoch }
    /// The instant this many milliseconds after 1970-01-01T00:00:00Z.
    @inlinable package init(milliseconds: Int64) { sinceEpoch = Milliseconds(milliseconds) }

    /// ``sinceEpoch`` as a number.
    @inlinable package var milliseconds: Int64 { sinceEpoch.count }

    /// 1970-01-01T00:00:00Z.
    @inlinable package static var epoch: Instant { Instant(Milliseconds(0 as Int64)) }
    /// Later than any instant of a clock.
    @inlinable package static var max: Instant { Instant(.max) }
    /// Earlier than any instant of a clock.
    @inlinable package static var min: Instant { Instant(.min) }
}

extension Instant: ExpressibleByIntegerLiteral {
    /// A literal is milliseconds since 1970-01-01T00:00:00Z.
    @inlinable package init(integerLiteral count: Int64) { sinceEpoch = Milliseconds(count) }
}

extension Instant: Comparable {
    @inlinable package static func < (left: Instant, right: Instant) -> Bool {
        left.sinceEpoch < right.sinceEpoch
    }
}

extension Instant {
    /// The first whole second that is not before this instant. Times are shown without what is finer: an end,
    /// and a time from which something is open, as this; what has happened, cut off.
    package var secondNotBefore: Instant {
        Instant((sinceEpoch + 999).flooredQuotient(.second) * Milliseconds.second)
    }
}

extension Instant: CustomStringConvertible {
    @usableFromInline package var description: String { sinceEpoch.description }
}

extension Instant {
    /// The instant `time` later. Traps on overflow.
    @inlinable package static func + (instant: Instant, time: Milliseconds) -> Instant {
        Instant(instant.sinceEpoch + time)
    }
    /// The instant `time` later. Traps on overflow.
    @inlinable package static func + (time: Milliseconds, instant: Instant) -> Instant { instant + time }
    /// The instant `time` earlier. Traps on overflow.
    @inlinable package static func - (instant: Instant, time: Milliseconds) -> Instant {
        Instant(instant.sinceEpoch - time)
    }
    /// The time from `earlier` to `later`. Disfavoured, so that in `instant - 1` the number is a time span.
    @_disfavoredOverload
    @inlinable package static func - (later: Instant, earlier: Instant) -> Milliseconds {
        later.sinceEpoch - earlier.sinceEpoch
    }
    /// Moves the instant `time` later.
    @inlinable package static func += (instant: inout Instant, time: Milliseconds) {
        instant = instant + time
    }
    /// Moves the instant `time` earlier.
    @inlinable package static func -= (instant: inout Instant, time: Milliseconds) {
        instant = instant - time
    }
}
