/// The wall clock as far as it is believed (design 4). Whoever sits at the machine may set its clock; a day
/// may not end by that. CLOCK_BOOTTIME cannot be set: what the wall clock did between two readings beyond
/// what it explains is a step, and a step counts only when time synchronisation or the guardian confirms
/// it. Until then time goes on as if nobody had touched the clock.
///
/// Steps up to ``tolerance_ms`` in sum since the last confirmation are taken as they come: leap seconds, a
/// clock put right by hand.
///
/// A value: give it readings in the order they were made, keep it, go on with it after a restart or a reboot.
package struct TrustedTime: Hashable, Sendable {
    /// What the machine's clocks show at one moment.
    package struct Reading: Hashable, Sendable {
        /// `/proc/sys/kernel/random/boot_id`.
        package var bootID: String
        /// CLOCK_BOOTTIME.
        package var elapsed_ms: Int64
        /// CLOCK_REALTIME.
        package var wall_ms: Int64

        package init(bootID: String, elapsed_ms: Int64, wall_ms: Int64) {
            self.bootID = bootID
            self.elapsed_ms = elapsed_ms
            self.wall_ms = wall_ms
        }

        /// Wall clock minus boot clock: only a step, or the slow pulling of synchronisation, changes it.
        var offset_ms: Int64 { wall_ms - elapsed_ms }
    }

    package var bootID: String
    /// Wall clock minus boot clock as it was confirmed last.
    package var confirmed_ms: Int64
    /// Wall clock minus boot clock by which time goes now.
    package var offset_ms: Int64
    /// How far the wall clock is ahead of the time that is believed; negative: behind; 0: there is no step.
    package var held_ms: Int64
    /// The latest instant that was believed.
    package var latest_ms: Int64
    /// Where this boot begins at the earliest, its clock at 0: at the end of what the boot before saw, since
    /// time does not go back over a reboot. Nil: nothing is known before it, or its clock was confirmed.
    package var floor_ms: Int64?

    /// What a clock may differ from what was confirmed before anybody is asked: two minutes.
    package static let tolerance_ms: Int64 = 120_000

    package init(
        bootID: String, confirmed_ms: Int64, offset_ms: Int64, held_ms: Int64, latest_ms: Int64,
        floor_ms: Int64? = nil
    ) {
        self.bootID = bootID
        self.confirmed_ms = confirmed_ms
        self.offset_ms = offset_ms
        self.held_ms = held_ms
        self.latest_ms = latest_ms
        self.floor_ms = floor_ms
    }

    /// The very first reading is believed: there is nothing to compare it with.
    package init(first reading: Reading) {
        self.init(
            bootID: reading.bootID, confirmed_ms: reading.offset_ms, offset_ms: reading.offset_ms, held_ms: 0,
            latest_ms: reading.wall_ms)
    }

    /// Takes the present reading in.
    /// - Parameter isSynchronised: whether the kernel says that its clock is; asked only when it matters.
    /// - Returns: the time that is believed, UTC milliseconds.
    @discardableResult
    package mutating func take(_ reading: Reading, isSynchronised: () -> Bool) -> Int64 {
        if reading.bootID != bootID { begin(reading) }
        let isFar = abs(reading.offset_ms - confirmed_ms) > Self.tolerance_ms
        let isBeforeFloor = reading.offset_ms < floor_ms ?? .min
        if isFar || isBeforeFloor, isSynchronised() {
            confirm(reading)
        } else if isFar {
            held_ms = reading.offset_ms - offset_ms
        } else {
            offset_ms = max(reading.offset_ms, floor_ms ?? .min)
            held_ms = 0
        }
        let now_ms = reading.elapsed_ms + offset_ms
        latest_ms = max(latest_ms, now_ms)
        return now_ms
    }

    /// The guardian says that the wall clock is right.
    package mutating func confirm(_ reading: Reading) {
        bootID = reading.bootID
        confirmed_ms = reading.offset_ms
        offset_ms = reading.offset_ms
        floor_ms = nil
        held_ms = 0
    }

    /// After a reboot only the hardware clock tells what time it is, and it may carry the step that was not
    /// believed.
    private mutating func begin(_ reading: Reading) {
        bootID = reading.bootID
        let carried_ms = held_ms > 0 && reading.wall_ms - held_ms >= latest_ms ? held_ms : 0
        let told_ms = reading.offset_ms - carried_ms
        // The whole boot follows the one before, not only this reading: sensors may have begun before us.
        offset_ms = max(told_ms, latest_ms)
        floor_ms = latest_ms
        confirmed_ms = latest_ms - told_ms > Self.tolerance_ms ? offset_ms : told_ms
    }
}
