import CXcb
import Glibc

/// A window that the window manager manages like any other, but that disturbs nobody: off the screen, never
/// with the focus, in no taskbar and no pager. Of the managers that move windows onto the screen, openbox
/// leaves a line of one pixel there, twelve long, and xfwm4 the whole line.
struct CanaryWindow {
    private let raw: OpaquePointer
    private let root: xcb_window_t
    private let window: xcb_window_t

    /// Pixels. A cover, which has the same size, has no room for less height.
    private static let width: UInt16 = 1
    private static let height: UInt16 = 128
    /// Left of the screen and above it.
    private static let position: Int16 = -200

    /// Nil without a display.
    init?() {
        var number: Int32 = 0
        guard let raw = xcb_connect(nil, &number), xcb_connection_has_error(raw) == 0 else { return nil }
        var screens = xcb_setup_roots_iterator(xcb_get_setup(raw))
        for _ in 0..<number where screens.rem > 1 { xcb_screen_next(&screens) }
        self.raw = raw
        root = screens.data.pointee.root
        window = xcb_generate_id(raw)
    }

    var fileDescriptor: Int32 { xcb_get_file_descriptor(raw) }

    /// Returns false when the display is gone.
    func drain() -> Bool {
        while let event = xcb_poll_for_event(raw) { free(event) }
        return xcb_connection_has_error(raw) == 0
    }

    func open() {
        let copy = UInt8(XCB_COPY_FROM_PARENT)
        xcb_create_window(
            raw, copy, window, root, Self.position, Self.position, Self.width, Self.height, 0,
            UInt16(XCB_WINDOW_CLASS_INPUT_OUTPUT.rawValue), 0, 0, nil)
        describe()
        xcb_map_window(raw, window)
        xcb_flush(raw)
    }

    private func describe() {
        set("WM_CLASS", Array("desktop-canary\0Desktop-canary\0".utf8), as: "STRING")
        set("_NET_WM_NAME", Array("screentime".utf8), as: "UTF8_STRING")
        // ICCCM 4.1.2.3: the position and size that a person wants (flags 1 and 2), so that it is kept.
        let place = UInt32(bitPattern: Int32(Self.position))
        let hints = [3, place, place, UInt32(Self.width), UInt32(Self.height)]
        set("WM_NORMAL_HINTS", numbers: hints, of: 18, as: "WM_SIZE_HINTS")
        // ICCCM 4.1.2.4: the field of flag 1 says that it takes no input.
        set("WM_HINTS", numbers: [1, 0], of: 9, as: "WM_HINTS")
        // Flag 2 says that the third number is about decorations; there are none.
        set("_MOTIF_WM_HINTS", numbers: [2], of: 5, as: "_MOTIF_WM_HINTS")
        set("_NET_WM_WINDOW_TYPE", numbers: [atom("_NET_WM_WINDOW_TYPE_UTILITY")], as: "ATOM")
        let states = ["SKIP_TASKBAR", "SKIP_PAGER", "BELOW"].map { atom("_NET_WM_STATE_" + $0) }
        set("_NET_WM_STATE", numbers: states, as: "ATOM")
        // EWMH: 0 says that the window must not get the focus when it opens.
        set("_NET_WM_USER_TIME", numbers: [0], as: "CARDINAL")
    }

    private func atom(_ name: String) -> xcb_atom_t {
        let cookie = xcb_intern_atom(raw, 0, UInt16(name.utf8.count), name)
        guard let reply = xcb_intern_atom_reply(raw, cookie, nil) else { return 0 }
        defer { free(reply) }
        return reply.pointee.atom
    }

    private func set(_ property: String, _ text: [UInt8], as type: String) {
        let replace = UInt8(XCB_PROP_MODE_REPLACE.rawValue)
        xcb_change_property(raw, replace, window, atom(property), atom(type), 8, UInt32(text.count), text)
    }

    /// - Parameter count: of the numbers; those that are not given are 0.
    private func set(_ property: String, numbers: [UInt32], of count: Int? = nil, as type: String) {
        let all = numbers + [UInt32](repeating: 0, count: max(0, (count ?? 0) - numbers.count))
        let replace = UInt8(XCB_PROP_MODE_REPLACE.rawValue)
        xcb_change_property(raw, replace, window, atom(property), atom(type), 32, UInt32(all.count), all)
    }
}
