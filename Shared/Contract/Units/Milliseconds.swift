/// A time span in whole milliseconds, the unit used everywhere; also a reading of a clock that counts from
/// the machine's start. May be negative. Arithmetic traps on overflow of 64 bits, as for `Int64`.
@frozen @usableFromInline
package struct Milliseconds: Hashable, Sendable {
    /// The number of milliseconds.
    @usableFromInline package var count: Int64

    /// A span of `count` milliseconds.
    @inlinable package init(_ count: Int64) { self.count = count }
    /// A span of `count` milliseconds.
    @inlinable package init(_ count: Int) { self.count = Int64(count) }

    /// No time.
    @usableFromInline package static let zero = Milliseconds(0 as Int64)
    /// The longest span.
    @inlinable package static var max: Milliseconds { Milliseconds(Int64.max) }
    /// The longest negative span.
    @inlinable package static var min: Milliseconds { Milliseconds(Int64.min) }

    /// 1 000 ms.
    @inlinable package static var second: Milliseconds { 1_000 }
    /// 60 000 ms.
    @inlinable package static var minute: Milliseconds { 60_000 }
    /// 3 600 000 ms.
    @inlinable package static var hour: Milliseconds { 3_600_000 }
    /// Exactly 24 hours, regardless of daylight-saving changes.
    @inlinable package static var day: Milliseconds { 86_400_000 }

    /// A span of `count` seconds.
    @inlinable package static func seconds(_ count: Int64) -> Milliseconds { Milliseconds(count * 1_000) }
    /// A span of `count` minutes.
    @inlinable package static func minutes(_ count: Int64) -> Milliseconds { Milliseconds(count * 60_000) }
    /// A span of `count` hours.
    @inlinable package static func hours(_ count: Int64) -> Milliseconds { Milliseconds(count * 3_600_000) }
    /// A span of `count` times 24 hours.
    @inlinable package static func days(_ count: Int64) -> Milliseconds { Milliseconds(count * 86_400_000) }
}

extension Milliseconds: ExpressibleByIntegerLiteral {
    /// A literal is a number of milliseconds.
    @inlinable package init(integerLiteral count: Int64) { self.count = count }
}

extension Milliseconds: Comparable {
    @inlinable package static func < (left: Milliseconds, right: Milliseconds) -> Bool {
        left.count < right.count
    }
}

extension Milliseconds: CustomStringConvertible {
    @usableFromInline package var description: String { String(count) }
}

extension Milliseconds: AdditiveArithmetic {
    /// The sum. Traps on overflow.
    @inlinable package static func + (left: Milliseconds, right: Milliseconds) -> Milliseconds {
        Milliseconds(left.count + right.count)
    }
    /// The difference. Traps on overflow.
    @inlinable package static func - (left: Milliseconds, right: Milliseconds) -> Milliseconds {
        Milliseconds(left.count - right.count)
    }
    @inlinable package static prefix func - (time: Milliseconds) -> Milliseconds { Milliseconds(-time.count) }
}

/// The span without its sign.
@inlinable package func abs(_ time: Milliseconds) -> Milliseconds { Milliseconds(Swift.abs(time.count)) }

extension Milliseconds {
    /// The span `factor` times as long.
    @inlinable package static func * (time: Milliseconds, factor: Int64) -> Milliseconds {
        Milliseconds(time.count * factor)
    }
    /// The span `factor` times as long.
    @inlinable package static func * (factor: Int64, time: Milliseconds) -> Milliseconds {
        Milliseconds(factor * time.count)
    }
    /// The span divided by a number, rounded towards zero.
    @inlinable package static func / (time: Milliseconds, divisor: Int64) -> Milliseconds {
        Milliseconds(time.count / divisor)
    }
    /// How many complete `unit`s fit, rounded towards zero.
    @inlinable package static func / (time: Milliseconds, unit: Milliseconds) -> Int64 {
        time.count / unit.count
    }
    /// How many complete `unit`s fit, rounded down; `unit` must be positive.
    @inlinable package func flooredQuotient(_ unit: Milliseconds) -> Int64 {
        // Not by subtracting the remainder, which overflows next to Int64.min.
        count / unit.count - (count % unit.count < 0 ? 1 : 0)
    }
    /// What remains after removing complete `unit`s: at least 0 and less than `unit`.
    @inlinable package func flooredRemainder(_ unit: Milliseconds) -> Milliseconds {
        let rest = count % unit.count
        return Milliseconds(rest < 0 ? rest + unit.count : rest)
    }
}
