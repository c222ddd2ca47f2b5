import CGtk4
import Loop

typealias Widget = UnsafeMutablePointer<GtkWidget>

/// What GTK's C interface needs in Swift: casts between its classes, signals, properties.
enum GTK {
    /// A widget as one of its classes.
    static func cast<Class>(_ widget: Widget, to _: Class.Type = Class.self) -> UnsafeMutablePointer<Class> {
        UnsafeMutableRawPointer(widget).assumingMemoryBound(to: Class.self)
    }

    /// A widget that a constructor returned; constructors of GTK never fail.
    static func made(_ widget: Widget?) -> Widget {
        guard let widget else { preconditionFailure("GTK makes a widget") }
        return widget
    }

    private final class Handler {
        let body: @LoopActor () -> Bool
        init(_ body: @escaping @LoopActor () -> Bool) { self.body = body }

        /// What GLib keeps; it ends with ``release(_:)``.
        var retained: gpointer { Unmanaged.passRetained(self).toOpaque() }

        static func call(_ data: gpointer?) -> gboolean {
            guard let data else { return 0 }
            // GLib runs on the reactor's thread only (MainContext).
            nonisolated(unsafe) let pointer = data
            return LoopActor.assumeOnLoop {
                Unmanaged<Handler>.fromOpaque(pointer).takeUnretainedValue().body() ? 1 : 0
            }
        }

        static func release(_ data: gpointer?) {
            if let data { Unmanaged<Handler>.fromOpaque(data).release() }
        }
    }

    /// Calls `body` at each signal until the object ends. What it returns matters only for signals that stop
    /// when a handler returns true.
    static func connect(
        _ object: UnsafeMutableRawPointer, _ signal: String, _ body: @escaping @LoopActor () -> Bool
    ) {
        // Swapped: the data comes first, whatever else the signal passes.
        let call: @convention(c) (gpointer?) -> gboolean = { Handler.call($0) }
        let release: GClosureNotify = { data, _ in Handler.release(data) }
        // GObject calls it with the arguments of the signal, of which it reads the first one only.
        let callback = unsafeBitCast(call, to: GCallback.self)
        g_signal_connect_data(
            object, signal, callback, Handler(body).retained, release, G_CONNECT_SWAPPED)
    }

    static func connect(
        _ widget: Widget, _ signal: String, _ body: @escaping @LoopActor () -> Void
    ) {
        connect(UnsafeMutableRawPointer(widget), signal) {
            body()
            return false
        }
    }

    /// Calls `body` once, after the events that GTK has, or has not read yet.
    static func afterEvents(_ body: @escaping @LoopActor () -> Void) {
        let once = Handler {
            body()
            return false
        }
        // Sources of a larger number wait until those of events (GDK_PRIORITY_EVENTS) have nothing.
        g_idle_add_full(
            G_PRIORITY_DEFAULT + 1, { Handler.call($0) }, once.retained, { Handler.release($0) })
    }

    // MARK: texts

    /// Whether words of Hangul in a label are not divided at the end of a line.
    static func setWordsWhole(_ areWhole: Bool, in label: Widget) {
        let text = gtk_label_get_text(OpaquePointer(label)).map { String(cString: $0) } ?? ""
        let words = areWhole ? HangulWords.places(in: text) : []
        let list = words.isEmpty ? nil : pango_attr_list_new()
        for word in words {
            guard let attribute = pango_attr_allow_breaks_new(0) else { continue }
            attribute.pointee.start_index = guint(word.lowerBound)
            attribute.pointee.end_index = guint(word.upperBound)
            pango_attr_list_insert(list, attribute)
        }
        gtk_label_set_attributes(OpaquePointer(label), list)
        if let list { pango_attr_list_unref(list) }
    }

    // MARK: style

    /// Lets a widget and all in it measure texts by the style that they have now. By itself GTK tells it to
    /// the texts only before the next frame (gtk_css_node_validate, which is not public).
    static func restyle(_ widget: Widget) {
        let options = cairo_font_options_create()
        defer { cairo_font_options_destroy(options) }
        restyle(widget, options)
    }

    private static func restyle(_ widget: Widget, _ options: OpaquePointer?) {
        // From the outside in: this looks at the style, and lets those below look at theirs.
        gtk_widget_get_pango_context(widget)
        // Which are as before, and of which GTK keeps a copy: it fills in the context again.
        gtk_widget_set_font_options(widget, options)
        // What it measured is kept until then.
        gtk_widget_queue_resize(widget)
        var child = gtk_widget_get_first_child(widget)
        while let each = child {
            restyle(each, options)
            child = gtk_widget_get_next_sibling(each)
        }
    }

    // MARK: buttons

    /// A button with a label that is cut if it must be.
    static func labelled(_ style: String) -> Widget {
        let button = made(gtk_button_new())
        Self.style(button, style)
        return button
    }

    /// Gives a button of any kind its class and a label.
    static func style(_ button: Widget, _ style: String) {
        let label = made(gtk_label_new(""))
        gtk_label_set_ellipsize(OpaquePointer(label), PANGO_ELLIPSIZE_END)
        gtk_label_set_max_width_chars(OpaquePointer(label), 36)
        gtk_button_set_child(cast(button), label)
        gtk_widget_add_css_class(button, style)
    }

    /// Sets the text of such a button, and its name for screen readers.
    static func setLabel(_ button: Widget, _ text: String) {
        if let label = gtk_button_get_child(cast(button)) { gtk_label_set_text(OpaquePointer(label), text) }
        setText(GTK_ACCESSIBLE_PROPERTY_LABEL, of: button, text)
    }

    /// Calls `body` at each press of the pointer's first button, or of a finger, that is on no button and no
    /// field, whether they are enabled or not.
    @LoopActor static func onClick(beside widget: Widget, _ body: @escaping @LoopActor () -> Void) {
        guard let click = gtk_gesture_click_new() else { preconditionFailure("GTK makes a gesture") }
        connect(UnsafeMutableRawPointer(click), "pressed") {
            var (x, y) = (0.0, 0.0)
            // Of a finger, or nil: the pointer.
            let sequence = gtk_gesture_single_get_current_sequence(click)
            guard gtk_gesture_get_point(click, sequence, &x, &y) != 0 else { return false }
            guard let part = gtk_widget_pick(widget, x, y, GTK_PICK_INSENSITIVE) else { return false }
            let kinds = [gtk_button_get_type(), gtk_entry_get_type()]
            if !kinds.contains(where: { gtk_widget_get_ancestor(part, $0) != nil }) { body() }
            return false
        }
        gtk_widget_add_controller(widget, click)
    }

    /// Calls `body` when Escape is pressed in the window; with true it is handled.
    static func onEscape(_ window: Widget, _ body: @escaping @LoopActor () -> Bool) {
        let handler = Unmanaged.passRetained(Handler(body)).toOpaque()
        let call: GtkShortcutFunc = { _, _, data in
            guard let data else { return 0 }
            // GLib runs on the reactor's thread only (MainContext).
            nonisolated(unsafe) let pointer = data
            return LoopActor.assumeOnLoop {
                Unmanaged<Handler>.fromOpaque(pointer).takeUnretainedValue().body() ? 1 : 0
            }
        }
        let release: GDestroyNotify = { data in
            if let data { Unmanaged<Handler>.fromOpaque(data).release() }
        }
        let action = gtk_callback_action_new(call, handler, release)
        let trigger = gtk_keyval_trigger_new(guint(GDK_KEY_Escape), GdkModifierType(0))
        let controller = gtk_shortcut_controller_new()
        gtk_event_controller_set_propagation_phase(controller, GTK_PHASE_CAPTURE)
        gtk_shortcut_controller_add_shortcut(controller, gtk_shortcut_new(trigger, action))
        gtk_widget_add_controller(window, controller)
    }

    /// Calls `body` when the area is to be drawn, with the side of the largest square in it.
    static func draw(_ area: Widget, _ body: @escaping @LoopActor (OpaquePointer, Double) -> Void) {
        final class Painter {
            let body: @LoopActor (OpaquePointer, Double) -> Void
            init(_ body: @escaping @LoopActor (OpaquePointer, Double) -> Void) { self.body = body }
        }
        let draw: GtkDrawingAreaDrawFunc = { _, cairo, width, height, data in
            guard let cairo, let data else { return }
            // GTK draws on the reactor's thread only (MainContext).
            nonisolated(unsafe) let (pointer, canvas) = (data, cairo)
            LoopActor.assumeOnLoop {
                let painter = Unmanaged<Painter>.fromOpaque(pointer).takeUnretainedValue()
                painter.body(canvas, Double(min(width, height)))
            }
        }
        gtk_drawing_area_set_draw_func(
            cast(area), draw, Unmanaged.passRetained(Painter(body)).toOpaque()
        ) { data in
            if let data { Unmanaged<Painter>.fromOpaque(data).release() }
        }
    }

    // MARK: accessibility

    static func setRole(_ role: GtkAccessibleRole, of widget: Widget) {
        var value = GValue()
        g_value_init(&value, gtk_accessible_role_get_type())
        g_value_set_enum(&value, gint(role.rawValue))
        widget.withMemoryRebound(to: GObject.self, capacity: 1) {
            g_object_set_property($0, "accessible-role", &value)
        }
        g_value_unset(&value)
    }

    /// Whether a radio button is the chosen one, for screen readers.
    static func setChecked(_ isChecked: Bool, of widget: Widget) {
        var value = GValue()
        var state = GTK_ACCESSIBLE_STATE_CHECKED
        gtk_accessible_state_init_value(state, &value)
        let checked = isChecked ? GTK_ACCESSIBLE_TRISTATE_TRUE : GTK_ACCESSIBLE_TRISTATE_FALSE
        g_value_set_enum(&value, gint(checked.rawValue))
        gtk_accessible_update_state_value(OpaquePointer(widget), 1, &state, &value)
        g_value_unset(&value)
    }

    static func setText(_ property: GtkAccessibleProperty, of widget: Widget, _ text: String) {
        var value = GValue()
        gtk_accessible_property_init_value(property, &value)
        g_value_set_string(&value, text)
        var property = property
        gtk_accessible_update_property_value(OpaquePointer(widget), 1, &property, &value)
        g_value_unset(&value)
    }
}
