/// How the believed time lay against the clock of each boot: where an observation that carries its boot's
/// time belongs, whatever its wall clock said.
package struct BootOffsets: Hashable, Sendable {
    /// From this moment of the boot on.
    package struct Mark: Hashable, Sendable {
        package var elapsed_ms: Int64
        package var offset_ms: Int64
        /// See ``TrustedTime/floor_ms``.
        package var floor_ms: Int64?

        package init(elapsed_ms: Int64, offset_ms: Int64, floor_ms: Int64? = nil) {
            self.elapsed_ms = elapsed_ms
            self.offset_ms = offset_ms
            self.floor_ms = floor_ms
        }
    }

    /// Of each boot in order.
    package private(set) var marks: [String: [Mark]] = [:]
    /// The boots in the order in which they came.
    package private(set) var boots: [String] = []

    /// A new mark is worth it when time has moved this far against the boot's clock: half a minute.
    static let step_ms: Int64 = 30_000
    /// Observations of earlier boots than so many are placed by their wall clock.
    static let bootsMax = 8

    package init() {}

    package mutating func add(_ mark: Mark, of boot: String) {
        if marks[boot] == nil { boots.append(boot) }
        marks[boot, default: []].append(mark)
        while boots.count > Self.bootsMax { marks[boots.removeFirst()] = nil }
    }

    /// The mark to add after a reading was taken in; nil: the last one says the same.
    package func missing(_ time: TrustedTime, at elapsed_ms: Int64) -> Mark? {
        if let last = marks[time.bootID]?.last, abs(last.offset_ms - time.offset_ms) <= Self.step_ms {
            return nil
        }
        return Mark(elapsed_ms: elapsed_ms, offset_ms: time.offset_ms, floor_ms: time.floor_ms)
    }

    /// The believed instant of a moment of a boot at which the wall clock showed `wall_ms`; nil: a boot
    /// that is not known, such as another machine's.
    package func believed_ms(boot: String, elapsed_ms: Int64, wall_ms: Int64) -> Int64? {
        guard let known = marks[boot], let first = known.first else { return nil }
        let mark = known.last { $0.elapsed_ms <= elapsed_ms } ?? first
        let expected_ms = elapsed_ms + mark.offset_ms
        let isBelieved = abs(wall_ms - expected_ms) <= TrustedTime.tolerance_ms + Self.step_ms
        // Nor does what its wall clock said lie before the boot itself.
        return isBelieved ? max(wall_ms, mark.floor_ms.map { elapsed_ms + $0 } ?? wall_ms) : expected_ms
    }
}
