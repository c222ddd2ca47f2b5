/// One top-level window, as its server and its own program describe it.
///
/// Only `pid` is a fact: the server took it from the socket (XRes). Class, instance and title are what the
/// program says about itself. The title is private: it may name a page, a person or a file, so it is left
/// out of every printed form and must never reach a log or the bus unasked.
package struct Window: Sendable, Equatable {
    /// The X11 id of the window, unique while it lives.
    package let id: UInt32
    /// First part of WM_CLASS, for example `Navigator`; empty when the window has none.
    package let instance: String
    /// Second part of WM_CLASS, for example `firefox-esr`; empty when the window has none.
    package let windowClass: String
    /// `_NET_WM_NAME`, else WM_NAME. Private.
    package let title: String
    /// The process that opened the connection; nil for a client on another machine.
    package let pid: Int32?

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
    /// Without the title, so that `dump` and a failed expectation do not print it.
    package var customMirror: Mirror {
        Mirror(self, children: ["id": id, "instance": instance, "class": windowClass, "pid": pid as Any])
    }
}

/// What happened in the session since the last `drain`.
package enum SessionEvent: Sendable, Equatable {
    /// Another window has the focus; nil: none has (the bare desktop, or no window manager).
    case focus(Window?)
    /// No input for as long as the threshold. Comes when the alarm comes, never back-dated.
    case idle
    /// Input after `idle`.
    case resumed
    /// The window manager took a new window under its care.
    case windowMapped(Window)
    /// The window with this id is gone.
    case windowClosed(UInt32)
    /// Another window manager runs, or none any more: ask for its pid again.
    case windowManagerChanged
    /// The server is gone. Comes once, last; close the session and stop polling its descriptor.
    case displayLost
}

/// Why a display cannot be used. Each says what was tried, what was wrong and what to do.
package enum DisplayError: Error, Equatable, CustomStringConvertible {
    case notNamed
    case notAnswering(display: String, code: Int32)
    case extensionMissing(display: String, name: String)
    case counterMissing(display: String)

    package var description: String {
        switch self {
        case .notNamed:
            "No X11 display was named. Set DISPLAY, or start the agent inside the desktop session."
        case .notAnswering(let display, let code):
            "The X11 display \(display) cannot be opened (xcb error \(code)). "
                + "Check that the server runs and that XAUTHORITY names its cookie file."
        case .extensionMissing(let display, let name):
            "The X11 display \(display) lacks the extension \(name). "
                + "Use a server that has it (X.Org 1.12 or later)."
        case .counterMissing(let display):
            "The X11 display \(display) has SYNC but no IDLETIME counter. Use a server that has it."
        }
    }
}
