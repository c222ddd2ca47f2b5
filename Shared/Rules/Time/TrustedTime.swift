package import Units

/// The wall clock as far as it is believed. Whoever sits at the machine may set its clock; a day
/// may not end by that. CLOCK_BOOTTIME cannot be set: what the wall clock did between two readings beyond
/// what it explains is a step, and a step counts only when time synchronisation or the guardian confirms
/// it. Until then time goes on as if nobody had touched the clock.
///
/// Steps up to ``tolerance`` in sum since the last confirmation are taken as they come: leap seconds, a
/// clock put right by hand.
///
/// A value: give it readings in the order they were made, keep it, go on with it after a restart or a reboot.
package struct TrustedTime: Hashable, Sendable {
    /// What the machine's clocks show at one moment.
    package struct Reading: Hashable, Sendable {
        /// `/proc/sys/kernel/random/boot_id`.
        package var bootID: String
        /// CLOCK_BOOTTIME.
        package var elapsed: Milliseconds
        /// CLOCK_REALTIME.
        package var wall: Instant

        package init(bootID: String, elapsed: Milliseconds, wall: Instant) {
            self.bootID = bootID
            self.elapsed = elapsed
            self.wall = wall
        }

        /// Wall clock minus boot clock: only a step, or the slow pulling of synchronisation, changes it.
        var offset: Instant { wall - elapsed }
    }

    package var bootID: String
    /// Wall clock minus boot clock as it was confirmed last.
    package var confirmed: Instant
    /// Wall clock minus boot clock by which time goes now.
    package var offset: Instant
    /// How far the wall clock is ahead of the time that is believed; negative: behind; 0: there is no step.
    package var held: Milliseconds
    /// The latest instant that was believed.
    package var latest: Instant
    /// Where this boot begins at the earliest, its clock at 0: at the end of what the boot before saw, since
    /// time does not go back over a reboot. Nil: nothing is known before it, or its clock was confirmed.
    package var floor: Instant?

    /// What a clock may differ from what was confirmed before anybody is asked: two minutes.
    package static let tolerance: Milliseconds = 120_000

    package init(
        bootID: String, confirmed: Instant, offset: Instant, held: Milliseconds, latest: Instant,
        floor: Instant? = nil
    ) {
        self.bootID = bootID
        self.confirmed = confirmed
        self.offset = offset
        self.held = held
        self.latest = latest
        self.floor = floor
    }

    /// The very first reading is believed: there is nothing to compare it with.
    package init(first reading: Reading) {
        self.init(
            bootID: reading.bootID, confirmed: reading.offset, offset: reading.offset, held: 0,
            latest: reading.wall)
    }

    /// Takes the present reading in.
    /// - Parameter isSynchronised: whether the kernel says that its clock is; asked only when it matters.
    /// - Returns: the time that is believed.
    @discardableResult
    package mutating func take(_ reading: Reading, isSynchronised: () -> Bool) -> Instant {
        if reading.bootID != bootID { begin(reading) }
        let isFar = abs(reading.offset - confirmed) > Self.tolerance
        let isBeforeFloor = reading.offset < floor ?? .min
        if isFar || isBeforeFloor, isSynchronised() {
            confirm(reading)
        } else if isFar {
            held = reading.offset - offset
        } else {
            offset = max(reading.offset, floor ?? .min)
            held = 0
        }
        let now = reading.elapsed + offset
        latest = max(latest, now)
        return now
    }

    /// The guardian says that the wall clock is right.
    package mutating func confirm(_ reading: Reading) {
        bootID = reading.bootID
        confirmed = reading.offset
        offset = reading.offset
        floor = nil
        held = 0
    }

    /// After a reboot only the hardware clock tells what time it is, and it may carry the step that was not
    /// believed.
    private mutating func begin(_ reading: Reading) {
        bootID = reading.bootID
        let carried = held > 0 && reading.wall - held >= latest ? held : 0
        let told = reading.offset - carried
        // The whole boot follows the one before, not only this reading: sensors may have begun before us.
        offset = max(told, latest)
        floor = latest
        confirmed = latest - told > Self.tolerance ? offset : told
    }
}
