import CGio

/// Reports that apps were installed, changed or removed. GIO watches the directories of desktop files in its
/// own thread; its results wait in a main context of this object until `drain` is called. For one thread;
/// nothing polls.
package final class AppMonitor {
    private let context: OpaquePointer
    private let monitor: OpaquePointer
    private var handler: gulong = 0
    private var hasChanged = false

    /// Poll these for reading; when one is readable, call `drain`.
    package let fileDescriptors: [Int32]

    /// Starts watching.
    package init() {
        // Another loop polls the context, so GLib must wake it although no thread runs it.
        context = g_main_context_new_with_flags(G_MAIN_CONTEXT_FLAGS_OWNERLESS_POLLING)
        g_main_context_push_thread_default(context)
        monitor = g_app_info_monitor_get()
        g_main_context_pop_thread_default(context)
        fileDescriptors = Self.descriptors(of: context)
        let changed: @convention(c) (OpaquePointer?, gpointer?) -> Void = { _, data in
            guard let data else { return }
            Unmanaged<AppMonitor>.fromOpaque(data).takeUnretainedValue().hasChanged = true
        }
        // GCallback stands for functions of any signature; "changed" passes the monitor and the data.
        let callback = unsafeBitCast(changed, to: GCallback.self)
        handler = g_signal_connect_data(
            UnsafeMutableRawPointer(monitor), "changed", callback, Unmanaged.passUnretained(self).toOpaque(),
            nil, GConnectFlags(rawValue: 0))
    }

    deinit {
        g_signal_handler_disconnect(UnsafeMutableRawPointer(monitor), handler)
        g_object_unref(UnsafeMutableRawPointer(monitor))
        g_main_context_unref(context)
    }

    /// Whether anything changed since the last call. If so, read all apps again: GIO reports the next change
    /// only after that.
    package func drain() -> Bool {
        while g_main_context_iteration(context, 0) != 0 {}
        defer { hasChanged = false }
        return hasChanged
    }

    private static func descriptors(of context: OpaquePointer) -> [Int32] {
        guard g_main_context_acquire(context) != 0 else { return [] }
        defer { g_main_context_release(context) }
        var priority: gint = 0
        var timeout_ms: gint = 0
        g_main_context_prepare(context, &priority)
        var found = [GPollFD](repeating: GPollFD(), count: 8)
        let count = g_main_context_query(context, priority, &timeout_ms, &found, gint(found.count))
        return found.prefix(Int(min(count, gint(found.count)))).map(\.fd)
    }
}
