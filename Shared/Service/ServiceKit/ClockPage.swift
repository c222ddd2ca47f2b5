internal import CClock
package import Contract
import Glibc
package import Loop
import Time
package import Units

/// The virtual clock of one instance of the system: the file `<state>/clock`, a page of memory that all its
/// processes share. It stands until a driver moves it, and is still there when they are started again.
@LoopActor package final class ClockPage {
    package let path: String
    private let page: UnsafeMutablePointer<clock_page>

    /// The key by which the preloaded clock library finds the page.
    package nonisolated static let environmentKey = CLOCK_PAGE_KEY

    package nonisolated static func path(in stateDirectory: String) -> String {
        WallTime.path(in: stateDirectory)
    }

    private init(_ path: String, _ page: UnsafeMutablePointer<clock_page>) {
        self.path = path
        self.page = page
    }

    /// The clock of a state directory; nil: it has none, the machine's clock is meant.
    /// - Throws: `storageDamaged` when the file is no clock page; `storageFailed` when it cannot be mapped.
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
            .storageDamaged, "'\(path)' is no clock page",
            remedy: "To live by the machine's clock, move it away: nothing else is lost. What lived by a "
                + "virtual clock cannot go on; set another SCREENTIME_STATE_DIR.")
    }

    /// Makes a clock that stands at an instant.
    /// - Throws: `alreadyExists`; `storageFull`; `storageFailed`
    package static func create(in stateDirectory: String, at now: Instant) throws(ServiceError) {
        let path = path(in: stateDirectory)
        guard clock_page_create(path, 1, now.milliseconds * 1_000_000) != 0 else { return }
        switch errno {
        case EEXIST:
            throw ServiceError(
                .alreadyExists, "there is a virtual clock already in '\(path)'",
                remedy: "Move it with `screentime clock advance-to`.")
        case ENOSPC:
            throw ServiceError(.storageFull, "the disk is full", remedy: "Free some space and try again.")
        case let code: throw failed("making '\(path)'", code)
        }
    }

    /// Takes back a clock that nobody lives by.
    package static func remove(from stateDirectory: String) { unlink(path(in: stateDirectory)) }

    private static func failed(_ what: String, _ code: Int32) -> ServiceError {
        ServiceError(
            .storageFailed, "\(what) failed: \(String(cString: strerror(code)))",
            remedy: "Check the state directory's permissions.")
    }

    package var now: Instant {
        Instant(milliseconds: clock_page_guarded_ns(page, WallTime.machineNs) / 1_000_000)
    }

    /// For drivers: one at a time may move it, and only a page opened as writable.
    package func move(to now: Instant) {
        clock_page_store_ns(&page.pointee.realtime_ns, now.milliseconds * 1_000_000)
        clock_page_changed(page)
    }

    /// Writes it to the disk.
    package func sync() throws(ServiceError) {
        guard clock_page_sync(page) == 0 else { throw Self.failed("writing '\(path)'", errno) }
    }

    /// Lets this process tell the page's time wherever it stamps something.
    package func becomeWallTime() { WallTime.follow(page) }
}
