import CPosix
package import Contract
import Glibc
package import Loop
import Schedules
package import ServiceKit
import Units

/// Reports when the machine's time zone changes. The kernel reports the replaced setting (inotify); nothing
/// polls.
@LoopActor package final class ZoneWatch {
    private let moved: @LoopActor () -> Void
    private var known = MachineZone.name
    private var descriptor: Int32?
    private var token: Reactor.Token?

    fileprivate init(_ moved: @escaping @LoopActor () -> Void) { self.moved = moved }

    /// Does nothing if TZ names the zone, because it cannot change then.
    /// - Throws: `unavailable` if the setting cannot be watched.
    fileprivate func start() throws(ServiceError) {
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

    /// Ends the watch.
    package func stop() {
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

extension Service {
    /// Calls `moved` in a write for the members without their own time zone when the machine moves to another
    /// one. If the write fails it is repeated. What cannot be watched is reported in `degraded_by`.
    package func watchZone(
        _ moved: @escaping @LoopActor ([Member], Transaction) throws -> Void
    ) -> ZoneWatch {
        let watch = ZoneWatch { [weak self] in
            self?.log.info("the machine's time zone changed")
            self?.moveMembers(moved)
        }
        do throws(ServiceError) { try watch.start() } catch {
            setDegraded("zone", "\(error.message) (\(error.remedy))")
        }
        return watch
    }

    private func moveMembers(_ moved: @escaping @LoopActor ([Member], Transaction) throws -> Void) {
        var hasBegun = false
        do {
            try transact(trace: nil) { transaction in
                hasBegun = true
                transaction.onUndo { [weak self] in self?.moveMembersLater(moved) }
                try moved(membersOfMachine, transaction)
            }
        } catch {
            log.error(
                "applying the new time zone failed; it will be repeated", [("error", .name(of: error))])
            // A write that had begun was undone, and the undo step scheduled the retry.
            if !hasBegun { moveMembersLater(moved) }
        }
    }

    private func moveMembersLater(_ moved: @escaping @LoopActor ([Member], Transaction) throws -> Void) {
        loop.after(Self.retryPause) { [weak self] in self?.moveMembers(moved) }
    }

    /// Members without their own time zone: theirs is the machine's.
    package var membersOfMachine: [Member] { household.everyone.filter { $0.zone == nil } }
}
