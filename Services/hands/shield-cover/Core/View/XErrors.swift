import CGtk4
import Glibc
import Loop

/// Covers that another program destroys. GDK would end the process: with the news of it, and with each error
/// about something of its own.
@LoopActor enum XErrors {
    /// The bits in which ids of one client differ; 0: not known yet.
    static var mask: UInt32 = 0
    /// Any id of GTK's connection.
    static var own: UInt32 = 0
    /// Windows of covers that GTK has not destroyed, and those of them that another program did.
    static var windows: Set<UInt> = []
    private(set) static var lost: Set<UInt> = []
    fileprivate static var next: XErrorHandler?
    fileprivate static var isInstalled = false

    fileprivate static func isIgnored(_ id: UInt) -> Bool {
        mask != 0 && own != 0 && UInt32(truncatingIfNeeded: id) & ~mask == own & ~mask
    }

    /// GTK destroys the window itself; its id may be used again.
    static func forget(_ window: UInt) {
        windows.remove(window)
        lost.remove(window)
    }

    /// The end of a window that GTK did not destroy.
    fileprivate static func keeps(_ window: UInt) -> Bool {
        guard windows.contains(window) else { return false }
        lost.insert(window)
        return true
    }

    /// GDK 4.8 ends the process at the end of a window that it did not destroy itself, so that it must not
    /// hear of it. The window's cover is closed by whoever follows it.
    static func watch(_ display: OpaquePointer) {
        g_signal_connect_data(
            UnsafeMutableRawPointer(display), "xevent",
            // Called with exactly these arguments (GdkX11Display::xevent).
            unsafeBitCast(hearOfEvent, to: GCallback.self), nil, nil, GConnectFlags(rawValue: 0))
    }
}

/// Whether GDK does not hear of an event.
private let hearOfEvent: @convention(c) (gpointer?, gpointer?, gpointer?) -> gboolean = { _, raw, _ in
    guard let raw, raw.load(as: Int32.self) == DestroyNotify else { return 0 }
    let window = raw.load(as: XDestroyWindowEvent.self).window
    // GTK runs on the reactor's thread only (MainContext).
    return LoopActor.assumeOnLoop { XErrors.keeps(window) } ? 1 : 0
}

private let filter: XErrorHandler = { display, error in
    let id = error?.pointee.resourceid ?? 0
    // GTK runs on the reactor's thread only (MainContext).
    let next = LoopActor.assumeOnLoop { XErrors.isIgnored(id) ? nil : XErrors.next }
    return next?(display, error) ?? 0
}

private typealias Install = @convention(c) (XErrorHandler?) -> XErrorHandler?

/// Xlib's own function. It is the next one in the order of libraries (dlsym(3), RTLD_NEXT).
private let installOfXlib: Install? = dlsym(UnsafeMutableRawPointer(bitPattern: -1), "XSetErrorHandler").map {
    // The type of its declaration in Xlib.h.
    unsafeBitCast($0, to: Install.self)
}

/// Replaces Xlib's function for GTK in this process, as in MapGate: GDK's handler is called by the one here.
@_cdecl("XSetErrorHandler")
public func setErrorHandler(_ raw: UnsafeRawPointer?) -> UnsafeRawPointer? {
    // Both are pointers to a function of this type, or null (XSetErrorHandler(3)).
    let handler = unsafeBitCast(raw, to: XErrorHandler?.self)
    let previous = LoopActor.assumeOnLoop {
        var previous = XErrors.next
        if !XErrors.isInstalled {
            XErrors.isInstalled = true
            previous = installOfXlib?(filter)
        }
        XErrors.next = handler
        return previous
    }
    // As above.
    return unsafeBitCast(previous, to: UnsafeRawPointer?.self)
}
