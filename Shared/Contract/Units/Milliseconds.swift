/// A length of time in whole milliseconds, the unit of the whole system; also a reading of a clock that
/// counts from the machine's start. Negative ones are allowed. Sums that do not fit into 64 bits trap, as
/// `Int64` does.
@frozen @usableFromInline
package struct Milliseconds: Hashable, Sendable {
    /// How many.
    @usableFromInline package var count: Int64

    @inlinable package init(_ count: Int64) { self.count = count }
    @inlinable package init(_ count: Int) { self.count = Int64(count) }

    @usableFromInline package static let zero = Milliseconds(0 as Int64)
    @inlinable package static var max: Milliseconds { Milliseconds(Int64.max) }
    @inlinable package static var min: Milliseconds { Milliseconds(Int64.min) }

    @inlinable package static var second: Milliseconds { 1_000 }
    @inlinable package static var minute: Milliseconds { 60_000 }
    @inlinable package static var hour: Milliseconds { 3_600_000 }
    /// Of 24 hours, whatever a calendar says.
    @inlinable package static var day: Milliseconds { 86_400_000 }

    @inlinable package static func seconds(_ count: Int64) -> Milliseconds { Milliseconds(count * 1_000) }
    @inlinable package static func minutes(_ count: Int64) -> Milliseconds { Milliseconds(count * 60_000) }
    @inlinable package static func hours(_ count: Int64) -> Milliseconds { Milliseconds(count * 3_600_000) }
    @inlinable package static func days(_ count: Int64) -> Milliseconds { Milliseconds(count * 86_400_000) }
}

extension Milliseconds: ExpressibleByIntegerLiteral {
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
    @inlinable package static func + (left: Milliseconds, right: Milliseconds) -> Milliseconds {
        Milliseconds(left.count + right.count)
    }
    @inlinable package static func - (left: Milliseconds, right: Milliseconds) -> Milliseconds {
        Milliseconds(left.count - right.count)
    }
    @inlinable package static prefix func - (time: Milliseconds) -> Milliseconds { Milliseconds(-time.count) }
}

/// Without its sign.
@inlinable package func abs(_ time: Milliseconds) -> Milliseconds { Milliseconds(Swift.abs(time.count)) }

extension Milliseconds {
    @inlinable package static func * (time: Milliseconds, factor: Int64) -> Milliseconds {
        Milliseconds(time.count * factor)
    }
    @inlinable package static func * (factor: Int64, time: Milliseconds) -> Milliseconds {
        Milliseconds(factor * time.count)
    }
    /// Rounded towards zero.
    @inlinable package static func / (time: Milliseconds, divisor: Int64) -> Milliseconds {
        Milliseconds(time.count / divisor)
    }
    /// How often `unit` fits in whole, rounded towards zero.
    @inlinable package static func / (time: Milliseconds, unit: Milliseconds) -> Int64 {
        time.count / unit.count
    }
    /// How often `unit`, which is above 0, fits in whole, rounded down.
    @inlinable package func flooredQuotient(_ unit: Milliseconds) -> Int64 {
        (count - flooredRemainder(unit).count) / unit.count
    }
    /// What is left of whole `unit`s, from 0 to under one.
    @inlinable package func flooredRemainder(_ unit: Milliseconds) -> Milliseconds {
        let rest = count % unit.count
        return Milliseconds(rest < 0 ? rest + unit.count : rest)
    }
}
