package import Units

/// How the believed time lay against the clock of each boot: where an observation that carries its boot's
/// time belongs, whatever its wall clock said.
package struct BootOffsets: Hashable, Sendable {
    /// From this moment of the boot on.
    package struct Mark: Hashable, Sendable {
        package var elapsed: Milliseconds
        package var offset: Instant
        /// See ``TrustedTime/floor``.
        package var floor: Instant?

        package init(elapsed: Milliseconds, offset: Instant, floor: Instant? = nil) {
            self.elapsed = elapsed
            self.offset = offset
            self.floor = floor
        }
    }

    /// Of each boot in order.
    package private(set) var marks: [String: [Mark]] = [:]
    /// The boots in the order in which they came.
    package private(set) var boots: [String] = []

    /// A new mark is worth it when time has moved this far against the boot's clock: half a minute.
    static let step: Milliseconds = 30_000
    /// Observations of earlier boots than so many are placed by their wall clock.
    static let bootsMax = 8

    package init() {}

    package mutating func add(_ mark: Mark, of boot: String) {
        if marks[boot] == nil { boots.append(boot) }
        marks[boot, default: []].append(mark)
        while boots.count > Self.bootsMax { marks[boots.removeFirst()] = nil }
    }

    /// The mark to add after a reading was taken in; nil: the last one says the same.
    package func missing(_ time: TrustedTime, at elapsed: Milliseconds) -> Mark? {
        if let last = marks[time.bootID]?.last, abs(last.offset - time.offset) <= Self.step {
            return nil
        }
        return Mark(elapsed: elapsed, offset: time.offset, floor: time.floor)
    }

    /// The believed instant of a moment of a boot at which the wall clock showed `wall`; nil: a boot
    /// that is not known, such as another machine's.
    package func believed(boot: String, elapsed: Milliseconds, wall: Instant) -> Instant? {
        guard let known = marks[boot], let first = known.first else { return nil }
        let mark = known.last { $0.elapsed <= elapsed } ?? first
        let expected = elapsed + mark.offset
        let isBelieved = abs(wall - expected) <= TrustedTime.tolerance + Self.step
        // Nor does what its wall clock said lie before the boot itself.
        return isBelieved ? max(wall, mark.floor.map { elapsed + $0 } ?? wall) : expected
    }
}
