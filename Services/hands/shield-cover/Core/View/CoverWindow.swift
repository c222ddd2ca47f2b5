import CGtk4
import Contract
import Loop

/// One cover as a GTK window: picture, title, text and buttons in a column that scrolls if it must.
@LoopActor final class CoverWindow: CoverView {
    /// Called once, when the first frame is on the screen.
    var onFrame: (@LoopActor () -> Void)?
    /// Called with each button that the person presses.
    var onPress: (@LoopActor (ShieldButton) -> Void)?
    /// Called with what the person chose about more time.
    var onAsk: (@LoopActor (AskAction) -> Void)?
    /// Called with a click beside all that can be pressed.
    var onTurn: (@LoopActor () -> Void)?
    /// Called when the buttons take keys and clicks, and when they do not any more.
    var onOpen: (@LoopActor (_ isOpen: Bool) -> Void)? {
        didSet { onOpen?(input.isOpen) }
    }

    private let settings: DesktopSettings
    private let window: Widget
    private let content: Widget
    private let scroller: Widget
    private let column: CoverColumn
    private let input: InputWatch
    private var colours: CoverColours.Set?
    private var size = (width: 0, height: 0)
    private var place = Frame(x: 0, y: 0, width: 1, height: 1)
    /// Where the content is: what is off the screen shows nothing.
    private var visible = VisiblePart()
    private var awaitsFrame = false
    private var hasFrame = false
    private var shown: CoverContent?
    /// Whether the buttons do something else than in the last frame.
    private var isUnread = false
    private var isClosed = false

    /// What the buttons do.
    private struct Meaning: Equatable {
        var subject: CoverSubject
        var closing: CoverClosing?
        var offer: AskFace.Offer?
        /// Of an extension; what is asked for may tell the time that is left.
        var labels: [String] = []
        /// Of the page on which more time is asked for. Who writes there does not see the other buttons.
        var choices: [AskFace.Choice]?

        init(_ content: CoverContent, isPage: Bool) {
            let face = content.face
            subject = content.subject
            guard !isPage else {
                choices = face.ask?.choices
                return
            }
            closing = content.closing
            offer = face.ask?.offer
            labels = [face.primary.text] + face.menu.map(\.text)
            if face.ask == nil, let secondary = face.secondary { labels.append(secondary.text) }
        }
    }

    init(_ settings: DesktopSettings, icon: String, _ clock: ServerClock) {
        self.settings = settings
        window = GTK.made(gtk_window_new())
        column = CoverColumn(icon: icon)
        content = column.widget
        scroller = GTK.made(gtk_scrolled_window_new())
        input = InputWatch(window, clock)
        build()
    }

    /// Above those of themes and of the person's own style sheet, which are for apps.
    static let priority = guint(GTK_STYLE_PROVIDER_PRIORITY_USER) + 1

    private func build() {
        let toplevel = GTK.cast(window, to: GtkWindow.self)
        gtk_window_set_decorated(toplevel, 0)
        gtk_window_set_resizable(toplevel, 1)
        gtk_widget_add_css_class(window, "shield-cover")
        GTK.setRole(GTK_ACCESSIBLE_ROLE_ALERT_DIALOG, of: window)
        gtk_scrolled_window_set_policy(OpaquePointer(scroller), GTK_POLICY_EXTERNAL, GTK_POLICY_AUTOMATIC)
        gtk_scrolled_window_set_child(OpaquePointer(scroller), content)
        // Tab reaches the buttons only; the one with the focus is scrolled into view.
        gtk_widget_set_focusable(scroller, 0)
        gtk_window_set_child(toplevel, scroller)
        // It cannot be closed by the person: the shield decides when it goes.
        GTK.connect(UnsafeMutableRawPointer(window), "close-request") { true }
        column.onPress = { [weak self] in self?.onPress?($0) }
        column.onAsk = { [weak self] in self?.onAsk?($0) }
        column.onOpen = { [weak self] in
            self?.layOut()
            self?.letRead()
        }
        column.takesClick = { [weak self] in self?.input.takesClick() ?? true }
        input.onChange = { [weak self] in self?.onOpen?($0) }
        GTK.onClick(beside: window) { [weak self] in
            if let self, !column.isOpened { onTurn?() }
        }
        GTK.onEscape(window) { [weak self] in self?.column.leave() ?? false }
    }

    // MARK: content

    func set(_ content: CoverContent, words: Words) {
        let face = content.face, isPage = column.isPage
        let isOther = shown.map { Meaning($0, isPage: isPage) } != Meaning(content, isPage: isPage)
        shown = content
        show(coloursOf: face)
        gtk_window_set_title(GTK.cast(window), content.announcement)
        GTK.setText(GTK_ACCESSIBLE_PROPERTY_LABEL, of: window, content.announcement)
        column.set(face, picture: content.picture, words: words, notice: content.notice)
        if face.ask.map({ $0.offer != .page }) ?? true { column.forgetReason() }
        layOut()
        if isOther { letRead() }
    }

    /// What is pressed does something else now, which must be drawn and read first.
    private func letRead() {
        guard hasFrame else { return }
        input.change()
        isUnread = true
        gtk_widget_queue_draw(window)
    }

    private func show(coloursOf face: CoverFace?) {
        let display = gtk_widget_get_display(window), old = colours
        colours = face.map { CoverColours.join($0, on: display) }
        if let colours { gtk_widget_add_css_class(window, colours.style) }
        guard let old else { return }
        if old.style != colours?.style { gtk_widget_remove_css_class(window, old.style) }
        CoverColours.leave(old, on: display)
    }

    var areButtonsEnabled: Bool {
        get { column.areButtonsEnabled }
        set { column.areButtonsEnabled = newValue }
    }

    var isInUse: Bool { column.isOpened || input.hadKey }
    func wasTyping(at time: UInt32) -> Bool { input.wasTyping(at: time) }

    func afterInput(_ then: @escaping @LoopActor () -> Void) { GTK.afterEvents(then) }

    func expectFocus() { input.expectFocus() }

    func fit() {
        visible = VisiblePart(of: place, on: Monitors.areas, unit: scale)
        layOut()
    }

    /// Chooses the parts that fit into what is visible, at the present text size.
    private func layOut() {
        guard size.width > 0 else { return }
        let isMirrored = gtk_widget_get_direction(scroller) == GTK_TEXT_DIR_RTL
        gtk_widget_set_margin_start(scroller, gint(isMirrored ? visible.right : visible.left))
        gtk_widget_set_margin_end(scroller, gint(isMirrored ? visible.left : visible.right))
        gtk_widget_set_margin_top(scroller, gint(visible.top))
        gtk_widget_set_margin_bottom(scroller, gint(visible.bottom))
        let width = size.width - visible.left - visible.right
        column.forgetStyle()
        let layout = CoverLayout.fitting(
            width: width, height: size.height - visible.top - visible.bottom,
            keepsSubtitle: shown?.closing != nil, text: settings.textScale
        ) { column.height(of: $0, width: width) }
        column.apply(layout)
    }

    // MARK: the surface

    private var surface: OpaquePointer? { gtk_native_get_surface(OpaquePointer(window)) }

    func create(_ frame: Frame) -> UInt32 {
        realize()
        guard let surface else { preconditionFailure("a realised window has a surface") }
        follow(frame)
        XErrors.own = UInt32(truncatingIfNeeded: gdk_x11_surface_get_xid(surface))
        gtk_window_set_default_size(GTK.cast(window), gint(size.width), gint(size.height))
        return UInt32(truncatingIfNeeded: gdk_x11_surface_get_xid(surface))
    }

    var scale: Int { surface.map { max(1, Int(gdk_surface_get_scale_factor($0))) } ?? 1 }

    private func realize() {
        guard surface == nil else { return }
        gtk_widget_realize(window)
        if let surface { XErrors.windows.insert(gdk_x11_surface_get_xid(surface)) }
        guard let clock = gtk_widget_get_frame_clock(window) else { return }
        GTK.connect(UnsafeMutableRawPointer(clock), "after-paint") { [weak self] in
            self?.painted()
            return false
        }
    }

    /// Milliseconds; less than half of the server's clock, which wraps around.
    private static let longAgo: guint32 = 1 << 30

    func present() {
        guard let surface else { return }
        // A window that was asked for long ago gets no focus, and stays below the active one (EWMH,
        // _NET_WM_USER_TIME). With the time 0 openbox gives no focus either, but raises it above all, as it
        // does with each window that gets the focus.
        setUserTime(gdk_x11_get_server_time(surface) &- Self.longAgo, of: surface)
        column.focus()
        let id = gdk_x11_surface_get_xid(surface)
        MapGate.await(id, at: place) { Self.leaveGroup(id, on: $0) }
        gtk_widget_set_visible(window, 1)
        gdk_display_flush(gtk_widget_get_display(window))
    }

    /// GTK puts all windows of a process into one group (ICCCM, 4.1.2.4). openbox gives a new window the
    /// focus, and raises it, if one of its group has the focus: each new cover would take it from the last.
    private static func leaveGroup(_ window: UInt, on display: OpaquePointer?) {
        guard let hints = XGetWMHints(display, window) else { return }
        hints.pointee.flags &= ~windowGroupHint
        XSetWMHints(display, window, hints)
        XFree(hints)
    }

    /// WindowGroupHint of Xutil.h.
    private static let windowGroupHint = 1 << 6

    /// On the window itself: GDK writes it on another one of its own, which openbox does not read.
    private func setUserTime(_ time: guint32, of surface: OpaquePointer) {
        let display = gtk_widget_get_display(window)
        let property = gdk_x11_get_xatom_by_name_for_display(display, "_NET_WM_USER_TIME")
        // Xlib reads 32 bits of each long (XChangeProperty(3)).
        var value = UInt(time)
        withUnsafeBytes(of: &value) { bytes in
            _ = XChangeProperty(
                gdk_x11_display_get_xdisplay(display), gdk_x11_surface_get_xid(surface), property, 6, 32,
                PropModeReplace, bytes.bindMemory(to: UInt8.self).baseAddress, 1)
        }
    }

    func follow(_ frame: Frame) {
        place = frame.rounded(to: scale)
        let fresh = (width: place.width / scale, height: place.height / scale)
        let part = VisiblePart(of: place, on: Monitors.areas, unit: scale)
        guard fresh != size || part != visible else { return }
        (size, visible) = (fresh, part)
        layOut()
    }

    func becomeVisible() {
        awaitsFrame = true
        hasFrame = false
        input.disappear()
        gtk_widget_queue_draw(window)
    }

    private func painted() {
        guard awaitsFrame || isUnread, !isClosed, let surface else { return }
        // GTK may draw once before it learns which size the window has.
        let drawn = (Int(gdk_surface_get_width(surface)), Int(gdk_surface_get_height(surface)))
        guard drawn == size else { return }
        // From now on it can be read.
        gdk_display_sync(gtk_widget_get_display(window))
        isUnread = false
        guard awaitsFrame else { return input.change() }
        awaitsFrame = false
        hasFrame = true
        input.appear()
        onFrame?()
    }

    func close() {
        guard !isClosed else { return }
        isClosed = true
        input.close()
        if let surface {
            MapGate.forget(gdk_x11_surface_get_xid(surface))
            XErrors.forget(gdk_x11_surface_get_xid(surface))
        }
        show(coloursOf: nil)
        gtk_window_destroy(GTK.cast(window))
    }

    /// Whether another program destroyed it.
    var isLost: Bool { surface.map { XErrors.lost.contains(gdk_x11_surface_get_xid($0)) } ?? false }

    /// Loads fonts and styles before the first cover needs them. GTK 4.8 crashes when a window is destroyed
    /// that was never shown, so this one becomes the next cover.
    func rehearse() {
        realize()
        size = (640, 480)
        layOut()
        size = (0, 0)
    }
}
