/// One top-level window, as described by the server and its program.
///
/// Only `pid` is reliable: the server took it from the socket (XRes). Class, instance and title are claims of
/// the program. The title is private: it may name a page, a person or a file. It is left out of every printed
/// form and must not reach a log or the bus unrequested.
package struct Window: Sendable, Equatable {
    /// The window's X11 id, unique while it exists.
    package let id: UInt32
    /// First part of WM_CLASS, for example `Navigator`; empty if not set.
    package let instance: String
    /// Second part of WM_CLASS, for example `firefox-esr`; empty if not set.
    package let windowClass: String
    /// `_NET_WM_NAME`, else WM_NAME. Private.
    package let title: String
    /// The process that opened the connection; nil for a client on another machine.
    package let pid: Int32?

    /// A window with these values; for tests and the reader.
    package init(id: UInt32, instance: String, windowClass: String, title: String, pid: Int32?) {
        self.id = id
        self.instance = instance
        self.windowClass = windowClass
        self.title = title
        self.pid = pid
    }
}

extension Window: CustomStringConvertible, CustomDebugStringConvertible, CustomReflectable {
    package var description: String {
        "window \(id) \(instance).\(windowClass) pid \(pid.map { String($0) } ?? "unknown")"
    }
    package var debugDescription: String { description }
    /// Without the title, so that `dump` and failed expectations do not print it.
    package var customMirror: Mirror {
        Mirror(self, children: ["id": id, "instance": instance, "class": windowClass, "pid": pid as Any])
    }
}

/// Events of the session since the last `drain`.
package enum SessionEvent: Sendable, Equatable {
    /// Another window has the focus; nil if none has (the bare desktop, or no window manager).
    case focus(Window?)
    /// No input for the threshold. Reported when the alarm fires, not backdated.
    case idle
    /// Input after `idle`.
    case resumed
    /// The window manager manages a new window.
    case windowMapped(Window)
    /// A window says something else of itself (``X11Session/followHints(of:)``): for which one it is
    /// transient, or its type.
    case hintsChanged(UInt32)
    /// The window with this id was closed.
    case windowClosed(UInt32)
    /// Another window manager runs, or none: read its pid again.
    case windowManagerChanged
    /// The server is gone. Sent once, as the last event; close the session and stop polling its descriptor.
    case displayLost
}

/// Why a display cannot be used. Each description says what was tried, what failed and what to do; whoever
/// prints it ends its last sentence.
package enum DisplayError: Error, Equatable, CustomStringConvertible {
    case notNamed
    case notAnswering(display: String, code: Int32)
    case extensionMissing(display: String, name: String)
    case counterMissing(display: String)

    package var description: String {
        switch self {
        case .notNamed:
            "No X11 display was named. Set DISPLAY, or start the agent inside the desktop session"
        case .notAnswering(let display, let code):
            "The X11 display \(display) cannot be opened (xcb error \(code)). "
                + "Check that the server runs and that XAUTHORITY names its cookie file"
        case .extensionMissing(let display, let name):
            "The X11 display \(display) lacks the extension \(name). "
                + "Use a server that has it (X.Org 1.12 or later)"
        case .counterMissing(let display):
            "The X11 display \(display) has SYNC but no IDLETIME counter. Use a server that has it"
        }
    }
}
