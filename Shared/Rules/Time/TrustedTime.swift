package import Units

/// The trusted time: the wall clock as far as it can be trusted. Anyone at the machine may set its clock, and
/// that must not end a day. CLOCK_BOOTTIME cannot be set: a change of the wall clock between two readings
/// that it does not explain is a step. A step is accepted only if time synchronisation or the guardian
/// confirms it. Until then time continues as if the clock had not been set.
///
/// Steps of up to ``tolerance`` in total since the last confirmation are accepted without confirmation: leap
/// seconds, a manual correction of the clock.
///
/// It is a value: apply readings in order, store it, and continue with it after a restart or a reboot.
package struct TrustedTime: Hashable, Sendable {
    /// A reading of the machine's clocks at one moment.
    package struct Reading: Hashable, Sendable {
        /// Identifies the boot: `/proc/sys/kernel/random/boot_id`.
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

        /// Wall clock minus boot clock. It changes only by a step, or by the slewing of time synchronisation.
        var offset: Instant { wall - elapsed }
    }

    /// Boot of the last reading.
    package var bootID: String
    /// Wall clock minus boot clock at the last confirmation.
    package var confirmed: Instant
    /// Trusted time minus boot clock.
    package var offset: Instant
    /// How far the wall clock is ahead of the trusted time; negative: behind; 0: there is no step.
    package var held: Milliseconds
    /// The latest trusted instant so far.
    package var latest: Instant
    /// The earliest possible start of this boot: the end of what the previous boot observed, because time
    /// does not go back over a reboot. Nil if nothing is known before it, or its clock was confirmed.
    package var floor: Instant?

    /// Difference from the confirmed time that is accepted without asking: two minutes.
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

    /// The first reading is trusted, because there is nothing to compare it with.
    package init(first reading: Reading) {
        self.init(
            bootID: reading.bootID, confirmed: reading.offset, offset: reading.offset, held: 0,
            latest: reading.wall)
    }

    /// Applies a reading.
    /// - Parameter isSynchronised: whether the kernel reports its clock as synchronised; called only if
    ///   needed.
    /// - Returns: the trusted time.
    @discardableResult
    package mutating func apply(_ reading: Reading, isSynchronised: () -> Bool) -> Instant {
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

    /// Accepts the wall clock, because the guardian confirmed it.
    package mutating func confirm(_ reading: Reading) {
        bootID = reading.bootID
        confirmed = reading.offset
        offset = reading.offset
        floor = nil
        held = 0
    }

    /// After a reboot only the hardware clock has the time, and it may include the step that was not
    /// accepted.
    private mutating func begin(_ reading: Reading) {
        bootID = reading.bootID
        let carried = held > 0 && reading.wall - held >= latest ? held : 0
        let told = reading.offset - carried
        // The whole boot comes after the previous one, not only this reading: sensors may have started before
        // this service.
        offset = max(told, latest)
        floor = latest
        confirmed = latest - told > Self.tolerance ? offset : told
    }
}
