import Glibc
package import Loop
import Units

/// Registers one D-Bus connection with the reactor: its descriptor and its next deadline.
@LoopActor package final class DBusWatch {
    private var watched: (token: Reactor.Token, descriptor: Int32, writable: Bool)?
    private var deadline: TimerToken?

    /// Watches nothing yet.
    package init() {}

    /// Calls `process` when the connection needs service. The interest changes with every call on the
    /// connection, so call this after each.
    package func follow(_ interest: DBusInterest, _ process: @escaping @LoopActor () -> Void) {
        let writable = interest.events & Int16(POLLOUT) != 0
        if watched?.descriptor != interest.fileDescriptor || watched?.writable != writable {
            if let watched { Reactor.shared.forget(watched.token) }
            watched = interest.fileDescriptor.map { descriptor in
                let token = Reactor.shared.watch(
                    descriptor: descriptor, writable: writable) { process() }
                return (token, descriptor, writable)
            }
        }
        if let deadline { EventLoop.main.cancel(deadline) }
        deadline = nil
        guard interest.timeout_ms >= 0 else { return }
        deadline = EventLoop.main.after(Milliseconds(Int64(interest.timeout_ms)), process)
    }

    /// Stops watching.
    package func close() {
        if let watched { Reactor.shared.forget(watched.token) }
        if let deadline { EventLoop.main.cancel(deadline) }
        (watched, deadline) = (nil, nil)
    }
}
