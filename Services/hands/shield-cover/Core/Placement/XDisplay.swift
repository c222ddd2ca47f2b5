import CXcb
import Contract
import Glibc

/// Our own connection to the X server, beside GTK's: windows of others are watched here, so that an error
/// about one that was just closed ends nothing.
final class XDisplay {
    let raw: OpaquePointer
    let root: xcb_window_t
    /// The bits in which ids of one client differ.
    let idMask: UInt32
    private var atoms: [String: xcb_atom_t] = [:]

    /// - Throws: `unavailable` if the display cannot be opened.
    init(_ name: String) throws(ServiceError) {
        var screenNumber: Int32 = 0
        guard let raw = xcb_connect(name, &screenNumber) else { throw Self.unavailable(name) }
        guard xcb_connection_has_error(raw) == 0 else {
            xcb_disconnect(raw)
            throw Self.unavailable(name)
        }
        var screens = xcb_setup_roots_iterator(xcb_get_setup(raw))
        for _ in 0..<screenNumber where screens.rem > 1 { xcb_screen_next(&screens) }
        self.raw = raw
        idMask = xcb_get_setup(raw).pointee.resource_id_mask
        root = screens.data.pointee.root
    }

    deinit { xcb_disconnect(raw) }

    private static func unavailable(_ name: String) -> ServiceError {
        ServiceError(
            .unavailable, "the X11 display '\(name)' cannot be opened",
            remedy: "Check that the server runs and that XAUTHORITY names its cookie file.")
    }

    var fileDescriptor: Int32 { xcb_get_file_descriptor(raw) }
    var isLost: Bool { xcb_connection_has_error(raw) != 0 }
    func flush() { xcb_flush(raw) }

    func atom(_ name: String) -> xcb_atom_t {
        if let atom = atoms[name] { return atom }
        let cookie = xcb_intern_atom(raw, 0, UInt16(name.utf8.count), name)
        guard let reply = xcb_intern_atom_reply(raw, cookie, nil) else { return 0 }
        defer { free(reply) }
        atoms[name] = reply.pointee.atom
        return reply.pointee.atom
    }

    // MARK: questions

    /// Reads the answer to a question that was sent. It must be called once: so that many questions cost one
    /// round trip, they are all asked before the first answer is read.
    typealias Answer<Value> = () -> Value

    /// How often the server was waited for.
    private(set) var roundTrips = 0
    /// Numbers of requests (modulo 2³²): the last question, and the last whose answer has arrived.
    private var lastAsked: UInt32 = 0, lastAnswered: UInt32 = 0

    private func read<Value>(_ request: UInt32, _ body: @escaping () -> Value) -> Answer<Value> {
        lastAsked = request
        return { [self] in
            if Int32(bitPattern: request &- lastAnswered) > 0 {
                roundTrips += 1
                lastAnswered = lastAsked
            }
            return body()
        }
    }

    /// The first numbers of a property; empty if it is missing.
    func askNumbers(_ property: String, of window: xcb_window_t, max: UInt32 = 4_096) -> Answer<[UInt32]> {
        let cookie = xcb_get_property(raw, 0, window, atom(property), 0, 0, max)
        return read(cookie.sequence) { [raw] in
            guard let reply = xcb_get_property_reply(raw, cookie, nil) else { return [] }
            defer { free(reply) }
            guard reply.pointee.format == 32, let start = xcb_get_property_value(reply) else { return [] }
            let count = Int(xcb_get_property_value_length(reply)) / 4
            return (0..<count).map { start.loadUnaligned(fromByteOffset: $0 * 4, as: UInt32.self) }
        }
    }

    /// - Returns: a text without its last NUL; empty if there is none.
    func askText(_ property: String, of window: xcb_window_t, bytesMax: UInt32 = 256) -> Answer<String> {
        let cookie = xcb_get_property(raw, 0, window, atom(property), 0, 0, bytesMax / 4)
        return read(cookie.sequence) { [raw] in
            guard let reply = xcb_get_property_reply(raw, cookie, nil) else { return "" }
            defer { free(reply) }
            guard reply.pointee.format == 8, let start = xcb_get_property_value(reply) else { return "" }
            let count = Int(xcb_get_property_value_length(reply))
            let bytes = UnsafeRawBufferPointer(start: start, count: count)
            return String(decoding: bytes.prefix { $0 != 0 }, as: UTF8.self)
        }
    }

    func numbers(_ property: String, of window: xcb_window_t, max: UInt32 = 4_096) -> [UInt32] {
        askNumbers(property, of: window, max: max)()
    }

    /// The number of this request (modulo 2³²) if the window was there when the server read it; nil if not.
    func askExistence(of window: xcb_window_t) -> Answer<UInt32?> {
        let cookie = xcb_get_geometry(raw, window)
        return read(cookie.sequence) { [raw] in
            guard let reply = xcb_get_geometry_reply(raw, cookie, nil) else { return nil }
            free(reply)
            return cookie.sequence
        }
    }

    /// Where a window is on the screen, without its borders; nil if it was closed.
    func askPlace(of window: xcb_window_t) -> Answer<Frame?> {
        let size = xcb_get_geometry(raw, window)
        let origin = xcb_translate_coordinates(raw, window, root, 0, 0)
        return read(origin.sequence) { [raw] in
            let geometry = xcb_get_geometry_reply(raw, size, nil)
            let position = xcb_translate_coordinates_reply(raw, origin, nil)
            defer {
                free(geometry)
                free(position)
            }
            guard let geometry, let position else { return nil }
            return Frame(
                x: Int(position.pointee.dst_x), y: Int(position.pointee.dst_y),
                width: Int(geometry.pointee.width), height: Int(geometry.pointee.height))
        }
    }

    func place(of window: xcb_window_t) -> Frame? { askPlace(of: window)() }

    /// The pointer, and the child of the root below it.
    var pointer: (place: Frame, window: Frame?) {
        guard let reply = xcb_query_pointer_reply(raw, xcb_query_pointer(raw, root), nil) else {
            return (Frame(x: 0, y: 0, width: 1, height: 1), nil)
        }
        defer { free(reply) }
        let child = reply.pointee.child
        return (
            Frame(x: Int(reply.pointee.root_x), y: Int(reply.pointee.root_y), width: 1, height: 1),
            child == 0 ? nil : place(of: child)
        )
    }

    /// Whether a window and everything around it are mapped.
    func askViewable(_ window: xcb_window_t) -> Answer<Bool> {
        let cookie = xcb_get_window_attributes(raw, window)
        return read(cookie.sequence) { [raw] in
            guard let reply = xcb_get_window_attributes_reply(raw, cookie, nil) else { return false }
            defer { free(reply) }
            return UInt32(reply.pointee.map_state) == XCB_MAP_STATE_VIEWABLE.rawValue
        }
    }

    func isViewable(_ window: xcb_window_t) -> Bool { askViewable(window)() }

    /// What is focused when the window below the pointer gets the keys; 0 when none gets them.
    static let pointerRoot = xcb_window_t(XCB_INPUT_FOCUS_POINTER_ROOT.rawValue)

    /// The window that has the focus; at most ``pointerRoot`` if it is no window.
    var focused: xcb_window_t {
        let cookie = xcb_get_input_focus(raw)
        return read(cookie.sequence) { [raw] in
            guard let reply = xcb_get_input_focus_reply(raw, cookie, nil) else { return 0 }
            defer { free(reply) }
            return reply.pointee.focus
        }()
    }

    /// Whether a window is another one, or somewhere in it.
    func isWindow(_ window: xcb_window_t, in outer: xcb_window_t) -> Bool {
        var next = window
        while next > Self.pointerRoot, next != root {
            if next == outer { return true }
            next = parent(of: next)
        }
        return false
    }

    /// 0 if the window was closed.
    private func parent(of window: xcb_window_t) -> xcb_window_t {
        let cookie = xcb_query_tree(raw, window)
        return read(cookie.sequence) { [raw] in
            guard let reply = xcb_query_tree_reply(raw, cookie, nil) else { return 0 }
            defer { free(reply) }
            return reply.pointee.parent
        }()
    }

    // MARK: requests

    func select(_ events: xcb_event_mask_t..., of window: xcb_window_t) {
        var mask = events.reduce(0) { $0 | $1.rawValue }
        xcb_change_window_attributes(raw, window, XCB_CW_EVENT_MASK.rawValue, &mask)
    }

    /// Sends a message to the window manager (EWMH, root window messages).
    func tellManager(_ type: String, about window: xcb_window_t, _ numbers: [UInt32]) {
        var event = xcb_client_message_event_t()
        event.response_type = UInt8(XCB_CLIENT_MESSAGE)
        event.format = 32
        event.window = window
        event.type = atom(type)
        let data = numbers + Array(repeating: 0, count: 5 - numbers.count)
        event.data.data32 = (data[0], data[1], data[2], data[3], data[4])
        let mask = XCB_EVENT_MASK_SUBSTRUCTURE_REDIRECT.rawValue | XCB_EVENT_MASK_SUBSTRUCTURE_NOTIFY.rawValue
        withUnsafeBytes(of: &event) { bytes in
            // A client message has 32 bytes, which is what the call reads.
            guard let start = bytes.bindMemory(to: CChar.self).baseAddress else { return }
            _ = xcb_send_event(raw, 0, root, mask, start)
        }
    }

    /// Asks the window manager for a place in the order, as a program asks for its own window (ICCCM, 4.1.5).
    func askToRaise(_ window: xcb_window_t, above sibling: xcb_window_t) {
        // As many bytes as the call reads: the event's own type is shorter.
        var event = [UInt8](repeating: 0, count: 32)
        event.withUnsafeMutableBytes { bytes in
            bytes[0] = UInt8(XCB_CONFIGURE_REQUEST)
            bytes[1] = UInt8(XCB_STACK_MODE_ABOVE.rawValue)
            for (offset, id) in [(4, root), (8, window), (12, sibling)] {
                bytes.storeBytes(of: id, toByteOffset: offset, as: UInt32.self)
            }
            let mask = XCB_CONFIG_WINDOW_SIBLING.rawValue | XCB_CONFIG_WINDOW_STACK_MODE.rawValue
            bytes.storeBytes(of: UInt16(mask), toByteOffset: 26, as: UInt16.self)
            let events = XCB_EVENT_MASK_SUBSTRUCTURE_REDIRECT.rawValue
                | XCB_EVENT_MASK_SUBSTRUCTURE_NOTIFY.rawValue
            guard let start = bytes.bindMemory(to: CChar.self).baseAddress else { return }
            _ = xcb_send_event(raw, 0, root, events, start)
        }
    }

    func move(_ window: xcb_window_t, to frame: Frame) {
        let mask = UInt16(
            XCB_CONFIG_WINDOW_X.rawValue | XCB_CONFIG_WINDOW_Y.rawValue | XCB_CONFIG_WINDOW_WIDTH.rawValue
                | XCB_CONFIG_WINDOW_HEIGHT.rawValue)
        let values = [
            UInt32(bitPattern: Int32(frame.x)), UInt32(bitPattern: Int32(frame.y)),
            UInt32(max(1, frame.width)), UInt32(max(1, frame.height)),
        ]
        xcb_configure_window(raw, window, mask, values)
    }

    /// - Parameter time: of the server; it ignores the request if the focus was set later. 0: now.
    func focus(_ window: xcb_window_t, at time: xcb_timestamp_t) {
        xcb_set_input_focus(raw, UInt8(XCB_INPUT_FOCUS_PARENT.rawValue), window, time)
    }

    func setTransient(_ window: xcb_window_t, for owner: xcb_window_t) {
        write(Property.transientFor, of: window, XCB_ATOM_WINDOW, [owner])
    }

    /// - Parameter numbers: empty: removes the property.
    func write(_ property: String, of window: xcb_window_t, _ type: xcb_atom_enum_t, _ numbers: [UInt32]) {
        guard !numbers.isEmpty else {
            xcb_delete_property(raw, window, atom(property))
            return
        }
        xcb_change_property(
            raw, UInt8(XCB_PROP_MODE_REPLACE.rawValue), window, atom(property), xcb_atom_t(type.rawValue), 32,
            UInt32(numbers.count), numbers)
    }

    /// Keys that would reach `window` reach this connection instead, which drops them.
    func setKeysKept(_ areKept: Bool, from window: xcb_window_t) {
        let any = UInt16(XCB_MOD_MASK_ANY.rawValue), key = xcb_keycode_t(XCB_GRAB_ANY.rawValue)
        let mode = UInt8(XCB_GRAB_MODE_ASYNC.rawValue)
        if areKept {
            xcb_grab_key(raw, 0, window, any, key, mode, mode)
        } else {
            xcb_ungrab_key(raw, key, window, any)
        }
    }
}
