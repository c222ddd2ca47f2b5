package import Units

/// Offsets between the trusted time and the clock of each boot. They map an observation with a boot-clock
/// reading to an instant, regardless of its wall-clock time.
package struct BootOffsets: Hashable, Sendable {
    /// An offset that is valid from a moment of a boot on.
    package struct Mark: Hashable, Sendable {
        /// CLOCK_BOOTTIME from which on it is valid.
        package var elapsed: Milliseconds
        /// Trusted time minus CLOCK_BOOTTIME.
        package var offset: Instant
        /// See ``TrustedTime/floor``.
        package var floor: Instant?

        package init(elapsed: Milliseconds, offset: Instant, floor: Instant? = nil) {
            self.elapsed = elapsed
            self.offset = offset
            self.floor = floor
        }
    }

    /// The marks of each boot, in order.
    package private(set) var marks: [String: [Mark]] = [:]
    /// Boot ids in order.
    package private(set) var boots: [String] = []

    /// A new mark is added when time has moved this far relative to the boot's clock: 30 s.
    static let step: Milliseconds = 30_000
    /// Maximum number of boots. Observations of earlier boots are placed by their wall-clock time.
    static let bootsMax = 8

    /// Nothing is known: observations are placed by their wall-clock time.
    package init() {}

    /// Adds a mark; removes the oldest boot if there are too many.
    package mutating func add(_ mark: Mark, of boot: String) {
        if marks[boot] == nil { boots.append(boot) }
        marks[boot, default: []].append(mark)
        while boots.count > Self.bootsMax { marks[boots.removeFirst()] = nil }
    }

    /// The mark to add after a reading; nil if the last one is still valid.
    package func missing(_ time: TrustedTime, at elapsed: Milliseconds) -> Mark? {
        if let last = marks[time.bootID]?.last, abs(last.offset - time.offset) <= Self.step {
            return nil
        }
        return Mark(elapsed: elapsed, offset: time.offset, floor: time.floor)
    }

    /// The trusted instant of a moment of a boot at which the wall clock showed `wall`; nil for an unknown
    /// boot, such as another machine's.
    package func believed(boot: String, elapsed: Milliseconds, wall: Instant) -> Instant? {
        guard let known = marks[boot], let first = known.first else { return nil }
        let mark = known.last { $0.elapsed <= elapsed } ?? first
        let expected = elapsed + mark.offset
        let isBelieved = abs(wall - expected) <= TrustedTime.tolerance + Self.step
        // The wall-clock time cannot be before the start of the boot either.
        return isBelieved ? max(wall, mark.floor.map { elapsed + $0 } ?? wall) : expected
    }
}
