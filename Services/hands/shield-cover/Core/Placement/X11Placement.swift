import CXcb
import Contract
import Glibc
import Loop

/// Places covers on X11 with any window manager that follows EWMH: a cover is a transient window of its
/// target, so the manager keeps it above the target only, and minimises and moves it along. Size, position,
/// focus and what a manager leaves out are followed here by events.
@LoopActor final class X11Placement: CoverPlacement {
    var onEvent: (@LoopActor (UInt32, PlacementEvent) -> Void)?
    /// Called when the order of managed windows changed.
    var onStack: (@LoopActor () -> Void)?
    /// Called once, when the server is gone.
    var onLost: (@LoopActor () -> Void)?
    let display: XDisplay
    private var token: Reactor.Token?
    let order: WindowOrder
    let dialogs: HangDialogs
    var covers: [UInt32: PlacedCover] = [:]
    /// What changed since the last drain.
    private var stale: Set<UInt32> = []
    var activeWindow: UInt32 = 0 {
        didSet { history.note(activeWindow, at: EventLoop.main.now) }
    }
    private(set) var history = ActiveHistory()
    /// The one before, of those that there were.
    var previousWindow: UInt32 = 0
    /// The server's time of the last event that has one; 0 before that.
    var serverTime: UInt32 = 0

    /// - Parameter display: as in DISPLAY.
    init(display name: String) throws(ServiceError) {
        display = try XDisplay(name)
        order = WindowOrder(display)
        dialogs = HangDialogs(display)
        XErrors.mask = display.idMask
        display.select(XCB_EVENT_MASK_PROPERTY_CHANGE, of: display.root)
        activeWindow = display.numbers(Property.active, of: display.root).first ?? 0
        history.note(activeWindow, at: EventLoop.main.now)
        order.onSettled = { [weak self] in self?.drain() }
        token = Reactor.shared.watch(descriptor: display.fileDescriptor) { [weak self] in self?.drain() }
    }

    func close() {
        if let token { Reactor.shared.forget(token) }
        token = nil
        order.close()
    }

    /// How often the server was waited for.
    var roundTrips: Int { display.roundTrips }

    var problem: String? {
        let check = display.numbers(Property.check, of: display.root).first ?? 0
        let isManaged = check != 0 && display.numbers(Property.check, of: check).first == check
        drainSoon()
        return isManaged ? nil : "no window manager runs that follows EWMH: covers do not stay over windows"
    }

    // MARK: show and hide

    func exists(_ window: UInt32) -> Bool { display.place(of: window) != nil }

    func show(_ surface: any CoverSurface, over window: UInt32) -> Bool? {
        defer { drainSoon() }
        display.select(XCB_EVENT_MASK_STRUCTURE_NOTIFY, XCB_EVENT_MASK_PROPERTY_CHANGE, of: window)
        let protocols = display.askNumbers(Property.protocols, of: window)
        let found = display.askExistence(of: window)
        guard let frame = frame(of: window), let foundBy = found() else { return nil }
        leaveInPeace(window, protocols())
        let isVisible = display.isViewable(window)
        let id = surface.create(frame)
        display.select(XCB_EVENT_MASK_STRUCTURE_NOTIFY, XCB_EVENT_MASK_PROPERTY_CHANGE, of: id)
        display.setTransient(id, for: window)
        display.setKeysKept(true, from: window)
        // GTK's connection maps the window: the server must know by then what it belongs to.
        display.flush()
        roundTrip()
        activeWindow = order.remember(covers)
        covers[window] = PlacedCover(surface: surface, id: id, frame: frame, foundBy: foundBy)
        if isVisible { order.expect(window) }
        surface.present()
        display.move(id, to: frame.rounded(to: surface.scale))
        // Only now: openbox raises new windows that are not in the taskbar.
        leaveOutOfLists(id)
        display.flush()
        return isVisible
    }

    func hide(_ window: UInt32) {
        guard let cover = covers.removeValue(forKey: window) else { return }
        display.setKeysKept(false, from: window)
        letPing(window)
        display.select(of: window)
        order.forget(window)
        if display.numbers(Property.active, of: display.root).first == cover.id {
            giveFocus(to: window, from: cover.id)
        }
        display.flush()
        drainSoon()
    }

    /// What stands still answers no ping (EWMH, _NET_WM_PING): after a click on its close button the window
    /// manager would say, above the cover, that it does not respond, and offer to end it.
    private func leaveInPeace(_ window: UInt32, _ protocols: [UInt32]) {
        let ping = display.atom(Property.ping)
        guard protocols.contains(ping) else { return }
        display.write(Property.wasPinged, of: window, XCB_ATOM_CARDINAL, [1])
        display.write(Property.protocols, of: window, XCB_ATOM_ATOM, protocols.filter { $0 != ping })
    }

    /// The app wrote its protocols. An app that goes on to write them keeps them in the end.
    private func leaveInPeace(_ window: UInt32) {
        guard let cover = covers[window], cover.protocolChanges < CoverLimits.protocolChangesMax else {
            return
        }
        cover.protocolChanges += 1
        leaveInPeace(window, display.numbers(Property.protocols, of: window))
    }

    /// Also if an earlier process covered it.
    private func letPing(_ window: UInt32) {
        let mark = display.askNumbers(Property.wasPinged, of: window, max: 1)
        let known = display.askNumbers(Property.protocols, of: window)
        guard !mark().isEmpty else { return }
        let ping = display.atom(Property.ping), protocols = known()
        display.write(Property.wasPinged, of: window, XCB_ATOM_CARDINAL, [])
        guard !protocols.contains(ping) else { return }
        display.write(Property.protocols, of: window, XCB_ATOM_ATOM, protocols + [ping])
    }

    /// Requests whose effect another connection relies on are done when this returns.
    private func roundTrip() {
        free(xcb_get_input_focus_reply(display.raw, xcb_get_input_focus(display.raw), nil))
    }

    // MARK: geometry

    /// The window with its borders, and without the shadows that its program draws itself.
    func frame(of window: UInt32) -> Frame? { askFrame(of: window)() }

    private func askFrame(of window: UInt32) -> XDisplay.Answer<Frame?> {
        let place = display.askPlace(of: window)
        let borders = display.askNumbers(Property.borders, of: window, max: 4)
        let shadows = display.askNumbers(Property.shadows, of: window, max: 4)
        return {
            let (place, borders, shadows) = (place(), borders(), shadows())
            // The covered program sets its shadows, so they are believed only where they can be shadows.
            if shadows.count == 4 { return place?.without(shadows: shadows.map { Int($0) }) }
            guard borders.count == 4 else { return place }
            return place?.widened(borders.map { min(Int($0), CoverLimits.borderMax) })
        }
    }

    /// The pointer, and the window of the screen below it.
    var pointer: (place: Frame, window: Frame?) {
        defer { drainSoon() }
        return display.pointer
    }

    /// Places a window of ours that covers nothing.
    func move(_ window: UInt32, to frame: Frame) {
        display.move(window, to: frame)
        display.flush()
    }

    /// A window and its cover, as the server knows them.
    struct Situation {
        /// Nil if the window was closed.
        var frame: Frame?
        var coverPlace: Frame?
        var isShown: Bool
        /// Whether the window is on the screen.
        var isTargetShown: Bool
        /// Of the window and its cover.
        var desktop: UInt32?, coverDesktop: UInt32?
        var state: UInt32?, coverState: UInt32?
    }

    private func ask(about window: UInt32, _ cover: UInt32) -> XDisplay.Answer<Situation> {
        func first(_ property: String, _ window: UInt32) -> XDisplay.Answer<[UInt32]> {
            display.askNumbers(property, of: window, max: 1)
        }
        let (frame, place, isShown) = (
            askFrame(of: window), display.askPlace(of: cover), display.askViewable(cover)
        )
        let isTargetShown = display.askViewable(window)
        let (desktop, coverDesktop) = (first(Property.desktop, window), first(Property.desktop, cover))
        let (state, coverState) = (first(Property.state, window), first(Property.state, cover))
        return {
            Situation(
                frame: frame(), coverPlace: place(), isShown: isShown(),
                isTargetShown: isTargetShown(), desktop: desktop().first,
                coverDesktop: coverDesktop().first, state: state().first, coverState: coverState().first)
        }
    }

    /// Looks at windows and their covers, at the cost of one round trip.
    func refresh(_ windows: Set<UInt32>) {
        let answers = windows.compactMap { window in
            covers[window].map { (window, ask(about: window, $0.id)) }
        }
        for (window, answer) in answers { refresh(window, answer()) }
    }

    private func refresh(_ window: UInt32, _ now: Situation) {
        guard let cover = covers[window] else { return }
        guard let frame = now.frame else { return closed(window) }
        if frame != cover.frame {
            cover.frame = frame
            cover.attempts = 0
            onEvent?(window, .moved(frame))
        }
        let isShown = now.isShown
        if isShown, let place = now.coverPlace {
            let wanted = frame.rounded(to: cover.surface.scale)
            if place == wanted {
                cover.attempts = 0
            } else if cover.attempts < CoverLimits.attemptsMax {
                // A window manager that places it elsewhere is asked again, but not forever.
                cover.attempts += 1
                display.move(cover.id, to: wanted)
            }
        }
        follow(cover, over: window, now)
        if isShown {
            order.forget(window)
            cover.mappings = 0
        } else {
            mapAgain(cover, over: window, now)
        }
        let wasShown = cover.isShown
        cover.isShown = isShown
        guard isShown != wasShown else { return }
        onEvent?(window, isShown ? .shown : .hidden)
        // The focus may have come to its target already.
        if isShown, activeWindow == window { takeFocus() }
    }

    /// Another program unmapped the cover. A window manager does that only together with the target.
    private func mapAgain(_ cover: PlacedCover, over window: UInt32, _ now: Situation) {
        guard let mappings = cover.mappings, mappings < CoverLimits.attemptsMax, now.isTargetShown,
            now.coverState ?? WindowState.withdrawn == WindowState.withdrawn
        else { return }
        cover.mappings = mappings + 1
        activeWindow = order.remember(covers)
        order.expect(window)
        xcb_map_window(display.raw, cover.id)
        leaveOutOfLists(cover.id)
    }

    /// Of the taskbar and the pager.
    private func leaveOutOfLists(_ id: UInt32) {
        let add: UInt32 = 1
        let states = [Property.skipTaskbar, Property.skipPager].map { display.atom($0) }
        display.tellManager(Property.states, about: id, [add] + states + [Source.pager])
    }

    /// - Parameter request: the last one that the server had read then.
    private func destroyed(_ window: UInt32, after request: UInt32) {
        if let cover = covers[window] {
            // An earlier window with the same id.
            guard Int32(bitPattern: request &- cover.foundBy) >= 0 else { return }
            return closed(window)
        }
        guard let target = covers.first(where: { $0.value.id == window })?.key else { return }
        // Keys stay away from the target until it has another cover.
        covers[target] = nil
        order.forget(target)
        onEvent?(target, .lost)
    }

    private func closed(_ window: UInt32) {
        guard covers.removeValue(forKey: window) != nil else { return }
        order.forget(window)
        onEvent?(window, .closed)
    }

    // MARK: events

    /// Requests may bring events into libxcb's queue, where poll does not see them.
    func drainSoon() { EventLoop.main.inNextTurn { [weak self] in self?.drain() } }

    private func drain() {
        guard token != nil else { return }
        var isFresh = readQueue()
        while isFresh {
            let changed = stale
            stale = []
            refresh(changed)
            if let window = order.restore(covers, active: activeWindow) { giveBackFocus(to: window) }
            if let stack = order.check(covers) { closeDialogs(in: stack) }
            isFresh = readQueue()
        }
        display.flush()
        guard display.isLost else { return }
        close()
        onLost?()
    }

    private func readQueue() -> Bool {
        var isAny = false
        while let event = xcb_poll_for_event(display.raw) {
            handle(event)
            free(event)
            isAny = true
        }
        return isAny || !stale.isEmpty || order.mustBeChecked
    }

    private func handle(_ event: UnsafeMutablePointer<xcb_generic_event_t>) {
        let raw = UnsafeMutableRawPointer(event)
        // An error (0) is about a window that was just closed, or keys that another program keeps already.
        switch event.pointee.response_type & 0x7F {
        case UInt8(XCB_PROPERTY_NOTIFY):
            let change = raw.assumingMemoryBound(to: xcb_property_notify_event_t.self).pointee
            serverTime = change.time
            guard change.window == display.root else {
                if change.atom == display.atom(Property.protocols) { leaveInPeace(change.window) }
                return note(change.window)
            }
            if change.atom == display.atom(Property.active) { activeChanged() }
            if change.atom == display.atom(Property.stack) {
                order.isStale = true
                onStack?()
            }
            if change.atom == display.atom(Property.currentDesktop) { stale.formUnion(covers.keys) }
            // What of them can be seen may have changed.
            if change.atom == display.atom(Property.workArea) {
                for (window, cover) in covers { onEvent?(window, .moved(cover.frame)) }
            }
        case UInt8(XCB_CONFIGURE_NOTIFY):
            note(raw.assumingMemoryBound(to: xcb_configure_notify_event_t.self).pointee.window)
        case UInt8(XCB_MAP_NOTIFY):
            note(raw.assumingMemoryBound(to: xcb_map_notify_event_t.self).pointee.window)
        case UInt8(XCB_UNMAP_NOTIFY):
            note(raw.assumingMemoryBound(to: xcb_unmap_notify_event_t.self).pointee.window)
        case UInt8(XCB_REPARENT_NOTIFY):
            note(raw.assumingMemoryBound(to: xcb_reparent_notify_event_t.self).pointee.window)
        case UInt8(XCB_DESTROY_NOTIFY):
            destroyed(
                raw.assumingMemoryBound(to: xcb_destroy_notify_event_t.self).pointee.window,
                after: event.pointee.full_sequence)
        case UInt8(XCB_KEY_PRESS), UInt8(XCB_KEY_RELEASE):
            // A key for a covered window, which nobody gets. Whoever typed it looks at the cover.
            serverTime = raw.assumingMemoryBound(to: xcb_key_press_event_t.self).pointee.time
        default: break
        }
    }

    private func note(_ window: UInt32) {
        if covers[window] != nil { return stale.formUnion([window]) }
        for (target, cover) in covers where cover.id == window { stale.insert(target) }
    }
}
