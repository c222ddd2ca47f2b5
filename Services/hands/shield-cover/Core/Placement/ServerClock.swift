import CXcb
import Contract
import Glibc
import Loop
import Units

/// The server's clock, by which it says when a key or a button was pressed. It has a connection of its own:
/// what is waited for here is never mixed with other events.
@LoopActor final class ServerClock {
    private let display: XDisplay
    private var window: xcb_window_t
    private var whole: WholeTime
    private var last: UInt32 = 0

    /// - Throws: `unavailable` if the display cannot be opened.
    init(display name: String) throws(ServiceError) {
        display = try XDisplay(name)
        window = Self.makeWindow(display)
        whole = WholeTime(0, local: EventLoop.main.now)
        whole = WholeTime(ask(), local: EventLoop.main.now)
    }

    /// The present time. The server is asked, so what it did before is earlier.
    var now: Milliseconds { time(ask()) }

    /// The time of an event.
    func time(_ time: UInt32) -> Milliseconds { whole.whole(time, local: EventLoop.main.now) }

    /// The time of a change that changes nothing (ICCCM, 2.1).
    private func ask() -> UInt32 {
        change()
        while let event = xcb_wait_for_event(display.raw) {
            defer { free(event) }
            switch Int32(event.pointee.response_type & 0x7F) {
            case XCB_PROPERTY_NOTIFY:
                last = UnsafeMutableRawPointer(event)
                    .assumingMemoryBound(to: xcb_property_notify_event_t.self).pointee.time
                return last
            case 0:
                // Another program destroyed the window.
                window = Self.makeWindow(display)
                change()
            default: break
            }
        }
        // The display is gone: GTK ends the process.
        return last
    }

    private func change() {
        xcb_change_property(
            display.raw, UInt8(XCB_PROP_MODE_APPEND.rawValue), window, xcb_atom_t(XCB_ATOM_WM_NAME.rawValue),
            xcb_atom_t(XCB_ATOM_STRING.rawValue), 8, 0, nil)
        display.flush()
    }

    /// It is never shown.
    private static func makeWindow(_ display: XDisplay) -> xcb_window_t {
        let window = xcb_generate_id(display.raw)
        xcb_create_window(
            display.raw, 0, window, display.root, 0, 0, 1, 1, 0,
            UInt16(XCB_WINDOW_CLASS_INPUT_ONLY.rawValue), 0, 0, nil)
        display.select(XCB_EVENT_MASK_PROPERTY_CHANGE, of: window)
        return window
    }
}
