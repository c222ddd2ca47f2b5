import Contract
import Glibc
import Time
import Units

/// Time stamps for observations: wall clock, boot clock, and an ordinal within one millisecond.
struct ObservationClock {
    let bootID: String
    private var last: (at: Instant, ordinal: Int64)?
    /// Wall clock minus boot clock, the instant of the boot. It is kept while it is right to a millisecond:
    /// the fractions of the clocks differ, and the end of one use must equal the start of the next on both
    /// clocks.
    private var offset: Instant?
    /// How long the machine has slept since boot, as of the last check.
    private var slept = Self.readSlept()

    init(bootID: String = Self.readBootID()) { self.bootID = bootID }

    /// Stamps with the present instant. Calls must be in the order of the events.
    mutating func stamp(_ kind: ObservationKind) -> Observation {
        guard !WallTime.isVirtual else { return stamp(kind, standingAt: WallTime.now) }
        return stamp(
            kind, at: Instant(KernelClock.read(CLOCK_REALTIME)),
            boottime: KernelClock.read(CLOCK_BOOTTIME))
    }

    mutating func stamp(_ kind: ObservationKind, at: Instant, boottime: Milliseconds) -> Observation {
        var at = at
        if let offset, abs(boottime + offset - at) <= 1 { at = boottime + offset }
        offset = at - boottime
        let ordinal = ordinal(at)
        return Observation(
            at: at, kind: kind, ordinal: ordinal == 0 ? nil : ordinal, bootID: bootID,
            boottime: boottime)
    }

    /// On the virtual clock, which has no boot clock.
    private mutating func stamp(_ kind: ObservationKind, standingAt at: Instant) -> Observation {
        let ordinal = ordinal(at)
        return Observation(at: at, kind: kind, ordinal: ordinal == 0 ? nil : ordinal)
    }

    private mutating func ordinal(_ at: Instant) -> Int64 {
        var ordinal: Int64 = 0
        if let last, last.at == at { ordinal = last.ordinal + 1 }
        last = (at, ordinal)
        return ordinal
    }

    /// Whether the machine slept for a second or more since the last `hasSlept()`.
    var sleptMeanwhile: Bool { Self.readSlept() - slept >= 1_000 }

    /// The same, and resets the measurement.
    mutating func hasSlept() -> Bool {
        let before = slept
        slept = max(before, Self.readSlept())
        return slept - before >= 1_000
    }

    /// Marks the sleep until now as reported.
    mutating func isAwake() { slept = Self.readSlept() }

    /// CLOCK_BOOTTIME includes sleep, CLOCK_MONOTONIC does not (clock_gettime(2)).
    private static func readSlept() -> Milliseconds {
        KernelClock.read(CLOCK_BOOTTIME) - KernelClock.read(CLOCK_MONOTONIC)
    }

    /// The boot id of random(4); if the kernel does not provide it, empty, which matches nothing.
    static func readBootID() -> String { ProcFile.text("/proc/sys/kernel/random/boot_id") ?? "" }
}

/// The time of a predecessor's death, as recorded by its guard.
struct DeathRecord: Equatable {
    var at: Instant
    var boottime: Milliseconds
    var bootID: String

    /// Replaces the boot id if there was a virtual clock.
    private static let noBoot = "virtual"

    static func now() -> DeathRecord {
        guard !WallTime.isVirtual else {
            return DeathRecord(at: WallTime.now, boottime: 0, bootID: noBoot)
        }
        return DeathRecord(
            at: Instant(KernelClock.read(CLOCK_REALTIME)),
            boottime: KernelClock.read(CLOCK_BOOTTIME), bootID: ObservationClock.readBootID())
    }

    var text: String { "\(at) \(boottime) \(bootID)" }

    init(at: Instant, boottime: Milliseconds, bootID: String) {
        (self.at, self.boottime, self.bootID) = (at, boottime, bootID)
    }

    /// Nil unless written by `text`.
    init?(text: String) {
        let words = text.split(separator: " ").map(String.init)
        guard words.count == 3, let at = Int64(words[0]), let boottime = Int64(words[1]) else {
            return nil
        }
        self.init(
            at: Instant(milliseconds: at), boottime: Milliseconds(boottime), bootID: words[2])
    }

    /// The end of the sensor at that time.
    var observation: Observation {
        bootID == Self.noBoot
            ? Observation(at: at, kind: .sensorLost)
            : Observation(at: at, kind: .sensorLost, bootID: bootID, boottime: boottime)
    }
}
