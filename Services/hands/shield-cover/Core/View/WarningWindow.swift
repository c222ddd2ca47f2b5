import CGtk4
import Contract
import Loop

/// One warning as a GTK window. It is not managed (override-redirect), as those of notification daemons:
/// window managers put a full-screen window that has the focus above all others, notifications too. So it is
/// above all, on all workspaces, in no list, and never has the focus.
@LoopActor final class WarningWindow: WarningView {
    var onDismiss: (@LoopActor () -> Void)?
    /// Called with whether it takes clicks: at once, and when that changes.
    var onOpen: (@LoopActor (Bool) -> Void)? {
        didSet { onOpen?(input.isOpen) }
    }

    private let window: Widget
    /// A click that was meant for what was here before does not dismiss it.
    private let input: InputWatch
    private let row: Widget
    private let art: Widget
    private let texts: Widget
    private let title: Widget
    private let body: Widget
    /// The time left in the banner, and in the chip. Two, because a label whose style has just changed is
    /// measured with the old one.
    private let clock: Widget
    private let time: Widget
    private let button: Widget
    private let move: @LoopActor (UInt32, Frame) -> Void
    private var face: WarningFace?
    private var place: Frame?
    private var accent = Colour(0)
    private var isClosed = false

    /// - Parameter move: places a window of ours.
    init(_ serverClock: ServerClock, move: @escaping @LoopActor (UInt32, Frame) -> Void) {
        func box(_ orientation: GtkOrientation) -> Widget { GTK.made(gtk_box_new(orientation, 0)) }
        func label(_ style: String) -> Widget {
            let label = GTK.made(gtk_label_new(""))
            gtk_widget_add_css_class(label, style)
            gtk_label_set_xalign(OpaquePointer(label), 0)
            gtk_label_set_ellipsize(OpaquePointer(label), PANGO_ELLIPSIZE_END)
            return label
        }
        self.move = move
        window = GTK.made(gtk_window_new())
        (row, texts) = (box(GTK_ORIENTATION_HORIZONTAL), box(GTK_ORIENTATION_VERTICAL))
        art = GTK.made(gtk_drawing_area_new())
        (title, body) = (label("title"), label("body"))
        (clock, time) = (label("clock"), label("time"))
        button = GTK.labelled("close")
        input = InputWatch(window, serverClock)
        build()
        listen()
    }

    private func build() {
        let toplevel = GTK.cast(window, to: GtkWindow.self)
        gtk_window_set_decorated(toplevel, 0)
        gtk_widget_add_css_class(window, "warning")
        // Rounded corners need something that draws what is behind them.
        let display = gtk_widget_get_display(window)
        if gdk_display_is_composited(display) != 0 { gtk_widget_add_css_class(window, "round") }
        GTK.setRole(GTK_ACCESSIBLE_ROLE_ALERT, of: window)
        for label in [title, body] {
            gtk_label_set_wrap(OpaquePointer(label), 1)
            gtk_label_set_wrap_mode(OpaquePointer(label), PANGO_WRAP_WORD_CHAR)
            gtk_label_set_lines(OpaquePointer(label), label == title ? 2 : 4)
            gtk_box_append(GTK.cast(texts), label)
        }
        for label in [clock, time] { gtk_box_append(GTK.cast(texts), label) }
        gtk_widget_set_hexpand(texts, 1)
        for part in [art, texts, button] {
            gtk_widget_set_valign(part, part == texts ? GTK_ALIGN_CENTER : GTK_ALIGN_START)
            gtk_box_append(GTK.cast(row), part)
        }
        gtk_window_set_child(toplevel, row)
        GTK.draw(art) { [weak self] cairo, side in
            Hourglass.draw(cairo, side: side, accent: self?.accent ?? Colour(0))
        }
    }

    private func listen() {
        input.onChange = { [weak self] in self?.onOpen?($0) }
        GTK.connect(button, "clicked") { [weak self] in self?.onDismiss?() }
        GTK.connect(UnsafeMutableRawPointer(window), "close-request") { [weak self] in
            self?.onDismiss?()
            return true
        }
        // The whole of it dismisses; the button is for those who look for one.
        guard let click = gtk_gesture_click_new() else { return }
        GTK.connect(UnsafeMutableRawPointer(click), "released") { [weak self] in
            self?.onDismiss?()
            return false
        }
        gtk_widget_add_controller(row, click)
    }

    // MARK: content

    func set(_ face: WarningFace) {
        guard face != self.face else { return }
        let isBanner = face.form == .banner
        self.face = face
        accent = Palette.of(face.appearance).accent
        gtk_label_set_text(OpaquePointer(title), face.title)
        gtk_label_set_text(OpaquePointer(body), face.body ?? "")
        for label in [clock, time] { gtk_label_set_text(OpaquePointer(label), face.time) }
        gtk_widget_set_visible(clock, isBanner ? 1 : 0)
        gtk_widget_set_visible(time, isBanner ? 0 : 1)
        GTK.setLabel(button, "✕")
        GTK.setText(GTK_ACCESSIBLE_PROPERTY_LABEL, of: button, face.close)
        // GTK sets the name with the title.
        gtk_window_set_title(GTK.cast(window), face.title)
        GTK.setText(GTK_ACCESSIBLE_PROPERTY_LABEL, of: window, face.announcement)
        gtk_widget_set_visible(title, isBanner ? 1 : 0)
        gtk_widget_set_visible(body, isBanner && face.body != nil ? 1 : 0)
        let side: gint = isBanner ? 40 : 20
        gtk_widget_set_size_request(art, side, side)
        for (style, isSet) in [
            ("banner", isBanner), ("chip", !isBanner), ("dark", face.appearance == .dark),
            ("light", face.appearance == .light),
        ] {
            if isSet { gtk_widget_add_css_class(window, style) } else {
                gtk_widget_remove_css_class(window, style)
            }
        }
        for part in [art, button] {
            gtk_widget_set_valign(part, isBanner ? GTK_ALIGN_START : GTK_ALIGN_CENTER)
        }
        gtk_widget_queue_draw(art)
    }

    // MARK: the surface

    private var surface: OpaquePointer? { gtk_native_get_surface(OpaquePointer(window)) }
    private var scale: Int { surface.map { max(1, Int(gdk_surface_get_scale_factor($0))) } ?? 1 }

    func size(atMost width: Int) -> (width: Int, height: Int) {
        realize()
        var (natural, high): (gint, gint) = (0, 0)
        gtk_widget_measure(window, GTK_ORIENTATION_HORIZONTAL, -1, nil, &natural, nil, nil)
        let wide = min(face?.form == .banner ? CoverLimits.bannerWidth : Int(natural), width / scale)
        setWordsWhole(atMost: wide)
        gtk_widget_measure(window, GTK_ORIENTATION_VERTICAL, gint(wide), nil, &high, nil, nil)
        return (wide * scale, Int(high) * scale)
    }

    /// Unless that makes it wider than it may be.
    private func setWordsWhole(atMost width: Int) {
        for label in [title, body] { GTK.setWordsWhole(true, in: label) }
        var least: gint = 0
        gtk_widget_measure(window, GTK_ORIENTATION_HORIZONTAL, -1, &least, nil, nil, nil)
        guard Int(least) > width else { return }
        for label in [title, body] { GTK.setWordsWhole(false, in: label) }
    }

    private func realize() {
        guard surface == nil else { return }
        gtk_widget_realize(window)
        if let surface { XErrors.windows.insert(gdk_x11_surface_get_xid(surface)) }
    }

    func show(at frame: Frame) {
        guard frame != place, !isClosed else { return }
        let isFirst = place == nil
        place = frame
        realize()
        guard let surface else { return }
        let id = gdk_x11_surface_get_xid(surface)
        gtk_window_set_default_size(
            GTK.cast(window), gint(frame.width / scale), gint(frame.height / scale))
        if isFirst {
            XErrors.own = UInt32(truncatingIfNeeded: id)
            MapGate.await(id, at: frame) { NotificationHints.set(id, on: $0) }
            gtk_widget_set_visible(window, 1)
            gdk_display_flush(gtk_widget_get_display(window))
            input.appear()
        }
        // GTK may write its own hints before the window manager reads ours.
        move(UInt32(truncatingIfNeeded: id), frame)
        raise()
    }

    func raise() {
        guard let surface, place != nil, !isClosed else { return }
        let display = gtk_widget_get_display(window)
        XRaiseWindow(gdk_x11_display_get_xdisplay(display), gdk_x11_surface_get_xid(surface))
        gdk_display_flush(display)
    }

    func close() {
        guard !isClosed else { return }
        isClosed = true
        input.close()
        if let surface {
            MapGate.forget(gdk_x11_surface_get_xid(surface))
            XErrors.forget(gdk_x11_surface_get_xid(surface))
        }
        gtk_window_destroy(GTK.cast(window))
    }
}

/// Says what a window is to the window manager, compositors and other programs, just before it is mapped: GDK
/// writes some of it otherwise.
enum NotificationHints {
    static func set(_ window: UInt, on display: OpaquePointer?) {
        var attributes = XSetWindowAttributes()
        attributes.override_redirect = 1
        XChangeWindowAttributes(display, window, UInt(CWOverrideRedirect), &attributes)
        // Neither the manager gives it the focus, nor does it take it (ICCCM, 4.1.7: no input).
        var hints = XWMHints()
        hints.flags = InputHint | StateHint
        hints.input = 0
        hints.initial_state = NormalState
        XSetWMHints(display, window, &hints)
        func atom(_ name: String) -> UInt { XInternAtom(display, name, 0) }
        var protocols = [atom("WM_DELETE_WINDOW")]
        XSetWMProtocols(display, window, &protocols, 1)
        func write(_ property: String, _ type: String, _ values: [UInt]) {
            // Xlib reads 32 bits of each long (XChangeProperty(3)).
            values.withUnsafeBytes { bytes in
                _ = XChangeProperty(
                    display, window, atom(property), atom(type), 32, PropModeReplace,
                    bytes.bindMemory(to: UInt8.self).baseAddress, Int32(values.count))
            }
        }
        write("_NET_WM_WINDOW_TYPE", "ATOM", [atom("_NET_WM_WINDOW_TYPE_NOTIFICATION")])
        let states = ["ABOVE", "STICKY", "SKIP_TASKBAR", "SKIP_PAGER"].map { atom("_NET_WM_STATE_" + $0) }
        write("_NET_WM_STATE", "ATOM", states)
        write("_NET_WM_DESKTOP", "CARDINAL", [0xFFFF_FFFF])
        write("_NET_WM_USER_TIME", "CARDINAL", [0])
    }
}
