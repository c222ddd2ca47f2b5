package import Contract
package import Units

/// The instants at which the wall clock of a zone matches components: Apple's calendar triggers. A time in a
/// spring gap moves forward by the gap; of a repeated time, the first counts.
package struct CivilMoments: Sendable {
    private let pattern: WallPattern
    private let zone: Zone

    /// - Parameter name: name of the components in errors.
    /// - Throws: `invalidDateComponents`, naming the component.
    package init(_ components: DateComponents, _ name: String, zone: Zone) throws(CivilTimeError) {
        pattern = try WallPattern(components, name)
        self.zone = zone
    }

    /// The first instant after `instant`; nil if there is none.
    package func next(after instant: Instant) -> Instant? {
        var wall = zone.wall(at: instant) + 1
        while let found = pattern.first(from: wall) {
            let next = zone.instant(ofWall: found)
            if next > instant { return next }
            wall = found + 1
        }
        return nil
    }
}
