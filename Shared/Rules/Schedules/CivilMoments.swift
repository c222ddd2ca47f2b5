package import Contract

/// The instants at which the wall clock of one zone fits some components: Apple's calendar triggers. A time
/// in a spring gap moves forward by the gap, a repeated one is its first.
package struct CivilMoments: Sendable {
    private let pattern: WallPattern
    private let zone: Zone

    /// - Parameter name: of the components, for errors.
    /// - Throws: `invalidDateComponents`, naming the part.
    package init(_ components: DateComponents, _ name: String, zone: Zone) throws(CivilTimeError) {
        pattern = try WallPattern(components, name)
        self.zone = zone
    }

    /// The first instant after `instant_ms`, UTC milliseconds; `nil`: there is none.
    package func next(after instant_ms: Int64) -> Int64? {
        var wall_ms = zone.wall_ms(at: instant_ms) + 1
        while let found_ms = pattern.first(from: wall_ms) {
            let next_ms = zone.instant_ms(ofWall: found_ms)
            if next_ms > instant_ms { return next_ms }
            wall_ms = found_ms + 1
        }
        return nil
    }
}
