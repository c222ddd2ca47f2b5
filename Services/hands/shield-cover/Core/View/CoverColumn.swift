import CGtk4
import Contract
import Loop

/// The column of a cover: icon, title, subtitle, buttons; or instead of the buttons the secondary button's
/// menu, or the page on which more time is asked for.
@LoopActor final class CoverColumn {
    let widget: Widget
    /// Called with each button that the person presses.
    var onPress: (@LoopActor (ShieldButton) -> Void)?
    /// Called with what the person chose about more time.
    var onAsk: (@LoopActor (AskAction) -> Void)?
    /// Whether what is clicked was pressed for what it does now. Each click asks once.
    var takesClick: @LoopActor () -> Bool = { true }

    private let art: Widget
    private let picture: Widget
    private let title: Widget
    private let subtitle: Widget
    private let buttons: Widget
    private let menuBox: Widget
    private let page = AskPage()
    private let primary: Widget
    private let secondary: Widget
    private var face: CoverFace?
    private var layout = CoverLayout(scale: .normal)
    /// The scale by which texts are measured; nil: an older style.
    private var styled: CoverLayout.Scale?
    private var accent = Colour(0)
    /// What stands instead of the buttons.
    private var opened = Opened.nothing
    /// Whether the menu or the page is open.
    var isOpened: Bool { opened != .nothing }
    var isPage: Bool { opened == .page }
    /// What has the focus when neither is.
    private var home = Home.primary
    private var words: Words?
    private var notice: String?
    private var width = 0
    private var pixels: Pixels?

    private enum Opened { case nothing, menu, page }
    /// The button that was used last; or the text, which a screen reader reads then: the buttons are others
    /// than before, and none of them is what the next key is meant for.
    private enum Home { case primary, secondary, text }

    init(icon: String) {
        widget = GTK.made(gtk_box_new(GTK_ORIENTATION_VERTICAL, 0))
        art = GTK.made(gtk_drawing_area_new())
        picture = GTK.made(gtk_image_new())
        title = Self.label("title")
        subtitle = Self.label("subtitle")
        buttons = GTK.made(gtk_box_new(GTK_ORIENTATION_VERTICAL, 0))
        menuBox = GTK.made(gtk_box_new(GTK_ORIENTATION_VERTICAL, 0))
        primary = GTK.labelled("primary")
        secondary = GTK.labelled("secondary")
        for part in [art, picture, title, subtitle, buttons, menuBox, page.widget] {
            gtk_widget_set_halign(part, GTK_ALIGN_CENTER)
            gtk_box_append(GTK.cast(widget), part)
        }
        for button in [primary, secondary] { gtk_box_append(GTK.cast(buttons), button) }
        gtk_widget_set_halign(widget, GTK_ALIGN_CENTER)
        gtk_widget_set_valign(widget, GTK_ALIGN_CENTER)
        gtk_widget_set_hexpand(widget, 1)
        for part in [art, picture] { GTK.setText(GTK_ACCESSIBLE_PROPERTY_LABEL, of: part, icon) }
        GTK.draw(art) { [weak self] cairo, side in
            Hourglass.draw(cairo, side: side, accent: self?.accent ?? Colour(0))
        }
        GTK.connect(primary, "clicked") { [weak self] in self?.pressPrimary() }
        GTK.connect(secondary, "clicked") { [weak self] in self?.pressSecondary() }
        page.onBack = { [weak self] in self?.leave() }
        page.onWritten = { [weak self] in self?.onOpen?() }
        page.onChoice = { [weak self] in self?.choose($0) }
    }

    // MARK: making

    private static func label(_ style: String) -> Widget {
        let label = GTK.made(gtk_label_new(""))
        gtk_label_set_wrap_mode(OpaquePointer(label), PANGO_WRAP_WORD_CHAR)
        gtk_label_set_justify(OpaquePointer(label), GTK_JUSTIFY_CENTER)
        gtk_label_set_max_width_chars(OpaquePointer(label), style == "title" ? 34 : 48)
        // The rest of a long text is left out, rather than the subtitle or the buttons.
        gtk_label_set_ellipsize(OpaquePointer(label), PANGO_ELLIPSIZE_END)
        gtk_widget_add_css_class(label, style)
        return label
    }

    // MARK: content

    /// - Parameters:
    ///   - picture: shown instead of the hourglass.
    ///   - notice: shown instead of the subtitle.
    func set(_ face: CoverFace, picture: Pixels?, words: Words, notice: String?) {
        let hadFocus = hasFocus
        (self.words, self.notice) = (words, notice)
        let picked = self.face.map { $0.menu != face.menu } ?? true
        self.face = face
        accent = face.accent
        GTK.setLabel(primary, face.primary.text)
        GTK.setLabel(secondary, face.secondary?.text ?? "")
        gtk_widget_set_visible(secondary, face.secondary == nil || notice != nil ? 0 : 1)
        show(picture)
        if picked { fillMenu(face.menu, cancel: words.cancel) }
        let isStillOffered = face.ask.map { page.set($0.choices, words: words) } ?? false
        if !mayStayOpen(face, isStillOffered) {
            home = .text
            open(.nothing)
        }
        showTexts()
        if hadFocus, !hasFocus || picked { focus() }
        gtk_widget_queue_draw(art)
    }

    private func mayStayOpen(_ face: CoverFace, _ isStillOffered: Bool) -> Bool {
        switch opened {
        case .nothing: true
        case .menu: !face.menu.isEmpty && notice == nil
        case .page: face.ask?.offer == .page && isStillOffered && notice == nil
        }
    }

    private func showTexts() {
        guard let face, let words else { return }
        gtk_label_set_text(OpaquePointer(title), isPage ? words.ask.ask : face.title.text)
        let text = isPage ? face.ask?.decides ?? face.subtitle.text : face.subtitle.text
        gtk_label_set_text(OpaquePointer(subtitle), notice ?? text)
    }

    private func show(_ fresh: Pixels?) {
        guard fresh != pixels else { return }
        pixels = fresh
        guard let fresh else { return gtk_image_clear(OpaquePointer(picture)) }
        let bytes = g_bytes_new(fresh.bytes, gsize(fresh.bytes.count))
        defer { g_bytes_unref(bytes) }
        let texture = gdk_memory_texture_new(
            gint(fresh.width), gint(fresh.height), GDK_MEMORY_R8G8B8A8, bytes, gsize(fresh.width * 4))
        gtk_image_set_from_paintable(OpaquePointer(picture), texture)
        if let texture { g_object_unref(UnsafeMutableRawPointer(texture)) }
    }

    var areButtonsEnabled = true {
        didSet {
            for box in [buttons, menuBox] { gtk_widget_set_sensitive(box, areButtonsEnabled ? 1 : 0) }
            page.isEnabled = areButtonsEnabled
            // A disabled widget loses the focus.
            if areButtonsEnabled, !oldValue { focus() }
        }
    }

    private var hasFocus: Bool {
        [buttons, menuBox, page.widget].contains { gtk_widget_get_focus_child($0) != nil }
    }

    func focus() {
        switch opened {
        case .nothing: focusHome()
        case .menu: if let first = gtk_widget_get_first_child(menuBox) { gtk_widget_grab_focus(first) }
        case .page: page.focus()
        }
    }

    private func focusHome() {
        if home == .text {
            // Nothing else may have it: a window without a focus gives it to its first button.
            let isShown = gtk_widget_get_visible(subtitle) != 0
            gtk_root_set_focus(gtk_widget_get_root(widget), isShown ? subtitle : widget)
        } else if home == .primary || gtk_widget_grab_focus(secondary) == 0 {
            gtk_widget_grab_focus(primary)
        }
    }

    // MARK: the menu

    private func pressPrimary() {
        guard takesClick() else { return }
        home = .primary
        onPress?(.primary)
    }

    private func pressSecondary() {
        guard takesClick() else { return }
        home = .secondary
        if let offer = face?.ask?.offer {
            guard case .act(let action) = offer else { return open(.page) }
            home = .text
            onAsk?(action)
        } else if face?.menu.isEmpty == false {
            open(.menu)
        } else {
            onPress?(.secondary)
        }
    }

    private func fillMenu(_ items: [CoverFace.MenuItem], cancel: String) {
        while let child = gtk_widget_get_first_child(menuBox) { gtk_box_remove(GTK.cast(menuBox), child) }
        for item in items {
            let widget = GTK.labelled("secondary")
            GTK.setLabel(widget, item.text)
            GTK.connect(widget, "clicked") { [weak self] in
                self?.leave()
                self?.onPress?(item.button)
            }
            gtk_box_append(GTK.cast(menuBox), widget)
        }
        let last = GTK.labelled("secondary")
        GTK.setLabel(last, cancel)
        GTK.connect(last, "clicked") { [weak self] in self?.leave() }
        gtk_box_append(GTK.cast(menuBox), last)
    }

    private func choose(_ action: AskAction) {
        guard takesClick() else { return }
        home = .text
        leave()
        onAsk?(action)
    }

    /// Back to the buttons. Returns whether something else stood there.
    @discardableResult func leave() -> Bool {
        guard opened != .nothing else { return false }
        open(.nothing)
        return true
    }

    private func open(_ part: Opened) {
        opened = part
        showTexts()
        apply(layout)
        onOpen?()
        focus()
    }

    /// Called when the menu or the page opened or closed, so that other parts may fit, or when the focus goes
    /// on by itself: the next key is meant for something else than before.
    var onOpen: (@LoopActor () -> Void)?

    /// The request was made: what was typed is not needed any more.
    func forgetReason() { page.clear() }

    // MARK: layout

    func apply(_ layout: CoverLayout) {
        let isOnText = isOnText
        // GTK gives the focus of a text that is hidden to a button.
        if isOnText { gtk_root_set_focus(gtk_widget_get_root(widget), widget) }
        if styled != layout.scale { restyle(layout.scale) }
        self.layout = layout
        let sizes = StyleSheet.Sizes.of(layout.scale)
        let shown = [
            (art, layout.showsIcon && pixels == nil), (picture, layout.showsIcon && pixels != nil),
            (title, layout.showsTitle), (subtitle, layout.showsSubtitle),
            (buttons, opened == .nothing), (menuBox, opened == .menu), (page.widget, opened == .page),
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
        if opened == .page { page.fit(width: width - 2 * sizes.margin, gap: sizes.gap) }
        if isOnText { focusHome() }
    }

    private func restyle(_ scale: CoverLayout.Scale) {
        for scale in CoverLayout.Scale.allCases { gtk_widget_remove_css_class(widget, scale.rawValue) }
        gtk_widget_add_css_class(widget, scale.rawValue)
        GTK.restyle(widget)
        styled = scale
    }

    /// Texts are measured by their style of now from here on: the person's settings, or the widgets, may be
    /// others than before.
    func forgetStyle() { styled = nil }

    /// Whether the text has the focus, or the column, where the text has no room.
    private var isOnText: Bool {
        guard opened == .nothing, let root = gtk_widget_get_root(widget) else { return false }
        return [subtitle, widget].contains(gtk_root_get_focus(root))
    }

    /// The height that the column needs with a layout.
    func height(of layout: CoverLayout, width: Int) -> Int {
        self.width = width
        apply(layout)
        for label in [title, subtitle] {
            setLines(of: label, label == title ? 3 : 8)
            GTK.setWordsWhole(true, in: label)
        }
        if leastWidth(of: widget) > width {
            let room = width - 2 * StyleSheet.Sizes.of(layout.scale).margin
            for label in [title, subtitle] where leastWidth(of: label) > room {
                GTK.setWordsWhole(false, in: label)
                // A text that cannot be broken does not push the buttons out: it is cut in its first line.
                if leastWidth(of: label) > room { setLines(of: label, 1) }
            }
        }
        // Narrower than its least width it cannot be; then it scrolls sideways.
        let least = gint(leastWidth(of: widget))
        var natural: gint = 0
        gtk_widget_measure(
            widget, GTK_ORIENTATION_VERTICAL, max(gint(width), least), nil, &natural, nil, nil)
        return Int(natural)
    }

    private func setLines(of label: Widget, _ count: gint) {
        gtk_label_set_wrap(OpaquePointer(label), count > 1 ? 1 : 0)
        gtk_label_set_lines(OpaquePointer(label), count)
    }

    private func leastWidth(of part: Widget) -> Int {
        var least: gint = 0
        gtk_widget_measure(part, GTK_ORIENTATION_HORIZONTAL, -1, &least, nil, nil, nil)
        return Int(least)
    }
}
