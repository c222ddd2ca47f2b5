/// Names of properties and messages of EWMH and ICCCM.
enum Property {
    static let active = "_NET_ACTIVE_WINDOW"
    static let stack = "_NET_CLIENT_LIST_STACKING"
    static let check = "_NET_SUPPORTING_WM_CHECK"
    static let borders = "_NET_FRAME_EXTENTS"
    static let shadows = "_GTK_FRAME_EXTENTS"
    static let desktop = "_NET_WM_DESKTOP"
    static let currentDesktop = "_NET_CURRENT_DESKTOP"
    static let workArea = "_NET_WORKAREA"
    static let restack = "_NET_RESTACK_WINDOW"
    static let supported = "_NET_SUPPORTED"
    static let state = "WM_STATE"
    static let hints = "WM_HINTS"
    static let states = "_NET_WM_STATE"
    static let skipTaskbar = "_NET_WM_STATE_SKIP_TASKBAR"
    static let skipPager = "_NET_WM_STATE_SKIP_PAGER"
    static let changeState = "WM_CHANGE_STATE"
    static let transientFor = "WM_TRANSIENT_FOR"
    static let windowClass = "WM_CLASS"
    static let close = "_NET_CLOSE_WINDOW"
    static let protocols = "WM_PROTOCOLS"
    static let ping = "_NET_WM_PING"
    /// Ours, on a covered window: its program has asked for ``ping``.
    static let wasPinged = "_SCREENTIME_WAS_PINGED"
}

/// ICCCM, 4.1.3.1.
enum WindowState {
    static let withdrawn: UInt32 = 0
    static let normal: UInt32 = 1
    static let iconic: UInt32 = 3
}

/// EWMH, source indication: as a pager, which acts for the person.
enum Source { static let pager: UInt32 = 2 }
