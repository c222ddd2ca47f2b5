import Units
import CXcb
import Glibc

@testable import DesktopCore

/// A desktop of its own for one test: Xvfb on a number it chooses itself, and openbox.
final class TestDesktop {
    let display: String
    let scratch: ScratchDirectory
    let server: Child
    private(set) var manager: Child?
    private var programs: [Child] = []

    init(managed: Bool = true) throws {
        scratch = try ScratchDirectory()
        let (server, number) = try Self.started(
            ["Xvfb", "-displayfd", "3", "-screen", "0", "800x600x24", "-nolisten", "tcp", "-noreset"],
            tellingOn: 3)
        self.server = server
        display = ":" + number
        if managed { try startManager() }
    }

    deinit {
        for program in programs { program.end() }
        manager?.end()
        // A clean end removes the server's socket and lock file.
        kill(server.pid, SIGTERM)
        server.wait()
    }

    var environment: [String: String] {
        ["DISPLAY": display, "HOME": scratch.path, "XDG_CACHE_HOME": scratch.path, "SHELL": "/bin/sh"]
    }

    /// Starts a program of the session; it ends with the test.
    @discardableResult func start(_ arguments: [String]) throws -> Child {
        let child = try Child(arguments, environment: environment)
        programs.append(child)
        return child
    }

    /// Runs a program to its end.
    func run(_ arguments: String...) throws { try Child(arguments, environment: environment).wait() }

    /// Opens a terminal and returns its window once the window manager shows it. A window manager that has
    /// just begun may not answer the terminal's question for its size: it then waits 5 s unless told.
    func openTerminal(
        _ name: String, command: [String] = ["sh", "-c", "read line"], watchedBy watch: Watch
    ) throws -> (window: Window, child: Child) {
        let child = try start(["xterm", "-xrm", "*wmTimeout: 100", "-class", name, "-e"] + command)
        let window = try watch.awaitEvent("window of \(name)") { event -> Window? in
            guard case .windowMapped(let window) = event, window.windowClass == name else { return nil }
            return window
        }
        return (window, child)
    }

    /// It may lose what is mapped before it runs its startup command.
    private func startManager() throws {
        let watch = try Watch(self)
        manager = try Self.started(
            ["openbox", "--sm-disable", "--startup", "echo READY"], environment: environment, tellingOn: 1
        ).child
        try watch.awaitEvent("window manager") { $0 == .windowManagerChanged ? () : nil }
        // It sets its second mark after the first, which is told.
        _ = try eventually("process of the window manager") { watch.session.windowManagerPid() }
    }

    /// Starts a program and returns the line that it writes to `descriptor` when it is ready.
    private static func started(
        _ arguments: [String], environment: [String: String] = [:], tellingOn descriptor: Int32
    ) throws -> (child: Child, line: String) {
        var ends: [Int32] = [0, 0]
        guard socketpair(AF_UNIX, Int32(SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue), 0, &ends) == 0
        else { throw Child.CannotStart(program: "socketpair", code: errno) }
        defer { close(ends[0]) }
        let child = try Child(arguments, environment: environment, descriptors: [descriptor: ends[1]])
        close(ends[1])
        var text = ""
        var byte: UInt8 = 0
        while read(ends[0], &byte, 1) == 1 {
            if byte == UInt8(ascii: "\n") { return (child, text) }
            text.unicodeScalars.append(Unicode.Scalar(byte))
        }
        child.end()
        throw Child.CannotStart(program: arguments[0], code: 0)
    }
}

/// A session and its events not yet asked for.
final class Watch {
    let session: X11Session
    private var events: [SessionEvent] = []

    init(
        _ desktop: TestDesktop, idleThreshold: Milliseconds = 60_000,
        settling: SettleTimes = SettleTimes()
    ) throws(DisplayError) {
        session = try X11Session(
            display: desktop.display, idleThreshold: idleThreshold, settling: settling)
    }

    /// Everything until now.
    func drain() -> [SessionEvent] {
        defer { events = [] }
        return events + session.drain()
    }

    /// Waits for the event that `pick` accepts. Earlier events are dropped, later ones kept. The deadline
    /// only fails the test.
    func awaitEvent<Found>(
        _ what: String, within limit_ms: Double = 120_000, _ pick: (SessionEvent) -> Found?
    ) throws -> Found {
        let start = now_ms()
        while true {
            events += session.drain()
            while !events.isEmpty { if let found = pick(events.removeFirst()) { return found } }
            let left_ms = limit_ms - (now_ms() - start)
            guard left_ms > 0 else { throw NotInTime(what, limit_ms) }
            var entry = pollfd(fd: session.fileDescriptor, events: Int16(POLLIN), revents: 0)
            let settling_ms = session.settling.map { Double($0.count) } ?? left_ms
            poll(&entry, 1, Int32(min(left_ms, settling_ms)) + 1)
        }
    }

    func awaitFocus(on id: UInt32?) throws {
        try awaitEvent("focus") { event -> Void? in
            if case .focus(let window) = event, window?.id == id { () } else { nil }
        }
    }
}

/// Another client of the same display, which can ask for focus and hold the server.
final class OtherClient {
    private let raw: OpaquePointer
    private let root: xcb_window_t
    private let activeWindow: xcb_atom_t

    init?(_ display: String) {
        guard let raw = xcb_connect(display, nil), xcb_connection_has_error(raw) == 0 else { return nil }
        self.raw = raw
        root = xcb_setup_roots_iterator(xcb_get_setup(raw)).data.pointee.root
        let name = "_NET_ACTIVE_WINDOW"
        let cookie = xcb_intern_atom(raw, 0, UInt16(name.utf8.count), name)
        guard let reply = xcb_intern_atom_reply(raw, cookie, nil) else { return nil }
        activeWindow = reply.pointee.atom
        free(reply)
    }

    deinit { xcb_disconnect(raw) }

    /// Asks the window manager to focus `window`, as a pager does (EWMH, source 2).
    func activate(_ window: UInt32) {
        var event = xcb_client_message_event_t()
        event.response_type = UInt8(XCB_CLIENT_MESSAGE)
        event.format = 32
        event.window = window
        event.type = activeWindow
        event.data.data32 = (2, 0, 0, 0, 0)
        let mask = XCB_EVENT_MASK_SUBSTRUCTURE_REDIRECT.rawValue | XCB_EVENT_MASK_SUBSTRUCTURE_NOTIFY.rawValue
        withUnsafePointer(to: &event) { pointer in
            pointer.withMemoryRebound(to: CChar.self, capacity: 32) { bytes in
                _ = xcb_send_event(raw, 0, root, mask, bytes)
            }
        }
        xcb_flush(raw)
    }

    /// A window by which a window manager makes itself known (EWMH, _NET_SUPPORTING_WM_CHECK).
    func openMark() -> UInt32 {
        let window = xcb_generate_id(raw)
        xcb_create_window(raw, 0, window, root, -1, -1, 1, 1, 0, 1, 0, 0, nil)
        return window
    }

    /// Writes windows to a property of the root or of another window, as a window manager does.
    func write(_ windows: [UInt32], as name: String, of owner: UInt32? = nil) {
        let cookie = xcb_intern_atom(raw, 0, UInt16(name.utf8.count), name)
        guard let reply = xcb_intern_atom_reply(raw, cookie, nil) else { return }
        defer { free(reply) }
        _ = xcb_change_property(
            raw, UInt8(XCB_PROP_MODE_REPLACE.rawValue), owner ?? root, reply.pointee.atom,
            XCB_ATOM_WINDOW.rawValue, 32, UInt32(windows.count), windows)
        // The server has it when this returns.
        free(xcb_get_input_focus_reply(raw, xcb_get_input_focus(raw), nil))
    }

    /// Gives a window the input focus without asking the window manager; 0 takes it from all.
    func setInputFocus(_ window: UInt32) {
        xcb_set_input_focus(raw, UInt8(XCB_INPUT_FOCUS_NONE.rawValue), window, 0)
        free(xcb_get_input_focus_reply(raw, xcb_get_input_focus(raw), nil))
    }

    func setServerHeld(_ held: Bool) {
        _ = held ? xcb_grab_server(raw) : xcb_ungrab_server(raw)
        // A round trip, so that the server has done it when we return.
        free(xcb_get_input_focus_reply(raw, xcb_get_input_focus(raw), nil))
    }

    /// Takes the keyboard or the pointer, or gives it back. Returns whether it succeeded.
    func setKeyboardGrabbed(_ isGrabbed: Bool) -> Bool {
        guard isGrabbed else {
            xcb_ungrab_keyboard(raw, 0)
            free(xcb_get_input_focus_reply(raw, xcb_get_input_focus(raw), nil))
            return true
        }
        let reply = xcb_grab_keyboard_reply(raw, xcb_grab_keyboard(raw, 0, root, 0, 1, 1), nil)
        defer { free(reply) }
        return reply?.pointee.status == UInt8(XCB_GRAB_STATUS_SUCCESS.rawValue)
    }

    func setPointerGrabbed(_ isGrabbed: Bool) -> Bool {
        guard isGrabbed else {
            xcb_ungrab_pointer(raw, 0)
            free(xcb_get_input_focus_reply(raw, xcb_get_input_focus(raw), nil))
            return true
        }
        return !isPointerHeld(keeps: true)
    }

    /// Shows a window, as a program that gets the id of an earlier one does.
    /// - Parameter isManaged: whether the window manager lists it.
    func show(_ id: UInt32, class name: String, isManaged: Bool) {
        var override: UInt32 = isManaged ? 0 : 1
        xcb_create_window(
            raw, 0, id, root, 0, 0, 300, 300, 0, UInt16(XCB_WINDOW_CLASS_INPUT_OUTPUT.rawValue), 0,
            XCB_CW_OVERRIDE_REDIRECT.rawValue, &override)
        let text = "toy\0\(name)\0"
        xcb_change_property(
            raw, UInt8(XCB_PROP_MODE_REPLACE.rawValue), id, XCB_ATOM_WM_CLASS.rawValue,
            XCB_ATOM_STRING.rawValue, 8, UInt32(text.utf8.count), text)
        xcb_map_window(raw, id)
        _ = takeEvents()
    }

    /// Shows two windows as their window manager, the first of them active and with the input focus.
    func manageTwoWindows() -> (UInt32, UInt32) {
        let windows = (makeID(), makeID())
        show(windows.0, class: "Alpha", isManaged: true)
        show(windows.1, class: "Beta", isManaged: true)
        write([windows.0, windows.1], as: "_NET_CLIENT_LIST")
        write([windows.0], as: "_NET_ACTIVE_WINDOW")
        setInputFocus(windows.0)
        return windows
    }

    func makeID() -> UInt32 {
        let id = xcb_generate_id(raw)
        known.append(id)
        return id
    }
    private var known: [UInt32] = []

    func destroy(_ id: UInt32) {
        xcb_destroy_window(raw, id)
        _ = takeEvents()
    }

    func raise(_ id: UInt32) {
        var mode = XCB_STACK_MODE_ABOVE.rawValue
        xcb_configure_window(raw, id, UInt16(XCB_CONFIG_WINDOW_STACK_MODE.rawValue), &mode)
        _ = takeEvents()
    }

    /// Windows with ids of ``makeID()``, the lowest first.
    var order: [UInt32] {
        guard let reply = xcb_query_tree_reply(raw, xcb_query_tree(raw, root), nil) else { return [] }
        defer { free(reply) }
        guard let start = xcb_query_tree_children(reply) else { return [] }
        return Array(UnsafeBufferPointer(start: start, count: Int(xcb_query_tree_children_length(reply))))
            .filter(known.contains)
    }

    /// Whether the window manager lists a window.
    func isListed(_ id: UInt32) -> Bool {
        let name = "_NET_CLIENT_LIST"
        let atom = xcb_intern_atom_reply(raw, xcb_intern_atom(raw, 0, UInt16(name.utf8.count), name), nil)
        guard let atom else { return false }
        defer { free(atom) }
        let cookie = xcb_get_property(raw, 0, root, atom.pointee.atom, 0, 0, 1_024)
        guard let reply = xcb_get_property_reply(raw, cookie, nil) else { return false }
        defer { free(reply) }
        guard let start = xcb_get_property_value(reply) else { return false }
        return (0..<Int(xcb_get_property_value_length(reply)) / 4).contains {
            start.loadUnaligned(fromByteOffset: $0 * 4, as: UInt32.self) == id
        }
    }

    /// Shows a window that is told of the focus and of the pointer, and gives it the focus.
    func openWindow() {
        let id = xcb_generate_id(raw)
        let events = XCB_EVENT_MASK_FOCUS_CHANGE.rawValue | XCB_EVENT_MASK_ENTER_WINDOW.rawValue
            | XCB_EVENT_MASK_LEAVE_WINDOW.rawValue
        // Not managed: it is mapped at once.
        var values: [UInt32] = [1, events]
        xcb_create_window(
            raw, 0, id, root, 0, 0, 2_000, 2_000, 0, UInt16(XCB_WINDOW_CLASS_INPUT_OUTPUT.rawValue), 0,
            XCB_CW_OVERRIDE_REDIRECT.rawValue | XCB_CW_EVENT_MASK.rawValue, &values)
        xcb_map_window(raw, id)
        free(xcb_get_input_focus_reply(raw, xcb_get_input_focus(raw), nil))
        xcb_set_input_focus(raw, 0, id, 0)
        free(xcb_get_input_focus_reply(raw, xcb_get_input_focus(raw), nil))
    }

    /// Types of the events that came until now.
    func takeEvents() -> [UInt8] {
        free(xcb_get_input_focus_reply(raw, xcb_get_input_focus(raw), nil))
        var types: [UInt8] = []
        while let event = xcb_poll_for_event(raw) {
            types.append(event.pointee.response_type & 0x7F)
            free(event)
        }
        return types
    }

    /// Whether another client holds the pointer.
    var isPointerHeld: Bool { isPointerHeld(keeps: false) }

    private func isPointerHeld(keeps: Bool) -> Bool {
        let cookie = xcb_grab_pointer(raw, 0, root, 0, 1, 1, 0, 0, 0)
        if !keeps { xcb_ungrab_pointer(raw, 0) }
        let reply = xcb_grab_pointer_reply(raw, cookie, nil)
        defer { free(reply) }
        return reply.map { UInt32($0.pointee.status) != XCB_GRAB_STATUS_SUCCESS.rawValue } ?? true
    }
}
