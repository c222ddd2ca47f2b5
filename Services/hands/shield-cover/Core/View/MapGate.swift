import CGtk4
import Glibc
import Loop

/// Decides about GTK's requests to the window manager for a cover. GTK cannot place a window. It also asks
/// for the map of a window that is mapped already, and for the end of states that it does not have; window
/// managers take both for a wish to be raised, above windows that stand over the cover's target.
@LoopActor enum MapGate {
    private static var frames: [UInt: (frame: Frame, prepare: @LoopActor (OpaquePointer?) -> Void)] = [:]
    private static var mapped: Set<UInt> = []

    /// The next map of a window places it here.
    /// - Parameter prepare: called just before, with Xlib's display.
    static func await(
        _ window: UInt, at frame: Frame, prepare: @escaping @LoopActor (OpaquePointer?) -> Void = { _ in }
    ) {
        frames[window] = (frame, prepare)
    }
    /// A window is gone; its id may be used again.
    static func forget(_ window: UInt) {
        frames[window] = nil
        mapped.remove(window)
    }

    /// - Returns: whether the window is mapped now.
    fileprivate static func admits(_ window: UInt, on display: OpaquePointer?) -> Bool {
        guard let (frame, prepare) = frames.removeValue(forKey: window) else {
            return !mapped.contains(window)
        }
        mapped.insert(window)
        prepare(display)
        var hints = XSizeHints()
        var supplied = 0
        XGetWMNormalHints(display, window, &hints, &supplied)
        // Marked as chosen by the user, so that the window manager keeps the place (ICCCM, 4.1.2.3).
        hints.flags |= USPosition | USSize
        (hints.x, hints.y) = (Int32(frame.x), Int32(frame.y))
        (hints.width, hints.height) = (Int32(frame.width), Int32(frame.height))
        XSetWMNormalHints(display, window, &hints)
        XMoveResizeWindow(
            display, window, Int32(frame.x), Int32(frame.y), UInt32(frame.width), UInt32(frame.height))
        return true
    }
}

extension MapGate {
    /// Covers change their states, and get the focus, by ``X11Placement`` only; warnings never get it.
    fileprivate static func admits(_ event: UnsafeMutablePointer<XEvent>?) -> Bool {
        guard let event, event.pointee.type == ClientMessage else { return true }
        func atom(_ name: String) -> UInt {
            gdk_x11_get_xatom_by_name_for_display(gdk_display_get_default(), name)
        }
        let type = event.pointee.xclient.message_type
        return type != atom("_NET_WM_STATE") && type != atom("_NET_ACTIVE_WINDOW")
    }
}

private typealias Map = @convention(c) (OpaquePointer?, UInt) -> Int32

/// Xlib's own function. It is the next one in the order of libraries (dlsym(3), RTLD_NEXT).
private let mapOfXlib: Map? = dlsym(UnsafeMutableRawPointer(bitPattern: -1), "XMapWindow").map {
    // The type of its declaration in Xlib.h.
    unsafeBitCast($0, to: Map.self)
}

private typealias Send =
    @convention(c) (OpaquePointer?, UInt, Int32, Int, UnsafeMutablePointer<XEvent>?) -> Int32
private let sendOfXlib: Send? = dlsym(UnsafeMutableRawPointer(bitPattern: -1), "XSendEvent").map {
    // As above.
    unsafeBitCast($0, to: Send.self)
}

/// Replaces Xlib's function for GTK in this process: an executable's symbols have precedence over those of
/// libraries (ld.so(8)). Public, or a release would hide it.
@_cdecl("XMapWindow")
public func mapWindow(_ display: OpaquePointer?, _ window: UInt) -> Int32 {
    // GTK runs on the reactor's thread only (MainContext).
    nonisolated(unsafe) let display = display
    guard LoopActor.assumeOnLoop({ MapGate.admits(window, on: display) }) else { return 1 }
    return mapOfXlib?(display, window) ?? 0
}

/// The same for messages.
@_cdecl("XSendEvent")
public func sendEvent(
    _ display: OpaquePointer?, _ window: UInt, _ propagate: Int32, _ mask: Int,
    _ event: UnsafeMutableRawPointer?
) -> Int32 {
    // As above; XSendEvent(3) says what it points to.
    nonisolated(unsafe) let message = event?.assumingMemoryBound(to: XEvent.self)
    guard LoopActor.assumeOnLoop({ MapGate.admits(message) }) else { return 1 }
    return sendOfXlib?(display, window, propagate, mask, message) ?? 0
}
