internal import CPosix
import Glibc
import Time
package import Units

/// The machine's clocks besides CLOCK_REALTIME.
package enum MachineClock {
    /// CLOCK_BOOTTIME: milliseconds since boot, suspend included. Nobody can set it.
    package static var elapsed: Milliseconds { KernelClock.read(CLOCK_BOOTTIME) }

    /// The boot id of random(4), which changes with each boot; empty if the kernel does not provide it.
    package static func readBootID() -> String {
        let descriptor = open("/proc/sys/kernel/random/boot_id", O_RDONLY | O_CLOEXEC)
        guard descriptor >= 0 else { return "" }
        defer { close(descriptor) }
        var bytes = [UInt8](repeating: 0, count: 128)
        let count = read(descriptor, &bytes, bytes.count)
        return String(decoding: bytes.prefix(max(0, count)).prefix { $0 > 32 }, as: UTF8.self)
    }

    /// Whether the kernel reports a synchronised clock (adjtimex(2)). Setting the clock by hand clears this
    /// until the next answer of a time server.
    package static var isSynchronised: Bool {
        var state = timex()
        return adjtimex(&state) >= 0 && state.status & STA_UNSYNC == 0
    }
}
