import CGtk4
import Loop
import Units

/// Runs GLib's default main context on the reactor's thread: at the end of each turn it dispatches what is
/// ready, and then lets the reactor wait for its descriptors and its timeout. It never polls by itself.
@LoopActor final class MainContext {
    /// Rounds of dispatching in one turn; sources that are always ready do not starve the sockets.
    private static let roundsPerTurnMax = 32

    private let context: OpaquePointer
    private var watched: [Int32: (events: UInt16, token: Reactor.Token)] = [:]
    private var list = [GPollFD](repeating: GPollFD(), count: 16)
    private var timer: TimerToken?
    private var hook: EventLoop.Hook?
    /// Number of turns in which it was run; it does not grow while nothing happens.
    private(set) var turns = 0

    /// Takes the context, so that other threads (GDBus) wake this one when they add a source.
    init() {
        guard let context = g_main_context_default() else { preconditionFailure("GLib has a context") }
        self.context = context
        g_main_context_acquire(context)
        hook = EventLoop.main.atEndOfTurn { [weak self] in self?.run() }
    }

    /// Ends it; what GLib waits for is not noticed any more.
    func close() {
        guard let hook else { return }
        EventLoop.main.forget(hook)
        self.hook = nil
        for watch in watched.values { Reactor.shared.forget(watch.token) }
        watched = [:]
        if let timer { EventLoop.main.cancel(timer) }
        g_main_context_release(context)
    }

    private func run() {
        turns += 1
        for _ in 0..<Self.roundsPerTurnMax where g_main_context_iteration(context, 0) == 0 { break }
        // A callback may have closed this.
        guard hook != nil else { return }
        var priority: gint = 0
        if g_main_context_prepare(context, &priority) != 0 { return EventLoop.main.inNextTurn {} }
        let (count, timeout) = query()
        watch(list.prefix(count))
        arm(timeout)
    }

    /// What the context waits for. All priorities, because nothing is ready.
    private func query() -> (count: Int, timeout: gint) {
        while true {
            var timeout: gint = -1
            let count = Int(g_main_context_query(context, .max, &timeout, &list, gint(list.count)))
            if count <= list.count { return (count, timeout) }
            list = Array(repeating: GPollFD(), count: count)
        }
    }

    /// The reactor's handlers do nothing: the end of the turn dispatches.
    private func watch(_ entries: ArraySlice<GPollFD>) {
        var wanted: [Int32: UInt16] = [:]
        for entry in entries { wanted[entry.fd, default: 0] |= entry.events }
        for (descriptor, watch) in watched where wanted[descriptor] != watch.events {
            Reactor.shared.forget(watch.token)
            watched[descriptor] = nil
        }
        for (descriptor, events) in wanted where watched[descriptor] == nil {
            let token = Reactor.shared.watch(
                descriptor: descriptor, readable: events & UInt16(G_IO_IN.rawValue) != 0,
                writable: events & UInt16(G_IO_OUT.rawValue) != 0
            ) {}
            watched[descriptor] = (events, token)
        }
    }

    private func arm(_ timeout: gint) {
        if let timer { EventLoop.main.cancel(timer) }
        timer = timeout < 0 ? nil : EventLoop.main.after(Milliseconds(Int64(timeout))) {}
    }
}
