import CClock
import Glibc
package import Loop
package import ScreenTimeTesting
import ServiceKit
import Time
package import Units

/// Clocks that a test moves. Programs that the world starts later read them through the preloaded clock
/// library; the test's own process uses the machine's.
@LoopActor package final class MovedClock {
    private let page: UnsafeMutablePointer<clock_page>
    private let bootPath: String

    /// - Parameters:
    ///   - standsAt: CLOCK_REALTIME stands still at this instant.
    ///   - startsAt: CLOCK_REALTIME runs from this instant. Without either it starts at the machine's time.
    package init(_ world: World, standsAt: Instant? = nil, startsAt: Instant? = nil) throws {
        let path = world.directory + "/clock.page"
        bootPath = world.directory + "/boot_id"
        // If it runs, as an offset to the machine's clock.
        let begin = standsAt?.milliseconds ?? startsAt.map { ($0 - WallTime.now).count } ?? 0
        guard clock_page_create(path, standsAt == nil ? 0 : 1, begin * 1_000_000) == 0,
            let mapped = clock_page_map(path, 1)
        else { throw Overdue("the clock page \(path): errno \(errno)") }
        page = mapped
        setSynchronised(false)
        world.environment["LD_PRELOAD"] = World.products + "/libscreentime-clock.so"
        world.environment["SCREENTIME_CLOCK_PAGE"] = path
    }

    isolated deinit { munmap(page, MemoryLayout<clock_page>.size) }

    /// CLOCK_REALTIME of the programs.
    package var now: Instant {
        Instant(
            milliseconds: clock_page_realtime_ns(page, WallTime.now.milliseconds * 1_000_000) / 1_000_000)
    }

    /// CLOCK_BOOTTIME of the programs.
    package var elapsed: Milliseconds {
        MachineClock.elapsed + Milliseconds(page.pointee.boottime_ns / 1_000_000)
    }

    /// The kernel's boot id for the programs.
    package private(set) var bootID = MachineClock.readBootID()

    /// Simulates sleep: CLOCK_BOOTTIME and CLOCK_REALTIME advance, CLOCK_MONOTONIC does not, and no clock is
    /// set.
    package func suspend(_ time: Milliseconds) {
        add(time, \.boottime_ns)
        add(time, \.realtime_ns)
        clock_page_changed(page)
    }

    /// Advances all clocks, as if the test had waited.
    package func pass(_ time: Milliseconds) {
        add(time, \.monotonic_ns)
        suspend(time)
    }

    /// Sets CLOCK_REALTIME forward or back.
    package func set(by time: Milliseconds) {
        add(time, \.realtime_ns)
        withUnsafeMutablePointer(to: &page.pointee.sets) { clock_page_store($0, clock_page_load($0) + 1) }
        clock_page_changed(page)
    }

    /// Sets the kernel's report about time synchronisation.
    package func setSynchronised(_ isSynchronised: Bool) {
        withUnsafeMutablePointer(to: &page.pointee.discipline) {
            clock_page_store($0, isSynchronised ? 1 : 2)
        }
    }

    /// Simulates a reboot: programs started from now on read this boot id, and CLOCK_BOOTTIME starts again.
    package func reboot(_ bootID: String, in world: World) throws {
        let file = fopen(bootPath, "w")
        guard let file, fputs(bootID + "\n", file) >= 0, fclose(file) == 0 else {
            throw Overdue("writing \(bootPath): errno \(errno)")
        }
        world.environment["SCREENTIME_CLOCK_BOOT_ID"] = bootPath
        self.bootID = bootID
        let begin_ns = -MachineClock.elapsed.count * 1_000_000
        withUnsafeMutablePointer(to: &page.pointee.boottime_ns) { clock_page_store_ns($0, begin_ns) }
        clock_page_changed(page)
    }

    private func add(
        _ time: Milliseconds, _ field: WritableKeyPath<clock_page, Int64>
    ) {
        withUnsafeMutablePointer(to: &page.pointee[keyPath: field]) {
            clock_page_store_ns($0, clock_page_load_ns($0) + time.count * 1_000_000)
        }
    }
}
