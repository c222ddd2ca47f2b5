import Bus
import CPosix
import CivilTime
import Glibc

/// Tells when the machine is moved to another time zone. The kernel says that the setting was replaced;
/// nothing is polled.
@BusActor final class ZoneWatch {
    private let moved: @BusActor () -> Void
    private var known = MachineZone.name
    private var descriptor: Int32?
    private var token: Reactor.Token?

    init(_ moved: @escaping @BusActor () -> Void) { self.moved = moved }

    /// Does nothing where TZ names the zone: then nobody can move it.
    func start() {
        guard let path = MachineZone.path, let slash = path.lastIndex(of: "/") else { return }
        let made = inotify_init1(Int32(IN_CLOEXEC) | Int32(IN_NONBLOCK))
        guard made >= 0 else { return }
        // The setting is a link, replaced whole: the folder tells, not the file.
        let events = IN_CREATE | IN_MOVED_TO | IN_DELETE | IN_CLOSE_WRITE
        guard inotify_add_watch(made, String(path[...slash]), UInt32(events)) >= 0 else {
            close(made)
            return
        }
        descriptor = made
        token = Reactor.shared.watch(descriptor: made) { [weak self] in self?.look() }
    }

    private func look() {
        guard let descriptor else { return }
        var buffer = [UInt8](repeating: 0, count: 4_096)
        while read(descriptor, &buffer, buffer.count) > 0 {}
        let now = MachineZone.name
        guard now != known else { return }
        known = now
        moved()
    }
}
