internal import CPosix
import Glibc
import Time
package import Units

/// What the machine's clocks say, beside CLOCK_REALTIME.
package enum MachineClock {
    /// CLOCK_BOOTTIME: milliseconds since the machine was started, suspend included. Nobody can set it.
    package static var elapsed: Milliseconds { KernelClock.read(CLOCK_BOOTTIME) }

    /// Of random(4): another one after each boot; empty where the kernel does not tell.
    package static func readBootID() -> String {
        let descriptor = open("/proc/sys/kernel/random/boot_id", O_RDONLY | O_CLOEXEC)
        guard descriptor >= 0 else { return "" }
        defer { close(descriptor) }
        var bytes = [UInt8](repeating: 0, count: 128)
        let count = read(descriptor, &bytes, bytes.count)
        return String(decoding: bytes.prefix(max(0, count)).prefix { $0 > 32 }, as: UTF8.self)
    }

    /// Whether the kernel says that its clock is kept by time synchronisation (adjtimex(2)). Setting the
    /// clock by hand takes that back, until the next answer of a time server.
    package static var isSynchronised: Bool {
        var state = timex()
        return adjtimex(&state) >= 0 && state.status & STA_UNSYNC == 0
    }
}
