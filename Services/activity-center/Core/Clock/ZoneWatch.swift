import Contract
import CPosix
import Glibc
import Loop
import Schedules

/// Reports when the machine's time zone changes. The kernel reports the replaced setting (inotify); nothing
/// polls.
@LoopActor final class ZoneWatch {
    private let moved: @LoopActor () -> Void
    private var known = MachineZone.name
    private var descriptor: Int32?
    private var token: Reactor.Token?

    init(_ moved: @escaping @LoopActor () -> Void) { self.moved = moved }

    /// Does nothing if TZ names the zone, because it cannot change then.
    /// - Throws: `unavailable` if the setting cannot be watched.
    func start() throws(ServiceError) {
        guard let path = MachineZone.path, let slash = path.lastIndex(of: "/") else { return }
        let made = inotify_init1(Int32(IN_CLOEXEC) | Int32(IN_NONBLOCK))
        guard made >= 0 else { throw cannot("inotify_init1") }
        // The setting is a symbolic link that is replaced, so the directory is watched and not the file.
        let events = IN_CREATE | IN_MOVED_TO | IN_DELETE | IN_CLOSE_WRITE
        guard inotify_add_watch(made, String(path[...slash]), UInt32(events)) >= 0 else {
            let error = cannot(String(path[...slash]))
            close(made)
            throw error
        }
        descriptor = made
        token = Reactor.shared.watch(descriptor: made) { [weak self] in self?.poll() }
    }

    func stop() {
        if let token { Reactor.shared.forget(token) }
        if let descriptor { close(descriptor) }
        (token, descriptor) = (nil, nil)
    }

    private func cannot(_ what: String) -> ServiceError {
        ServiceError(
            .unavailable,
            "a change of the machine's time zone needs a restart: watching failed at \(what): "
                + String(cString: strerror(errno)),
            remedy: "Raise fs.inotify.max_user_instances.")
    }

    private func poll() {
        guard let descriptor else { return }
        var buffer = [UInt8](repeating: 0, count: 4_096)
        while read(descriptor, &buffer, buffer.count) > 0 {}
        let now = MachineZone.name
        guard now != known else { return }
        known = now
        moved()
    }
}
