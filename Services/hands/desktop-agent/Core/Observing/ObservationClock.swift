import Contract
import Glibc
import Time

/// Stamps observations: the wall clock, the boot's own clock, and the order within one millisecond.
struct ObservationClock {
    let bootID: String
    private var last: (at_ms: Int64, ordinal: Int64)?
    /// Wall clock minus boot clock. Kept while it is right to a millisecond: the two clocks' fractions
    /// differ, and the end of one use shall be the beginning of the next by either clock.
    private var offset_ms: Int64?
    /// How long the machine has slept since its start, as far as is known.
    private var slept_ms = Self.readSlept_ms()

    init(bootID: String = Self.readBootID()) { self.bootID = bootID }

    /// Stamps with the present instant. Calls must come in the order of what happened.
    mutating func stamp(_ kind: ObservationKind) -> Observation {
        guard !WallTime.isVirtual else { return stamp(kind, standingAt_ms: WallTime.nowMs) }
        return stamp(
            kind, at_ms: KernelClock.readMs(CLOCK_REALTIME), boottime_ms: KernelClock.readMs(CLOCK_BOOTTIME))
    }

    mutating func stamp(_ kind: ObservationKind, at_ms: Int64, boottime_ms: Int64) -> Observation {
        var at_ms = at_ms
        if let offset_ms, abs(boottime_ms + offset_ms - at_ms) <= 1 { at_ms = boottime_ms + offset_ms }
        offset_ms = at_ms - boottime_ms
        let ordinal = ordinal(at_ms)
        return Observation(
            atMs: at_ms, kind: kind, ordinal: ordinal == 0 ? nil : ordinal, bootID: bootID,
            boottimeMs: boottime_ms)
    }

    /// By the virtual clock, which no boot clock measures.
    private mutating func stamp(_ kind: ObservationKind, standingAt_ms at_ms: Int64) -> Observation {
        let ordinal = ordinal(at_ms)
        return Observation(atMs: at_ms, kind: kind, ordinal: ordinal == 0 ? nil : ordinal)
    }

    private mutating func ordinal(_ at_ms: Int64) -> Int64 {
        var ordinal: Int64 = 0
        if let last, last.at_ms == at_ms { ordinal = last.ordinal + 1 }
        last = (at_ms, ordinal)
        return ordinal
    }

    /// Whether the machine slept for a second or more since `hasSlept()` was asked last.
    var sleptMeanwhile: Bool { Self.readSlept_ms() - slept_ms >= 1_000 }

    /// Whether the machine slept since this was asked last, for a second or more.
    mutating func hasSlept() -> Bool {
        let before_ms = slept_ms
        slept_ms = max(before_ms, Self.readSlept_ms())
        return slept_ms - before_ms >= 1_000
    }

    /// The sleep until now is known.
    mutating func isAwake() { slept_ms = Self.readSlept_ms() }

    /// CLOCK_BOOTTIME goes on in sleep, CLOCK_MONOTONIC does not (clock_gettime(2)).
    private static func readSlept_ms() -> Int64 {
        KernelClock.readMs(CLOCK_BOOTTIME) - KernelClock.readMs(CLOCK_MONOTONIC)
    }

    /// Of random(4); empty where the kernel does not tell, which then matches nothing.
    static func readBootID() -> String { ProcFile.text("/proc/sys/kernel/random/boot_id") ?? "" }
}

/// When and by what clock a predecessor died, as its guard wrote it down.
struct DeathNote: Equatable {
    var at_ms: Int64
    var boottime_ms: Int64
    var bootID: String

    /// Instead of a boot id, when there was a virtual clock.
    private static let noBoot = "virtual"

    static func now() -> DeathNote {
        guard !WallTime.isVirtual else {
            return DeathNote(at_ms: WallTime.nowMs, boottime_ms: 0, bootID: noBoot)
        }
        return DeathNote(
            at_ms: KernelClock.readMs(CLOCK_REALTIME),
            boottime_ms: KernelClock.readMs(CLOCK_BOOTTIME), bootID: ObservationClock.readBootID())
    }

    var text: String { "\(at_ms) \(boottime_ms) \(bootID)" }

    init(at_ms: Int64, boottime_ms: Int64, bootID: String) {
        (self.at_ms, self.boottime_ms, self.bootID) = (at_ms, boottime_ms, bootID)
    }

    /// Nil: not what `text` wrote.
    init?(text: String) {
        let words = text.split(separator: " ").map(String.init)
        guard words.count == 3, let at_ms = Int64(words[0]), let boottime_ms = Int64(words[1]) else {
            return nil
        }
        self.init(at_ms: at_ms, boottime_ms: boottime_ms, bootID: words[2])
    }

    /// What ended then was the sensor.
    var observation: Observation {
        bootID == Self.noBoot
            ? Observation(atMs: at_ms, kind: .sensorLost)
            : Observation(atMs: at_ms, kind: .sensorLost, bootID: bootID, boottimeMs: boottime_ms)
    }
}
