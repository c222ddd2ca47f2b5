package import Glibc

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
    package static func readMs(_ clock: clockid_t) -> Int64 { readNs(clock) / 1_000_000 }
}

/// CLOCK_MONOTONIC, which does not go on in suspend: for deadlines of transport and durations of spans.
package enum MonotonicClock {
    package static var nowMs: Int64 { KernelClock.readMs(CLOCK_MONOTONIC) }
    package static var nowNs: Int64 { KernelClock.readNs(CLOCK_MONOTONIC) }
}
