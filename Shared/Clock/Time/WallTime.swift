package import CClock
import Glibc
import Synchronization
package import Units

/// CLOCK_REALTIME or the virtual clock of this process, for times that people read. Code that decides about
/// use gets its clock passed in.
package enum WallTime {
    /// Address of the page of the virtual clock; 0 for the machine's clock. A page is never unmapped.
    private static let page = Atomic<UInt>(0)

    /// The present wall-clock time.
    package static var now: Instant {
        if let page = UnsafePointer<clock_page>(bitPattern: page.load(ordering: .acquiring)) {
            return Instant(Milliseconds(clock_page_guarded_ns(page, machineNs) / 1_000_000))
        }
        return Instant(Milliseconds(machineNs / 1_000_000))
    }

    /// Whether this process uses a virtual clock.
    package static var isVirtual: Bool { page.load(ordering: .relaxed) != 0 }

    /// Path of the clock page in a state directory.
    package static func path(in stateDirectory: String) -> String { stateDirectory + "/clock" }

    /// Switches this process to the clock of a page.
    package static func follow(_ raw: UnsafeMutablePointer<clock_page>) {
        page.store(UInt(bitPattern: raw), ordering: .releasing)
    }

    /// Switches a process without a reactor to the clock page of `stateDirectory`; without a page it keeps
    /// the machine's clock.
    package static func follow(clockOf stateDirectory: String) {
        if let page = clock_page_map(path(in: stateDirectory), 0) { follow(page) }
    }

    /// The machine's CLOCK_REALTIME in nanoseconds, even if this process uses a virtual clock.
    package static var machineNs: Int64 {
        KernelClock.readNs(CLOCK_REALTIME)
    }
}
