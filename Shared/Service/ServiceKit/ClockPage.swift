internal import CClock
package import Contract
import Glibc
package import Loop
import Time
package import Units

/// The virtual clock of one instance of the system: the file `<state>/clock`, a memory page that all its
/// processes map. It stands still until a driver moves it, and keeps its time across restarts.
@LoopActor package final class ClockPage {
    /// Path of the clock file.
    package let path: String
    private let page: UnsafeMutablePointer<clock_page>

    /// The environment variable by which the preloaded clock library finds the page.
    package nonisolated static let environmentKey = CLOCK_PAGE_KEY

    /// Path of the clock file in a state directory; the file need not exist.
    package nonisolated static func path(in stateDirectory: String) -> String {
        WallTime.path(in: stateDirectory)
    }

    private init(_ path: String, _ page: UnsafeMutablePointer<clock_page>) {
        self.path = path
        self.page = page
    }

    /// The clock of a state directory. Nil if there is none; then the machine's clock applies.
    /// - Throws: `storageDamaged` if the file is not a clock page; `storageFailed` if it cannot be mapped.
    package static func find(
        in stateDirectory: String, writable: Bool = false
    ) throws(ServiceError) -> ClockPage? {
        let path = path(in: stateDirectory)
        if let page = clock_page_map(path, writable ? 1 : 0) {
            clock_page_guard(page, path)
            return ClockPage(path, page)
        }
        let code = errno
        guard code != ENOENT, code != ENOTDIR else { return nil }
        guard code == EBADMSG else { throw failed("mapping '\(path)'", code) }
        throw ServiceError(
            .storageDamaged, "'\(path)' is not a clock page",
            remedy: "To use the machine's clock, move the file away; no other data is lost. A state with a "
                + "virtual clock cannot continue; set another SCREENTIME_STATE_DIR.")
    }

    /// Creates a clock at a fixed instant.
    /// - Throws: `alreadyExists`, `storageFull` or `storageFailed`.
    package static func create(in stateDirectory: String, at now: Instant) throws(ServiceError) {
        let path = path(in: stateDirectory)
        guard clock_page_create(path, 1, now.milliseconds * 1_000_000) != 0 else { return }
        switch errno {
        case EEXIST:
            throw ServiceError(
                .alreadyExists, "there is already a virtual clock in '\(path)'",
                remedy: "Move it with `screentime clock advance-to`.")
        case ENOSPC:
            throw ServiceError(.storageFull, "the disk is full", remedy: "Free some space and try again.")
        case let code: throw failed("making '\(path)'", code)
        }
    }

    /// Removes a clock that no process uses.
    package static func remove(from stateDirectory: String) { unlink(path(in: stateDirectory)) }

    private static func failed(_ what: String, _ code: Int32) -> ServiceError {
        ServiceError(
            .storageFailed, "\(what) failed: \(String(cString: strerror(code)))",
            remedy: "Check the state directory's permissions.")
    }

    /// The present virtual time.
    package var now: Instant {
        Instant(milliseconds: clock_page_guarded_ns(page, WallTime.machineNs) / 1_000_000)
    }

    /// For drivers only: one at a time may move the clock, through a page opened as writable.
    package func move(to now: Instant) {
        clock_page_store_ns(&page.pointee.realtime_ns, now.milliseconds * 1_000_000)
        clock_page_changed(page)
    }

    /// Writes the page to disk.
    package func sync() throws(ServiceError) {
        guard clock_page_sync(page) == 0 else { throw Self.failed("writing '\(path)'", errno) }
    }

    /// Makes all time stamps of this process use the page.
    package func becomeWallTime() { WallTime.follow(page) }
}
