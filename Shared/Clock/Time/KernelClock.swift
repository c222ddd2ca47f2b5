package import Glibc
package import Units

/// The kernel's clocks (clock_gettime(2)). In a program with the preloaded clock library they are virtual. In
/// a service only ``WallTime`` is virtual, and these are the machine's.
package enum KernelClock {
    /// Reads a clock in nanoseconds. It must be one that Linux always has: CLOCK_REALTIME, CLOCK_MONOTONIC,
    /// CLOCK_BOOTTIME.
    package static func readNs(_ clock: clockid_t) -> Int64 {
        var time = timespec()
        let failure = clock_gettime(clock, &time)
        precondition(failure == 0, "the kernel has no clock \(clock)")
        return Int64(time.tv_sec) * 1_000_000_000 + Int64(time.tv_nsec)
    }

    /// Reads a clock in milliseconds, rounded down.
    package static func read(_ clock: clockid_t) -> Milliseconds { Milliseconds(readNs(clock) / 1_000_000) }
}

/// CLOCK_MONOTONIC, which does not advance during suspend: for deadlines of transport and durations of spans.
package enum MonotonicClock {
    /// Time since an unspecified start, in milliseconds.
    package static var now: Milliseconds { KernelClock.read(CLOCK_MONOTONIC) }
    /// The same in nanoseconds.
    package static var nowNs: Int64 { KernelClock.readNs(CLOCK_MONOTONIC) }
}
