import CXcb
import Glibc
import Time
package import Units

/// The X11 session as the agent sees it: focus, idleness and windows, told by the server, never polled.
///
/// Poll `fileDescriptor` for input and call `drain` when it is readable. Questions (`windows`, `roundTrip`,
/// …) may take events from the socket into libxcb's own queue, where poll does not see them: call `drain`
/// once after any of them. One thread only.
package final class X11Session {
    /// A `none` is believed when no other focus follows within this time: window managers pass through
    /// `none` between two windows (openbox: within a millisecond).
    static let believeNone: Milliseconds = 50

    private let connection: Connection
    private let reader: WindowReader
    private let syncEvent: UInt8
    private var idleAlarm: IdleAlarm
    private var pending: [SessionEvent] = []
    /// Nil before the first report; some nil: no window has the focus.
    private var reportedFocus: Window??
    private var noneSince: Milliseconds?
    private var known: Set<xcb_window_t>
    private var focusIsStale = true
    private var listIsStale = false
    private var isLost = false
    /// How many alarm notifications came, for tests: a re-arming loop shows here.
    package private(set) var alarmNotifications = 0

    /// Opens the display and begins to watch. The first `drain` tells the present state: one `.focus`
    /// always, and `.idle` when nobody is at the machine already. Windows open now are not reported as
    /// mapped: ask `windows()`.
    /// - Parameters:
    ///   - display: as in DISPLAY; nil or empty: an error.
    ///   - idleThreshold: no input for so long is idle; from 1, default a minute.
    package init(display: String?, idleThreshold: Milliseconds = 60_000) throws(DisplayError) {
        precondition(idleThreshold >= 1, "an idle threshold is at least one millisecond")
        guard let display, !display.isEmpty else { throw .notNamed }
        connection = try Connection(display: display)
        syncEvent = try Self.startExtensions(connection)
        reader = WindowReader(connection)
        let events = XCB_CW_EVENT_MASK.rawValue
        var mask = XCB_EVENT_MASK_PROPERTY_CHANGE.rawValue
        xcb_change_window_attributes(connection.raw, connection.root, events, &mask)
        known = Set(reader.windows(in: reader.clientList, of: connection.root) ?? [])
        idleAlarm = try IdleAlarm(connection, threshold: idleThreshold)
        if idleAlarm.isIdle { pending.append(.idle) }
    }

    /// Readable when the server has sent something. Owned by the session: never close it.
    package var fileDescriptor: Int32 { connection.fileDescriptor }

    /// Everything that happened since the last call, in order. Returns at once, but for a `none` focus,
    /// which it watches for `believeNone`, and for a server held by another client (1 s per question).
    package func drain() -> [SessionEvent] {
        repeat {
            takeQueue()
            if listIsStale { readList() }
            if focusIsStale { readFocus() }
        } while takeQueue() || focusIsStale && !connection.isSilent && !connection.isLost
        if connection.isLost, !isLost {
            isLost = true
            pending.append(.displayLost)
        }
        defer { pending = [] }
        return pending
    }

    /// The windows under the window manager's care, oldest first. Empty without a window manager.
    package func windows() -> [Window] {
        let ids = reader.windows(in: reader.clientList, of: connection.root) ?? []
        return ids.compactMap { reader.window($0) }
    }

    /// Asks the server something trivial. False when no answer came in time: another client holds the
    /// server (thaw what was frozen last), or the server hangs.
    package func roundTrip(timeout: Milliseconds = 100) -> Bool {
        let cookie = xcb_get_input_focus(connection.raw)
        let reply = connection.answer(
            to: cookie.sequence, as: xcb_get_input_focus_reply_t.self, within: timeout,
            evenIfSilent: true)
        return reply != nil
    }

    /// True when some client holds the pointer: an open menu, or a button held down. Were it frozen, no input
    /// would reach anybody. A free pointer is taken and given back at once; nothing waits for it.
    package func pointerIsHeld() -> Bool {
        let asynchronous = UInt8(XCB_GRAB_MODE_ASYNC.rawValue)
        let cookie = xcb_grab_pointer(
            connection.raw, 0, connection.root, 0, asynchronous, asynchronous, 0, 0, 0)
        let reply = connection.answer(to: cookie.sequence, as: xcb_grab_pointer_reply_t.self)
        guard let reply else { return false }
        let status = UInt32(reply.body.pointee.status)
        if status == XCB_GRAB_STATUS_SUCCESS.rawValue {
            xcb_ungrab_pointer(connection.raw, 0)
            xcb_flush(connection.raw)
        }
        return status == XCB_GRAB_STATUS_ALREADY_GRABBED.rawValue
            || status == XCB_GRAB_STATUS_FROZEN.rawValue
    }

    /// How long ago the last input of the person was; nil when the server does not answer.
    package func idleTime() -> Milliseconds? { idleAlarm.readCounter() }

    /// The display server: by its socket, and by its own word (they differ when another process
    /// listened first, as with Xwayland). Empty when the display is on another machine.
    package func serverPids() -> Set<Int32> {
        let found = [PeerProcess.pid(of: fileDescriptor), reader.pid(of: connection.root)]
        return Set(found.compactMap { $0 })
    }

    /// The process of the window manager; nil when none runs. The check window must name itself, since
    /// the root window keeps the name of a manager that died (EWMH, _NET_SUPPORTING_WM_CHECK).
    package func windowManagerPid() -> Int32? {
        guard let check = reader.windows(in: reader.managerCheck, of: connection.root)?.first,
            reader.windows(in: reader.managerCheck, of: check)?.first == check
        else { return nil }
        return reader.pid(of: check)
    }

    private static func startExtensions(_ connection: Connection) throws(DisplayError) -> UInt8 {
        let display = connection.display
        let sync = xcb_get_extension_data(connection.raw, shim_sync_extension())
        guard let sync, sync.pointee.present != 0
        else { throw .extensionMissing(display: display, name: "SYNC") }
        let resources = xcb_get_extension_data(connection.raw, shim_res_extension())
        guard let resources, resources.pointee.present != 0
        else { throw .extensionMissing(display: display, name: "X-Resource") }
        let syncCookie = xcb_sync_initialize(connection.raw, 3, 1)
        let resCookie = xcb_res_query_version(connection.raw, 1, 2)
        let version = connection.answer(to: syncCookie.sequence, as: xcb_sync_initialize_reply_t.self)
        guard version != nil else { throw .extensionMissing(display: display, name: "SYNC 3") }
        let found = connection.answer(to: resCookie.sequence, as: xcb_res_query_version_reply_t.self)
        guard let found, hasClientIds(found) else {
            throw .extensionMissing(display: display, name: "X-Resource 1.2")
        }
        return sync.pointee.first_event
    }

    private static func hasClientIds(_ reply: borrowing Reply<xcb_res_query_version_reply_t>) -> Bool {
        (reply.body.pointee.server_major, reply.body.pointee.server_minor) >= (1, 2)
    }
}

extension X11Session {
    /// Takes what libxcb has and what the socket has. True when there was anything.
    @discardableResult private func takeQueue() -> Bool {
        var any = false
        while let event = xcb_poll_for_event(connection.raw) {
            take(event)
            free(event)
            any = true
        }
        return any
    }

    private func take(_ event: UnsafeMutablePointer<xcb_generic_event_t>) {
        let raw = UnsafeMutableRawPointer(event)
        switch event.pointee.response_type & 0x7f {
        case UInt8(XCB_PROPERTY_NOTIFY):
            let change = raw.assumingMemoryBound(to: xcb_property_notify_event_t.self).pointee
            guard change.window == connection.root else { return }
            if change.atom == reader.activeWindow { focusIsStale = true }
            if change.atom == reader.clientList { listIsStale = true }
            if change.atom == reader.managerCheck { pending.append(.windowManagerChanged) }
        case syncEvent + UInt8(XCB_SYNC_ALARM_NOTIFY):
            alarmNotifications += 1
            let notice = raw.assumingMemoryBound(to: xcb_sync_alarm_notify_event_t.self).pointee
            pending += idleAlarm.take(notice)
        default: break  // Type 0 is an error: of a window that vanished, which is normal.
        }
    }

    private func readFocus() {
        focusIsStale = false
        let late = connection.lateAnswers
        let ids = reader.windows(in: reader.activeWindow, of: connection.root)
        let window = ids?.first.flatMap { $0 == 0 ? nil : reader.window($0) }
        guard connection.lateAnswers == late else {
            focusIsStale = true  // The late answer makes the descriptor readable; then we ask again.
            return
        }
        if window == nil, case .some(.some) = reportedFocus {
            let now = MonotonicClock.now
            let since = noneSince ?? now
            noneSince = since
            let left = since + Self.believeNone - now
            if left > 0, takeQueue() || connection.waitForInput(left) {
                focusIsStale = true
                return
            }
        }
        noneSince = nil
        report(window)
    }

    /// A new title is no new focus; another class or process under the same id is.
    private func report(_ window: Window?) {
        if case .some(let last) = reportedFocus, last?.id == window?.id, last?.pid == window?.pid,
            last?.windowClass == window?.windowClass, last?.instance == window?.instance
        {
            return
        }
        reportedFocus = .some(window)
        pending.append(.focus(window))
    }

    private func readList() {
        listIsStale = false
        let late = connection.lateAnswers
        let ids = reader.windows(in: reader.clientList, of: connection.root) ?? []
        let fresh = ids.filter { !known.contains($0) }.map { (id: $0, window: reader.window($0)) }
        guard connection.lateAnswers == late else {
            listIsStale = true
            return
        }
        let now = Set(ids)
        // openbox leaves _NET_ACTIVE_WINDOW on the last window when that one is destroyed.
        if case .some(.some(let focused)) = reportedFocus, !now.contains(focused.id) { focusIsStale = true }
        pending += known.subtracting(now).sorted().map { .windowClosed($0) }
        // One that vanished between list and question was never seen by anybody.
        pending += fresh.compactMap { $0.window.map { .windowMapped($0) } }
        known = now.subtracting(fresh.filter { $0.window == nil }.map(\.id))
    }
}
