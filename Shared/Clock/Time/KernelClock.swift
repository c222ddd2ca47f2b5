package import Glibc
package import Units

/// The clocks of the kernel (clock_gettime(2)). In a program that has the preloaded clock library they are
/// virtual; in a service ``WallTime`` is, and these stay the machine's.
package enum KernelClock {
    /// Nanoseconds of a clock that Linux always has: CLOCK_REALTIME, CLOCK_MONOTONIC, CLOCK_BOOTTIME.
    package static func readNs(_ clock: clockid_t) -> Int64 {
        var time = timespec()
        let failure = clock_gettime(clock, &time)
        precondition(failure == 0, "the kernel has no clock \(clock)")
        return Int64(time.tv_sec) * 1_000_000_000 + Int64(time.tv_nsec)
    }

    /// The same in milliseconds, rounded down.
    package static func read(_ clock: clockid_t) -> Milliseconds { Milliseconds(readNs(clock) / 1_000_000) }
}

/// CLOCK_MONOTONIC, which does not go on in suspend: for deadlines of transport and durations of spans.
package enum MonotonicClock {
    package static var now: Milliseconds { KernelClock.read(CLOCK_MONOTONIC) }
    package static var nowNs: Int64 { KernelClock.readNs(CLOCK_MONOTONIC) }
}
