package import Bus
import CClock
import Glibc

/// Clocks that a test moves: programs that the world starts later read them through the preloaded clock
/// library. The test's own process keeps the machine's.
@BusActor package final class MovedClock {
    private let page: UnsafeMutablePointer<clock_page>
    private let bootPath: String

    /// - Parameter instant_ms: 0: they begin as the machine's; else CLOCK_REALTIME stands at it.
    package init(_ world: World, standsAt instant_ms: Int64 = 0) throws {
        let path = world.directory + "/clock.page"
        bootPath = world.directory + "/boot_id"
        guard clock_page_create(path, instant_ms == 0 ? 0 : 1, instant_ms * 1_000_000) == 0,
            let mapped = clock_page_map(path, 1)
        else { throw Overdue("the clock page \(path): errno \(errno)") }
        page = mapped
        world.environment["LD_PRELOAD"] = World.products + "/libscreentime-clock.so"
        world.environment["SCREENTIME_CLOCK_PAGE"] = path
    }

    isolated deinit { munmap(page, MemoryLayout<clock_page>.size) }

    /// What the programs read as CLOCK_REALTIME, UTC milliseconds.
    package var now_ms: Int64 {
        clock_page_realtime_ns(page, WallTime.nowMs * 1_000_000) / 1_000_000
    }

    /// The machine sleeps: CLOCK_BOOTTIME and CLOCK_REALTIME go on, CLOCK_MONOTONIC does not, and nobody set
    /// a clock.
    package func suspend(_ milliseconds: Int64) {
        add(milliseconds, \.boottime_ns)
        add(milliseconds, \.realtime_ns)
        clock_page_changed(page)
    }

    /// Time passes for all, as if the test had waited.
    package func pass(_ milliseconds: Int64) {
        add(milliseconds, \.monotonic_ns)
        suspend(milliseconds)
    }

    /// Somebody sets the clock, forward or back.
    package func set(by milliseconds: Int64) {
        add(milliseconds, \.realtime_ns)
        withUnsafeMutablePointer(to: &page.pointee.sets) { clock_page_store($0, clock_page_load($0) + 1) }
        clock_page_changed(page)
    }

    /// What programs started from now on read as the kernel's boot id; CLOCK_BOOTTIME begins anew.
    package func reboot(_ bootID: String, in world: World) throws {
        let file = fopen(bootPath, "w")
        guard let file, fputs(bootID + "\n", file) >= 0, fclose(file) == 0 else {
            throw Overdue("writing \(bootPath): errno \(errno)")
        }
        world.environment["SCREENTIME_CLOCK_BOOT_ID"] = bootPath
        var machine = timespec()
        clock_gettime(CLOCK_BOOTTIME, &machine)
        let elapsed_ns = Int64(machine.tv_sec) * 1_000_000_000 + Int64(machine.tv_nsec)
        withUnsafeMutablePointer(to: &page.pointee.boottime_ns) { clock_page_store_ns($0, -elapsed_ns) }
        clock_page_changed(page)
    }

    private func add(
        _ milliseconds: Int64, _ field: WritableKeyPath<clock_page, Int64>
    ) {
        withUnsafeMutablePointer(to: &page.pointee[keyPath: field]) {
            clock_page_store_ns($0, clock_page_load_ns($0) + milliseconds * 1_000_000)
        }
    }
}
