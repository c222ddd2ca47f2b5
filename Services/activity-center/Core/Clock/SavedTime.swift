import Contract
import JSON
import Rules

/// The believed time as the store keeps it between two runs.
@Record
struct SavedTime: Record {
    /// Boot id of the last reading.
    var boot: String = ""
    /// Wall clock minus boot clock as confirmed last.
    var confirmedMs: Int64 = 0
    /// Believed time minus the boot's clock.
    var offsetMs: Int64 = 0
    /// The step that is not believed.
    var heldMs: Int64 = 0
    /// The latest instant that was believed.
    var latestMs: Int64 = 0
    /// The step that was told last.
    var toldMs: Int64 = 0
    /// Where the boot begins at the earliest.
    var floorMs: Int64?
    /// How time lay against the clocks of boots.
    var marks: [Mark] = []

    @Record
    struct Mark: Record {
        /// Boot id.
        var boot: String = ""
        /// From this moment of the boot on.
        var elapsedMs: Int64 = 0
        /// Believed time minus the boot's clock.
        var offsetMs: Int64 = 0
        /// Where the boot begins at the earliest.
        var floorMs: Int64?

        init(boot: String, _ mark: BootOffsets.Mark) {
            self.boot = boot
            elapsedMs = mark.elapsed_ms
            offsetMs = mark.offset_ms
            floorMs = mark.floor_ms
        }
    }

    /// - Parameter told_ms: the step that was told last; 0: none, or that it is over.
    init(_ time: TrustedTime, _ offsets: BootOffsets, told_ms: Int64) {
        boot = time.bootID
        confirmedMs = time.confirmed_ms
        offsetMs = time.offset_ms
        heldMs = time.held_ms
        latestMs = time.latest_ms
        floorMs = time.floor_ms
        toldMs = told_ms
        marks = offsets.boots.flatMap { boot in
            (offsets.marks[boot] ?? []).map { Mark(boot: boot, $0) }
        }
    }

    var time: TrustedTime {
        TrustedTime(
            bootID: boot, confirmed_ms: confirmedMs, offset_ms: offsetMs, held_ms: heldMs,
            latest_ms: latestMs, floor_ms: floorMs)
    }

    var offsets: BootOffsets {
        var offsets = BootOffsets()
        for mark in marks {
            offsets.add(
                .init(elapsed_ms: mark.elapsedMs, offset_ms: mark.offsetMs, floor_ms: mark.floorMs),
                of: mark.boot)
        }
        return offsets
    }
}
