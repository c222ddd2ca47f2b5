package import CClock
import Glibc
import Synchronization
package import Units

/// CLOCK_REALTIME, or the virtual clock of this process: for stamps that people read. What decides about use
/// takes its clock from outside.
package enum WallTime {
    /// Address of the page that holds the virtual clock; 0: the machine's clock. A page is never unmapped.
    private static let page = Atomic<UInt>(0)

    package static var now: Instant {
        if let page = UnsafePointer<clock_page>(bitPattern: page.load(ordering: .acquiring)) {
            return Instant(Milliseconds(clock_page_guarded_ns(page, machineNs) / 1_000_000))
        }
        return Instant(Milliseconds(machineNs / 1_000_000))
    }

    package static var isVirtual: Bool { page.load(ordering: .relaxed) != 0 }

    /// Where the page of a state directory lies.
    package static func path(in stateDirectory: String) -> String { stateDirectory + "/clock" }

    /// From here on this process tells the time of a page.
    package static func follow(_ raw: UnsafeMutablePointer<clock_page>) {
        page.store(UInt(bitPattern: raw), ordering: .releasing)
    }

    /// The same for a process without a reactor; without a page in `stateDirectory` the machine's clock
    /// stays.
    package static func follow(clockOf stateDirectory: String) {
        if let page = clock_page_map(path(in: stateDirectory), 0) { follow(page) }
    }

    /// What the machine's own clock shows, whatever else this process lives by.
    package static var machineNs: Int64 {
        KernelClock.readNs(CLOCK_REALTIME)
    }
}
