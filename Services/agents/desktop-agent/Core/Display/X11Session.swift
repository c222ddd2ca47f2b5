import CXcb
import Glibc
import Time
package import Units

/// The X11 session as seen by the agent: focus, idleness and windows, reported by the server without polling.
///
/// Poll `fileDescriptor` for reading and call `drain` when it is readable. Requests (`windows`, `roundTrip`,
/// …) may move events from the socket into libxcb's queue, where poll does not see them: call `drain` once
/// after each of them. For one thread.
package final class X11Session {
    private let settleTimes: SettleTimes
    private let connection: Connection
    private let reader: WindowReader
    /// Ask it as the session itself: call ``drain()`` after it.
    let grabs: Grabs
    private let syncEvent: UInt8
    private var idleAlarm: IdleAlarm
    private var pending: [SessionEvent] = []
    /// Nil before the first report; some nil if no window has the focus.
    private var reportedFocus: Window??
    private var unsettled: UnsettledNone?
    private var known: Set<xcb_window_t>
    private var focusIsStale = true
    private var listIsStale = false
    private var isLost = false
    /// The window whose end is the window manager's; 0 if none is known.
    private var managerCheck: xcb_window_t = 0
    /// Override-redirect windows that were mapped since they were looked at.
    private var mapped: Set<xcb_window_t> = []
    /// Those that were looked at because they are large now.
    private var enlarged: Set<xcb_window_t> = []
    /// Those that count as windows of their apps.
    private var unmanaged: Set<xcb_window_t> = []
    /// Those of them that must be put below all others (true) or above them (false).
    private var aside: [xcb_window_t: Bool] = [:]
    /// Those that were put below all others, and must stay there.
    private var lowered: Set<xcb_window_t> = []
    /// Number of alarm notifications, for tests: a re-arming loop is visible here.
    package private(set) var alarmNotifications = 0

    /// An open display, for the session that watches it. `@unchecked`, since only one thread has it at a
    /// time: the one that opens it, then the one that makes the session.
    struct Opened: @unchecked Sendable {
        fileprivate let connection: Connection
    }

    /// Opens the display. Blocks while another client holds a server grab, so not on the loop's thread.
    /// - Parameter display: as in DISPLAY; nil or empty is an error.
    static func open(display: String?) throws(DisplayError) -> Opened {
        guard let display, !display.isEmpty else { throw .notNamed }
        return Opened(connection: try Connection(display: display))
    }

    /// Opens the display and starts watching. The first `drain` reports the present state: always one
    /// `.focus`, and `.idle` if the person is already idle. Windows that are open now are not reported as
    /// mapped; call `windows()`.
    /// - Parameters:
    ///   - display: as in DISPLAY; nil or empty is an error.
    ///   - idleThreshold: time without input that counts as idle; at least 1, default one minute.
    package convenience init(
        display: String?, idleThreshold: Milliseconds = 60_000,
        settling: SettleTimes = SettleTimes()
    ) throws(DisplayError) {
        try self.init(
            try Self.open(display: display), idleThreshold: idleThreshold, settling: settling)
    }

    /// As the other, for an open display.
    init(
        _ opened: Opened, idleThreshold: Milliseconds,
        settling: SettleTimes = SettleTimes()
    ) throws(DisplayError) {
        settleTimes = settling
        precondition(idleThreshold >= 1, "an idle threshold is at least one millisecond")
        connection = opened.connection
        syncEvent = try Self.startExtensions(connection)
        reader = WindowReader(connection)
        grabs = Grabs(connection)
        let events = XCB_CW_EVENT_MASK.rawValue
        var mask =
            XCB_EVENT_MASK_PROPERTY_CHANGE.rawValue | XCB_EVENT_MASK_SUBSTRUCTURE_NOTIFY.rawValue
        _ = connection.tell { [root = connection.root] in
            xcb_change_window_attributes($0, root, events, &mask)
        }
        known = Set(reader.windows(in: reader.clientList, of: connection.root) ?? [])
        idleAlarm = try IdleAlarm(connection, threshold: idleThreshold)
        if idleAlarm.isIdle { pending.append(.idle) }
        mapped = Set(reader.children(of: connection.root))
        known.formUnion(findUnmanaged())
        follow(known)
    }

    /// Readable when the server has sent something. The session owns it; do not close it.
    package var fileDescriptor: Int32 { connection.fileDescriptor }

    /// All events since the last call, in order. Returns immediately, except if another client holds the
    /// server (1 s for the first question that it does not answer). If ``settling`` is not nil after it, call
    /// it again then.
    package func drain() -> [SessionEvent] {
        if unsettled != nil { focusIsStale = true }
        repeat {
            if connection.settle() {
                pending += idleAlarm.rearm()
                stackSetAside()
            }
            handleQueue()
            if listIsStale { readList() }
            if focusIsStale { readFocus() }
        } while handleQueue() || mustGoOn || handleQueue(reading: false)
        stackSetAside()
        if connection.isLost, !isLost {
            isLost = true
            pending.append(.displayLost)
        }
        defer { pending = [] }
        return pending
    }

    /// Whether something can be asked at last. What was late makes the descriptor readable, unless it was
    /// read already.
    private var mustGoOn: Bool {
        guard !connection.isLost else { return false }
        return connection.isSilent ? connection.settle() : focusIsStale || listIsStale
    }

    /// How long until a focus of `none` must be looked at again; nil if there is nothing to decide, or the
    /// server is silent: then ``fileDescriptor`` becomes readable first.
    package var settling: Milliseconds? {
        connection.isSilent ? nil : unsettled.map { max(0, $0.nextLook - MonotonicClock.now) }
    }

    /// Whether an answer of the server is late, so that it answers nothing.
    var isSilent: Bool { connection.isSilent }

    /// The window that had the focus at the last `drain`; nil if none had.
    var focusedWindow: UInt32? { (reportedFocus ?? nil)?.id }

    /// The managed windows, oldest first; without a window manager those that the last one had.
    package func windows() -> [Window] {
        present().compactMap { reader.window($0) }
    }

    /// What the window manager lists, and the windows that it listed once and that still stand: one that ends
    /// or is replaced takes its list away, or lists window after window.
    private func present() -> [xcb_window_t] {
        let listed = reader.windows(in: reader.clientList, of: connection.root) ?? []
        let left = known.subtracting(listed)
        guard !left.isEmpty else { return listed }
        let isManaged = windowManagerPid() != nil
        return listed + left.sorted().filter { window in
            let mayBeHidden = !isManaged && !unmanaged.contains(window)
            return reader.isMapped(window).map { $0 || mayBeHidden } ?? false
        }
    }

    /// Asks for something trivial, after the answers that were late. False if no answer came in time: another
    /// client holds the server (thaw what was frozen last), or the server hangs.
    package func roundTrip(timeout: Milliseconds = 100) -> Bool {
        let deadline = MonotonicClock.now + timeout
        guard connection.settle(within: timeout) else { return false }
        // Twice: a grab that was sent before may be carried out between the two.
        return (1...2).allSatisfy { _ in
            let question = connection.ask { xcb_get_input_focus($0).sequence }
            let left = max(0, deadline - MonotonicClock.now)
            return connection.answer(to: question, as: xcb_get_input_focus_reply_t.self, within: left) != nil
        }
    }

    /// Whether one of these processes has asked for keys or buttons that are pressed anywhere.
    func haveHotkeys(_ pids: Set<Int32>) -> Bool { grabs.haveHotkeys(pids, reader) }

    private static let transientFor = xcb_atom_t(XCB_ATOM_WM_TRANSIENT_FOR.rawValue)

    /// Reports from now on if the window says something else of itself.
    func followHints(of window: UInt32) { follow([window], XCB_EVENT_MASK_PROPERTY_CHANGE.rawValue) }

    /// The server reports the end of each of these windows. For one in a window manager's frame the root does
    /// not, and another may have its id before the list is read again.
    private func follow(_ windows: some Sequence<xcb_window_t>, _ events: UInt32 = 0) {
        var mask = events | XCB_EVENT_MASK_STRUCTURE_NOTIFY.rawValue
        _ = connection.tell { raw in
            for window in windows {
                xcb_change_window_attributes(raw, window, XCB_CW_EVENT_MASK.rawValue, &mask)
            }
        }
    }

    /// Whether a window is a dialog: of one of `others`, or by its own word.
    func isDialog(_ window: UInt32, of others: Set<UInt32>) -> Bool {
        if reader.windows(in: reader.windowType, of: window)?.contains(reader.dialogType) == true {
            return true
        }
        return isTransient(window, for: others)
    }

    /// Whether a window belongs to one of `others`, or to the group of one (WM_TRANSIENT_FOR names the
    /// group's leader, the root window or none; EWMH, _NET_WM_STATE).
    func isTransient(_ window: UInt32, for others: Set<UInt32>) -> Bool {
        guard let owner = reader.windows(in: Self.transientFor, of: window)?.first else { return false }
        if others.contains(owner) { return true }
        guard let group = reader.groupLeader(of: window),
            owner == 0 || owner == connection.root || owner == group
        else { return false }
        return others.contains { reader.groupLeader(of: $0) == group }
    }

    /// Asks a window to close (ICCCM 4.2.8.1). Returns whether its program can be asked.
    func askToClose(_ window: UInt32) -> Bool {
        let protocols = reader.windows(in: reader.protocols, of: window) ?? []
        guard protocols.contains(reader.deleteWindow) else { return false }
        var event = xcb_client_message_event_t()
        event.response_type = UInt8(XCB_CLIENT_MESSAGE)
        event.format = 32
        event.window = window
        event.type = reader.protocols
        event.data.data32.0 = reader.deleteWindow
        return withUnsafeBytes(of: &event) { bytes in
            guard let start = bytes.baseAddress?.assumingMemoryBound(to: CChar.self) else { return false }
            return connection.tell { xcb_send_event($0, 0, window, 0, start) }
        }
    }

    /// Time since the person's last input; nil if the server does not answer.
    package func idleTime() -> Milliseconds? { idleAlarm.readCounter() }

    /// The display server's pid by its socket and by its own report (they differ if another process listened
    /// first, as with Xwayland). Empty if the display is on another machine.
    package func serverPids() -> Set<Int32> {
        let found = [PeerProcess.pid(of: fileDescriptor), reader.pid(of: connection.root)]
        return Set(found.compactMap { $0 })
    }

    /// The window manager's process; nil if none runs, or the server ``isSilent``. Its end is reported, once
    /// this was asked. The check window must refer to itself, because the root window keeps the property of
    /// a manager that exited (EWMH, _NET_SUPPORTING_WM_CHECK).
    package func windowManagerPid() -> Int32? {
        guard let check = reader.windows(in: reader.managerCheck, of: connection.root)?.first,
            reader.windows(in: reader.managerCheck, of: check)?.first == check
        else { return nil }
        managerCheck = check
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
        let syncQuestion = connection.ask { xcb_sync_initialize($0, 3, 1).sequence }
        let resQuestion = connection.ask { xcb_res_query_version($0, 1, 2).sequence }
        let version = connection.answer(to: syncQuestion, as: xcb_sync_initialize_reply_t.self)
        guard version != nil else { throw .extensionMissing(display: display, name: "SYNC 3") }
        let found = connection.answer(to: resQuestion, as: xcb_res_query_version_reply_t.self)
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
    /// Handles the events in libxcb's queue and in the socket. Returns whether there were any.
    /// - Parameter reading: false: only those in the queue.
    @discardableResult private func handleQueue(reading: Bool = true) -> Bool {
        var any = false
        let next = reading ? xcb_poll_for_event : xcb_poll_for_queued_event
        while let event = next(connection.raw) {
            handle(event)
            free(event)
            any = true
        }
        return any
    }

    private func handle(_ event: UnsafeMutablePointer<xcb_generic_event_t>) {
        let raw = UnsafeMutableRawPointer(event)
        switch event.pointee.response_type & 0x7f {
        case UInt8(XCB_PROPERTY_NOTIFY):
            let change = raw.assumingMemoryBound(to: xcb_property_notify_event_t.self).pointee
            guard change.window == connection.root else {
                let isHint = change.atom == reader.windowType || change.atom == Self.transientFor
                if isHint { pending.append(.hintsChanged(change.window)) }
                return
            }
            if change.atom == reader.activeWindow { focusIsStale = true }
            if change.atom == reader.clientList { listIsStale = true }
            if change.atom == reader.managerCheck { pending.append(.windowManagerChanged) }
        case UInt8(XCB_MAP_NOTIFY):
            let change = raw.assumingMemoryBound(to: xcb_map_notify_event_t.self).pointee
            guard change.override_redirect != 0 else { return }
            mapped.insert(change.window)
            listIsStale = true
        case UInt8(XCB_CONFIGURE_NOTIFY):
            let change = raw.assumingMemoryBound(to: xcb_configure_notify_event_t.self).pointee
            if lowered.contains(change.window), change.above_sibling != xcb_window_t(XCB_NONE) {
                aside[change.window] = true
            }
            let isLarge = min(change.width, change.height) >= WindowReader.unmanagedSideMin
            // It may have been small when it was mapped; frames are looked at once more, not at each move.
            guard change.override_redirect != 0, isLarge, !known.contains(change.window),
                enlarged.insert(change.window).inserted
            else { return }
            mapped.insert(change.window)
            listIsStale = true
        case UInt8(XCB_UNMAP_NOTIFY):
            left(raw.assumingMemoryBound(to: xcb_unmap_notify_event_t.self).pointee.window)
        case UInt8(XCB_DESTROY_NOTIFY):
            destroyed(raw.assumingMemoryBound(to: xcb_destroy_notify_event_t.self).pointee.window)
        case syncEvent + UInt8(XCB_SYNC_ALARM_NOTIFY):
            alarmNotifications += 1
            let notice = raw.assumingMemoryBound(to: xcb_sync_alarm_notify_event_t.self).pointee
            pending += idleAlarm.handle(notice)
        default: break  // Type 0 is an error, usually about a closed window.
        }
    }

    /// A window directly below the root was unmapped or destroyed: no window manager has it in a frame.
    private func left(_ window: xcb_window_t) {
        if known.contains(window) { listIsStale = true }
        enlarged.remove(window)
        aside[window] = nil
        lowered.remove(window)
        guard window == managerCheck else { return }
        managerCheck = 0
        pending.append(.windowManagerChanged)
    }

    /// Another window may have its id already: it is found in the list as a new one.
    private func destroyed(_ window: xcb_window_t) {
        left(window)
        guard known.remove(window) != nil else { return }
        unmanaged.remove(window)
        if focusedWindow == window { focusIsStale = true }
        pending.append(.windowClosed(window))
    }

    /// Windows that count although no window manager lists them, and were not known.
    private func findUnmanaged() -> [xcb_window_t] {
        guard !mapped.isEmpty else { return [] }
        let manager = windowManagerPid()
        let found = mapped.subtracting(known).filter { reader.isUnmanaged($0, manager: manager) }
        mapped = []
        unmanaged = unmanaged.intersection(known).union(found)
        return found.sorted()
    }

    /// Puts unmanaged windows below all others, so that their covers can be seen, or above them again.
    func setAside(_ windows: Set<UInt32>, _ isAside: Bool) {
        let ours = windows.intersection(unmanaged)
        for window in ours { aside[window] = isAside }
        if isAside { lowered.formUnion(ours) } else { lowered.subtract(ours) }
        stackSetAside()
    }

    /// While the server is silent, they wait.
    private func stackSetAside() {
        guard !aside.isEmpty else { return }
        let what = UInt16(XCB_CONFIG_WINDOW_STACK_MODE.rawValue)
        let isTold = connection.tell { raw in
            for (window, isAside) in aside.sorted(by: { $0.key < $1.key }) {
                var mode = (isAside ? XCB_STACK_MODE_BELOW : XCB_STACK_MODE_ABOVE).rawValue
                xcb_configure_window(raw, window, what, &mode)
            }
        }
        if isTold { aside = [:] }
    }

    private func readFocus() {
        focusIsStale = false
        let late = connection.lateAnswers
        let ids = reader.windows(in: reader.activeWindow, of: connection.root)
        let window = ids?.first.flatMap { $0 == 0 ? nil : reader.window($0) }
        let mustSettle = window == nil && focusedWindow != nil
        let besideInput = mustSettle && reader.hasInputFocus(known)
        guard connection.lateAnswers == late else {
            // The late answer makes the descriptor readable; then the request is repeated.
            focusIsStale = true
            return
        }
        if mustSettle {
            let now = MonotonicClock.now
            var none = unsettled ?? UnsettledNone(since: now, settleTimes)
            let isBelieved = none.isBelieved(at: now, besideInput: besideInput)
            unsettled = none
            guard isBelieved else { return }
        }
        unsettled = nil
        report(window)
    }

    /// A new title is not a new focus; another class or process under the same id is.
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
        let unseen = mapped
        let ids = present() + findUnmanaged()
        let unknown = ids.filter { !known.contains($0) }
        if !unknown.isEmpty { follow(unknown) }
        let fresh = unknown.map { (id: $0, window: reader.window($0)) }
        guard connection.lateAnswers == late else {
            listIsStale = true
            mapped.formUnion(unseen)
            return
        }
        let now = Set(ids)
        // openbox leaves _NET_ACTIVE_WINDOW at the last window when that one is destroyed.
        if case .some(.some(let focused)) = reportedFocus, !now.contains(focused.id) { focusIsStale = true }
        pending += known.subtracting(now).sorted().map { .windowClosed($0) }
        // A window closed between the list and its request was never reported.
        pending += fresh.compactMap { $0.window.map { .windowMapped($0) } }
        known = now.subtracting(fresh.filter { $0.window == nil }.map(\.id))
    }
}
