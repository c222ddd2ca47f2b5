import Contract
import JSON
import Rules
import Units

/// The trusted time as stored between two runs.
@Record
struct SavedTime: Record {
    /// Boot id of the last reading.
    var boot: String = ""
    /// Wall clock minus boot clock when last confirmed.
    var confirmed: Instant = 0
    /// Trusted time minus the boot's clock.
    var offset: Instant = 0
    /// The step that is held.
    var held: Milliseconds = 0
    /// The latest trusted instant.
    var latest: Instant = 0
    /// The last published step.
    var told: Milliseconds = 0
    /// Earliest instant at which the boot can begin.
    var floor: Instant?
    /// Offsets between trusted time and the clocks of boots.
    var marks: [Mark] = []

    @Record
    struct Mark: Record {
        /// Boot id.
        var boot: String = ""
        /// Valid from this moment of the boot.
        var elapsed: Milliseconds = 0
        /// Trusted time minus the boot's clock.
        var offset: Instant = 0
        /// Earliest instant at which the boot can begin.
        var floor: Instant?

        init(boot: String, _ mark: BootOffsets.Mark) {
            self.boot = boot
            elapsed = mark.elapsed
            offset = mark.offset
            floor = mark.floor
        }
    }

    /// - Parameter told: the last published step; 0 if none, or if it ended.
    init(_ time: TrustedTime, _ offsets: BootOffsets, told: Milliseconds) {
        boot = time.bootID
        confirmed = time.confirmed
        offset = time.offset
        held = time.held
        latest = time.latest
        floor = time.floor
        self.told = told
        marks = offsets.boots.flatMap { boot in
            (offsets.marks[boot] ?? []).map { Mark(boot: boot, $0) }
        }
    }

    var time: TrustedTime {
        TrustedTime(
            bootID: boot, confirmed: confirmed, offset: offset, held: held,
            latest: latest, floor: floor)
    }

    var offsets: BootOffsets {
        var offsets = BootOffsets()
        for mark in marks {
            offsets.add(
                .init(elapsed: mark.elapsed, offset: mark.offset, floor: mark.floor),
                of: mark.boot)
        }
        return offsets
    }
}
