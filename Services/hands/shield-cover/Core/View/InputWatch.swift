import CGtk4
import Loop
import Units

/// Keeps keys and clicks from a cover that has just appeared, or just got the focus, and from buttons that
/// have just come: they keep their places and the focus, so that a screen reader reads them, but look as
/// disabled ones do.
@LoopActor final class InputWatch {
    /// Called when the cover takes keys and clicks, and when it does not any more.
    var onChange: (@LoopActor (_ isOpen: Bool) -> Void)?
    private let window: Widget
    private let clock: ServerClock
    private var gate = PressGate()
    private var held = HeldKeys()
    private var timer: TimerToken?
    /// Until when the focus may come back from a window that took it.
    private var focusExpectedUntil: Milliseconds = 0
    private var lastPress: ButtonPress?
    /// Counts what the buttons did.
    private var meaning = 0
    private var lastKey: LastKey?
    /// Whether there was one just now.
    var hadKey: Bool { lastKey?.isRecent(EventLoop.main.now) ?? false }
    func wasTyping(at time: UInt32) -> Bool { lastKey?.isTyping(at: time, EventLoop.main.now) ?? false }

    init(_ window: Widget, _ clock: ServerClock) {
        self.window = window
        self.clock = clock
        show(isOpen: false)
        let controller = gtk_event_controller_legacy_new()
        guard let controller else { preconditionFailure("GTK makes a controller") }
        gtk_event_controller_set_propagation_phase(controller, GTK_PHASE_CAPTURE)
        GTK.connect(UnsafeMutableRawPointer(controller), "event") { [weak self] in
            guard let self, let event = gtk_event_controller_get_current_event(controller) else {
                return false
            }
            return !takes(event)
        }
        gtk_widget_add_controller(window, controller)
        // Whoever types elsewhere while the focus comes here does not mean this window either.
        GTK.connect(window, "notify::is-active") { [weak self] in self?.activeChanged() }
    }

    /// The cover's first frame is on the screen.
    func appear() {
        gate.appear(clock.now)
        follow()
    }

    /// Other buttons are on the screen, or the same ones do something else.
    func change() {
        meaning += 1
        gate.change(clock.now)
        follow()
    }

    func disappear() {
        meaning += 1
        gate.disappear()
        follow()
    }

    func close() {
        onChange = nil
        disappear()
    }

    /// Whether the window's widgets get an event.
    private func takes(_ event: OpaquePointer) -> Bool {
        let isTaken: Bool
        switch gdk_event_get_event_type(event) {
        case GDK_KEY_PRESS: isTaken = takes(key: event)
        case GDK_BUTTON_PRESS, GDK_TOUCH_BEGIN:
            isTaken = gate.takes(.pointer, clock.time(gdk_event_get_time(event)))
            if isTaken { lastPress = ButtonPress(meaning: meaning) }
        case GDK_BUTTON_RELEASE, GDK_TOUCH_END, GDK_TOUCH_CANCEL:
            lastPress?.release(EventLoop.main.now)
            return true
        case GDK_KEY_RELEASE:
            held.release(gdk_key_event_get_keycode(event))
            return true
        default: return true
        }
        if !isTaken { follow() }
        return isTaken
    }

    private func takes(key event: OpaquePointer) -> Bool {
        let pressed = gdk_event_get_time(event), key = Int32(bitPattern: gdk_key_event_get_keyval(event))
        let isRepeated = held.press(gdk_key_event_get_keycode(event))
        lastKey = LastKey(read: EventLoop.main.now, pressed: pressed)
        guard gate.takes(.key, clock.time(pressed)) else { return false }
        let isEnter = Self.enters.contains(key)
        // An arrow would leave the field for a button, which the next space presses: Tab and Enter go on.
        if isWriting, !isEnter { return !Self.arrows.contains(key) }
        let isTaken = gate.takes(.button, clock.time(pressed)) && !isRepeated
        guard isEnter || Self.spaces.contains(key) else { return true }
        if isTaken { lastPress = ButtonPress(meaning: meaning, key: EventLoop.main.now) }
        return isTaken
    }

    /// Whether a button that was clicked does what it did when it was pressed.
    func takesClick() -> Bool {
        defer { lastPress = nil }
        return lastPress?.isMeant(meaning, EventLoop.main.now) ?? true
    }

    /// The keys that press the button with the focus.
    private static let enters = [GDK_KEY_Return, GDK_KEY_KP_Enter, GDK_KEY_ISO_Enter]
    private static let arrows = [GDK_KEY_Up, GDK_KEY_Down, GDK_KEY_KP_Up, GDK_KEY_KP_Down]
    private static let spaces = [GDK_KEY_space, GDK_KEY_KP_Space]

    /// Whether keys go into a field.
    private var isWriting: Bool {
        let focus = gtk_window_get_focus(GTK.cast(window))
        return focus.map { gtk_widget_get_ancestor($0, gtk_entry_get_type()) != nil } ?? false
    }

    /// The focus comes back from a window that took it: keys need not wait.
    func expectFocus() { focusExpectedUntil = EventLoop.main.now + CoverLimits.settling }

    private func activeChanged() {
        guard gtk_window_is_active(GTK.cast(window)) != 0 else { return }
        let now = EventLoop.main.now
        guard now >= focusExpectedUntil else { return focusExpectedUntil = 0 }
        held.forget()
        gate.wait(.key, clock.now)
        follow()
    }

    /// Shows whether it is open, and looks again when it opens.
    private func follow() {
        if let timer { EventLoop.main.cancel(timer) }
        timer = nil
        guard let opensAt = gate.opensAt else { return show(isOpen: false) }
        let now = clock.now
        guard now < opensAt else { return show(isOpen: true) }
        show(isOpen: false)
        let pause = opensAt - now
        timer = EventLoop.main.after(isHeld ? min(pause, CoverLimits.heldPause) : pause) { [weak self] in
            guard let self else { return }
            if isHeld { gate.hold(clock.now) }
            follow()
        }
    }

    /// Whether a button of the pointer is held.
    private var isHeld: Bool {
        let seat = gdk_display_get_default_seat(gtk_widget_get_display(window))
        guard let seat, let pointer = gdk_seat_get_pointer(seat) else { return false }
        let buttons = GDK_BUTTON1_MASK.rawValue | GDK_BUTTON2_MASK.rawValue | GDK_BUTTON3_MASK.rawValue
        return gdk_device_get_modifier_state(pointer).rawValue & buttons != 0
    }

    private var isShownOpen: Bool?
    /// Whether it takes keys and clicks.
    var isOpen: Bool { isShownOpen == true }

    private func show(isOpen: Bool) {
        guard isOpen != isShownOpen else { return }
        isShownOpen = isOpen
        let change = isOpen ? gtk_widget_remove_css_class : gtk_widget_add_css_class
        change(window, "waiting")
        onChange?(isOpen)
    }
}
