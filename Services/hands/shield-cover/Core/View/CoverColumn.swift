import CGtk4
import Contract
import Loop

/// The column of a cover: icon, title, subtitle, buttons; or the secondary button's menu instead of the
/// buttons.
@LoopActor final class CoverColumn {
    let widget: Widget
    /// Called with each button that the person presses.
    var onPress: (@LoopActor (ShieldButton) -> Void)?

    private let art: Widget
    private let picture: Widget
    private let title: Widget
    private let subtitle: Widget
    private let buttons: Widget
    private let menuBox: Widget
    private let primary: Widget
    private let secondary: Widget
    private var face: CoverFace?
    private var layout = CoverLayout(scale: .normal)
    private var accent = Colour(0)
    private var isMenuOpen = false
    private var hasPicture = false

    init(icon: String) {
        widget = GTK.made(gtk_box_new(GTK_ORIENTATION_VERTICAL, 0))
        art = GTK.made(gtk_drawing_area_new())
        picture = GTK.made(gtk_image_new())
        title = Self.label("title")
        subtitle = Self.label("subtitle")
        buttons = GTK.made(gtk_box_new(GTK_ORIENTATION_VERTICAL, 0))
        menuBox = GTK.made(gtk_box_new(GTK_ORIENTATION_VERTICAL, 0))
        primary = Self.button("primary")
        secondary = Self.button("secondary")
        for part in [art, picture, title, subtitle, buttons, menuBox] {
            gtk_widget_set_halign(part, GTK_ALIGN_CENTER)
            gtk_box_append(GTK.cast(widget), part)
        }
        for button in [primary, secondary] { gtk_box_append(GTK.cast(buttons), button) }
        gtk_widget_set_halign(widget, GTK_ALIGN_CENTER)
        gtk_widget_set_valign(widget, GTK_ALIGN_CENTER)
        gtk_widget_set_hexpand(widget, 1)
        for part in [art, picture] { GTK.setText(GTK_ACCESSIBLE_PROPERTY_LABEL, of: part, icon) }
        drawArt()
        GTK.connect(primary, "clicked") { [weak self] in self?.onPress?(.primary) }
        GTK.connect(secondary, "clicked") { [weak self] in self?.pressSecondary() }
    }

    // MARK: making

    private static func label(_ style: String) -> Widget {
        let label = GTK.made(gtk_label_new(""))
        gtk_label_set_wrap(OpaquePointer(label), 1)
        gtk_label_set_wrap_mode(OpaquePointer(label), PANGO_WRAP_WORD_CHAR)
        gtk_label_set_justify(OpaquePointer(label), GTK_JUSTIFY_CENTER)
        gtk_label_set_max_width_chars(OpaquePointer(label), style == "title" ? 34 : 48)
        // The rest of a long text is left out, rather than the subtitle or the buttons.
        gtk_label_set_ellipsize(OpaquePointer(label), PANGO_ELLIPSIZE_END)
        gtk_label_set_lines(OpaquePointer(label), style == "title" ? 3 : 8)
        gtk_widget_add_css_class(label, style)
        return label
    }

    private static func button(_ style: String) -> Widget {
        let button = GTK.made(gtk_button_new())
        let label = GTK.made(gtk_label_new(""))
        gtk_label_set_ellipsize(OpaquePointer(label), PANGO_ELLIPSIZE_END)
        gtk_label_set_max_width_chars(OpaquePointer(label), 36)
        gtk_button_set_child(GTK.cast(button), label)
        gtk_widget_add_css_class(button, style)
        return button
    }

    private static func setText(_ button: Widget, _ text: String) {
        if let label = gtk_button_get_child(GTK.cast(button)) {
            gtk_label_set_text(OpaquePointer(label), text)
        }
        GTK.setText(GTK_ACCESSIBLE_PROPERTY_LABEL, of: button, text)
    }

    /// The column outlives its widget's draw function: both end with the window.
    private func drawArt() {
        let draw: GtkDrawingAreaDrawFunc = { _, cairo, width, height, data in
            guard let cairo, let data else { return }
            // GTK draws on the reactor's thread only (MainContext).
            nonisolated(unsafe) let (pointer, canvas) = (data, cairo)
            LoopActor.assumeOnLoop {
                let column = Unmanaged<CoverColumn>.fromOpaque(pointer).takeUnretainedValue()
                Hourglass.draw(canvas, side: Double(min(width, height)), accent: column.accent)
            }
        }
        gtk_drawing_area_set_draw_func(
            GTK.cast(art), draw, Unmanaged.passRetained(self).toOpaque()
        ) { data in
            if let data { Unmanaged<CoverColumn>.fromOpaque(data).release() }
        }
    }

    // MARK: content

    /// - Parameter notice: shown instead of the subtitle.
    func set(_ face: CoverFace, cancel: String, notice: String?) {
        let hadFocus = hasFocus
        let picked = self.face.map { $0.menu != face.menu } ?? true
        self.face = face
        accent = face.accent
        gtk_label_set_text(OpaquePointer(title), face.title.text)
        gtk_label_set_text(OpaquePointer(subtitle), notice ?? face.subtitle.text)
        Self.setText(primary, face.primary.text)
        Self.setText(secondary, face.secondary?.text ?? "")
        gtk_widget_set_visible(secondary, face.secondary == nil || notice != nil ? 0 : 1)
        showPicture(face.icon)
        if picked { fillMenu(face.menu, cancel: cancel) }
        if isMenuOpen, face.menu.isEmpty || notice != nil { setMenuOpen(false) }
        if hadFocus, picked { focusPrimary() }
        gtk_widget_queue_draw(art)
    }

    private func showPicture(_ icon: CoverFace.Icon) {
        hasPicture = false
        switch icon {
        case .hourglass: break
        case .png(let bytes): show(Picture(bytes, type: "png"))
        case .svg(let bytes): show(Picture(bytes, type: "svg"))
        }
        apply(layout)
    }

    private func show(_ decoded: consuming Picture?) {
        guard let decoded = decoded else { return }
        hasPicture = true
        gtk_image_set_from_paintable(OpaquePointer(picture), decoded.texture)
    }

    /// Whether a file was wanted as the icon, and could not be decoded.
    var lacksPicture: Bool { face.map { $0.icon != .hourglass } == true && !hasPicture }

    var areButtonsEnabled = true {
        didSet {
            for box in [buttons, menuBox] { gtk_widget_set_sensitive(box, areButtonsEnabled ? 1 : 0) }
            // A disabled widget loses the focus.
            if areButtonsEnabled, !oldValue { focusPrimary() }
        }
    }

    private var hasFocus: Bool {
        gtk_widget_get_focus_child(buttons) != nil || gtk_widget_get_focus_child(menuBox) != nil
    }

    func focusPrimary() {
        let first = isMenuOpen ? gtk_widget_get_first_child(menuBox) : primary
        if let first { gtk_widget_grab_focus(first) }
    }

    // MARK: the menu

    private func pressSecondary() {
        guard face?.menu.isEmpty == false else {
            onPress?(.secondary)
            return
        }
        setMenuOpen(true)
        focusPrimary()
    }

    private func fillMenu(_ items: [CoverFace.MenuItem], cancel: String) {
        while let child = gtk_widget_get_first_child(menuBox) { gtk_box_remove(GTK.cast(menuBox), child) }
        for item in items {
            let widget = Self.button("secondary")
            Self.setText(widget, item.text)
            GTK.connect(widget, "clicked") { [weak self] in
                self?.leaveMenu()
                self?.onPress?(item.button)
            }
            gtk_box_append(GTK.cast(menuBox), widget)
        }
        let last = Self.button("secondary")
        Self.setText(last, cancel)
        GTK.connect(last, "clicked") { [weak self] in self?.leaveMenu() }
        gtk_box_append(GTK.cast(menuBox), last)
    }

    private func leaveMenu() {
        setMenuOpen(false)
        focusPrimary()
    }

    private func setMenuOpen(_ isOpen: Bool) {
        isMenuOpen = isOpen
        apply(layout)
        onMenu?()
    }

    /// Called when the menu opened or closed: other parts may fit now.
    var onMenu: (@LoopActor () -> Void)?

    // MARK: layout

    func apply(_ layout: CoverLayout) {
        for scale in CoverLayout.Scale.allCases { gtk_widget_remove_css_class(widget, scale.rawValue) }
        gtk_widget_add_css_class(widget, layout.scale.rawValue)
        self.layout = layout
        let sizes = StyleSheet.Sizes.of(layout.scale)
        let shown = [
            (art, layout.showsIcon && !hasPicture), (picture, layout.showsIcon && hasPicture),
            (title, layout.showsTitle), (subtitle, layout.showsSubtitle), (buttons, !isMenuOpen),
            (menuBox, isMenuOpen),
        ]
        for (part, isShown) in shown { gtk_widget_set_visible(part, isShown ? 1 : 0) }
        gtk_widget_set_size_request(art, gint(sizes.icon), gint(sizes.icon))
        gtk_image_set_pixel_size(OpaquePointer(picture), gint(sizes.icon))
        for part in [art, picture] {
            gtk_widget_set_margin_bottom(part, gint(sizes.gap * 3 / 2))
        }
        gtk_widget_set_margin_bottom(title, gint(sizes.gap * 3 / 4))
        gtk_widget_set_margin_bottom(subtitle, gint(sizes.gap * 2))
        for box in [buttons, menuBox] { gtk_box_set_spacing(GTK.cast(box), gint(sizes.gap * 2 / 3)) }
        gtk_widget_set_margin_top(widget, gint(sizes.margin))
        gtk_widget_set_margin_bottom(widget, gint(sizes.margin))
        gtk_widget_set_margin_start(widget, gint(sizes.margin))
        gtk_widget_set_margin_end(widget, gint(sizes.margin))
    }

    /// The height that the column needs with a layout.
    func height(of layout: CoverLayout, width: Int) -> Int {
        apply(layout)
        var least: gint = 0
        // Narrower than its least width it cannot be; then it scrolls sideways.
        gtk_widget_measure(widget, GTK_ORIENTATION_HORIZONTAL, -1, &least, nil, nil, nil)
        var natural: gint = 0
        gtk_widget_measure(
            widget, GTK_ORIENTATION_VERTICAL, max(gint(width), least), nil, &natural, nil, nil)
        return Int(natural)
    }
}
