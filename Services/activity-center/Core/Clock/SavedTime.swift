import Contract
import JSON
import Rules
import Units

/// The believed time as the store keeps it between two runs.
@Record
struct SavedTime: Record {
    /// Boot id of the last reading.
    var boot: String = ""
    /// Wall clock minus boot clock as confirmed last.
    var confirmed: Instant = 0
    /// Believed time minus the boot's clock.
    var offset: Instant = 0
    /// The step that is not believed.
    var held: Milliseconds = 0
    /// The latest instant that was believed.
    var latest: Instant = 0
    /// The step that was told last.
    var told: Milliseconds = 0
    /// Where the boot begins at the earliest.
    var floor: Instant?
    /// How time lay against the clocks of boots.
    var marks: [Mark] = []

    @Record
    struct Mark: Record {
        /// Boot id.
        var boot: String = ""
        /// From this moment of the boot on.
        var elapsed: Milliseconds = 0
        /// Believed time minus the boot's clock.
        var offset: Instant = 0
        /// Where the boot begins at the earliest.
        var floor: Instant?

        init(boot: String, _ mark: BootOffsets.Mark) {
            self.boot = boot
            elapsed = mark.elapsed
            offset = mark.offset
            floor = mark.floor
        }
    }

    /// - Parameter told: the step that was told last; 0: none, or that it is over.
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
