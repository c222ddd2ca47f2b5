import Contract
import JSON
import Rules

/// The believed time as the store keeps it between two runs.
struct SavedTime: Record {
    struct Mark: Record {
        var boot = ""
        var elapsedMs: Int64 = 0
        var offsetMs: Int64 = 0
        var floorMs: Int64?

        init() {}
        init(boot: String, _ mark: BootOffsets.Mark) {
            self.boot = boot
            elapsedMs = mark.elapsed_ms
            offsetMs = mark.offset_ms
            floorMs = mark.floor_ms
        }
        mutating func fields<V: FieldVisitor>(_ visitor: inout V) throws(JSONError) {
            try visitor.field("boot", &boot, "Boot id.")
            try visitor.field("elapsed_ms", &elapsedMs, "From this moment of the boot on.")
            try visitor.field("offset_ms", &offsetMs, "Believed time minus the boot's clock.")
            try visitor.field("floor_ms", &floorMs, "Where the boot begins at the earliest.")
        }
    }

    var boot = ""
    var confirmedMs: Int64 = 0
    var offsetMs: Int64 = 0
    var heldMs: Int64 = 0
    var latestMs: Int64 = 0
    var toldMs: Int64 = 0
    var floorMs: Int64?
    var marks: [Mark] = []

    init() {}
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
    mutating func fields<V: FieldVisitor>(_ visitor: inout V) throws(JSONError) {
        try visitor.field("boot", &boot, "Boot id of the last reading.")
        try visitor.field("confirmed_ms", &confirmedMs, "Wall clock minus boot clock as confirmed last.")
        try visitor.field("offset_ms", &offsetMs, "Believed time minus the boot's clock.")
        try visitor.field("held_ms", &heldMs, "The step that is not believed.")
        try visitor.field("latest_ms", &latestMs, "The latest instant that was believed.")
        try visitor.field("told_ms", &toldMs, "The step that was told last.")
        try visitor.field("floor_ms", &floorMs, "Where the boot begins at the earliest.")
        try visitor.field("marks", &marks, "How time lay against the clocks of boots.")
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
