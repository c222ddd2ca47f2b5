import CXcb
import Contract
import Glibc
import Loop

/// Places covers on X11 with any window manager that follows EWMH: a cover is a transient window of its
/// target, so the manager keeps it above the target only, and minimises and moves it along. Size, position,
/// focus and what a manager leaves out are followed here by events.
@LoopActor final class X11Placement: CoverPlacement {
    var onEvent: (@LoopActor (UInt32, PlacementEvent) -> Void)?
    /// Called once, when the server is gone.
    var onLost: (@LoopActor () -> Void)?
    private let display: XDisplay
    private var token: Reactor.Token?
    private var covers: [UInt32: PlacedCover] = [:]
    /// What changed since the last drain.
    private var stale: Set<UInt32> = []
    private var stackIsStale = false
    private var activeWindow: UInt32 = 0
    /// The server's time of the last event that has one.
    private var serverTime: UInt32 = 0

    /// - Parameter display: as in DISPLAY.
    init(display name: String) throws(ServiceError) {
        display = try XDisplay(name)
        XErrors.mask = display.idMask
        display.select(XCB_EVENT_MASK_PROPERTY_CHANGE, of: display.root)
        activeWindow = display.numbers(Property.active, of: display.root).first ?? 0
        token = Reactor.shared.watch(descriptor: display.fileDescriptor) { [weak self] in self?.drain() }
    }

    func close() {
        if let token { Reactor.shared.forget(token) }
        token = nil
    }

    var problem: String? {
        let check = display.numbers(Property.check, of: display.root).first ?? 0
        let isManaged = check != 0 && display.numbers(Property.check, of: check).first == check
        drainSoon()
        return isManaged ? nil : "no window manager runs that follows EWMH: covers do not stay over windows"
    }

    // MARK: show and hide

    func exists(_ window: UInt32) -> Bool { display.place(of: window) != nil }

    func show(_ surface: any CoverSurface, over window: UInt32, focus: Bool) -> Bool? {
        defer { drainSoon() }
        display.select(XCB_EVENT_MASK_STRUCTURE_NOTIFY, XCB_EVENT_MASK_PROPERTY_CHANGE, of: window)
        guard let frame = frame(of: window) else { return nil }
        let isVisible = display.isViewable(window)
        let id = surface.create(frame)
        display.select(XCB_EVENT_MASK_STRUCTURE_NOTIFY, XCB_EVENT_MASK_PROPERTY_CHANGE, of: id)
        display.setTransient(id, for: window)
        display.setKeysKept(true, from: window)
        // GTK's connection maps the window: the server must know by then what it belongs to.
        display.flush()
        roundTrip()
        activeWindow = display.numbers(Property.active, of: display.root).first ?? 0
        let mayFocus = focus && activeWindow == window
        covers[window] = PlacedCover(surface: surface, id: id, frame: frame)
        surface.present(focus: mayFocus)
        display.move(id, to: frame.rounded(to: surface.scale))
        // Only now: openbox raises new windows that are not in the taskbar.
        let add: UInt32 = 1
        let states = [Property.skipTaskbar, Property.skipPager].map { display.atom($0) }
        display.tellManager(Property.states, about: id, [add] + states + [Source.pager])
        display.flush()
        return isVisible
    }

    func hide(_ window: UInt32) {
        guard let cover = covers.removeValue(forKey: window) else { return }
        display.setKeysKept(false, from: window)
        display.select(of: window)
        if display.numbers(Property.active, of: display.root).first == cover.id {
            activate(window, at: serverTime)
        }
        display.flush()
        drainSoon()
    }

    /// Requests whose effect another connection relies on are done when this returns.
    private func roundTrip() {
        free(xcb_get_input_focus_reply(display.raw, xcb_get_input_focus(display.raw), nil))
    }

    // MARK: geometry

    /// The window with its borders, and without the shadows that its program draws itself.
    func frame(of window: UInt32) -> Frame? {
        guard var frame = display.place(of: window) else { return nil }
        let borders = display.numbers(Property.borders, of: window, max: 4)
        let shadows = display.numbers(Property.shadows, of: window, max: 4)
        // The covered program sets its shadows, so they are believed only where they can be shadows.
        if shadows.count == 4 {
            frame = frame.without(shadows: shadows.map { Int($0) })
        } else if borders.count == 4 {
            frame = frame.widened(borders.map { min(Int($0), CoverLimits.borderMax) })
        }
        return frame
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

    private func refresh(_ window: UInt32) {
        guard var cover = covers[window] else { return }
        guard let frame = frame(of: window) else { return closed(window) }
        if frame != cover.frame {
            cover.frame = frame
            cover.attempts = 0
            covers[window] = cover
            onEvent?(window, .moved(frame))
        }
        let isShown = display.isViewable(cover.id)
        if isShown, let now = display.place(of: cover.id) {
            let wanted = frame.rounded(to: cover.surface.scale)
            if now == wanted {
                cover.attempts = 0
            } else if cover.attempts < CoverLimits.attemptsMax {
                // A window manager that places it elsewhere is asked again, but not forever.
                cover.attempts += 1
                display.move(cover.id, to: wanted)
            }
        }
        follow(&cover, window)
        let wasShown = cover.isShown
        cover.isShown = isShown
        covers[window] = cover
        guard isShown != wasShown else { return }
        onEvent?(window, isShown ? .shown : .hidden)
        // The focus may have come to its target already.
        if isShown, activeWindow == window { takeFocus() }
    }

    /// What window managers do for transient windows, where one does not.
    private func follow(_ cover: inout PlacedCover, _ window: UInt32) {
        let desktop = display.numbers(Property.desktop, of: window, max: 1).first
        let own = display.numbers(Property.desktop, of: cover.id, max: 1).first
        if let desktop, let own, desktop != own, cover.desktop != desktop {
            cover.desktop = desktop
            display.tellManager(Property.desktop, about: cover.id, [desktop, Source.pager])
        }
        followIcon(&cover, window)
    }

    /// Compares both windows each time: the manager may still carry out an earlier request, so that what was
    /// asked for last does not say what the cover becomes.
    private func followIcon(_ cover: inout PlacedCover, _ window: UInt32) {
        let target = display.numbers(Property.state, of: window, max: 1).first
        let state = display.numbers(Property.state, of: cover.id, max: 1).first
        guard let target, let state, target != state, cover.iconRequests < CoverLimits.attemptsMax else {
            if target == state { cover.iconRequests = 0 }
            return
        }
        cover.iconRequests += 1
        switch (target, state) {
        case (WindowState.iconic, WindowState.normal):
            display.tellManager(Property.changeState, about: cover.id, [WindowState.iconic])
        case (WindowState.normal, WindowState.iconic): xcb_map_window(display.raw, cover.id)
        default: break
        }
    }

    private func destroyed(_ window: UInt32) {
        guard covers[window] == nil else { return closed(window) }
        guard let target = covers.first(where: { $0.value.id == window })?.key else { return }
        // Keys stay away from the target until it has another cover.
        covers[target] = nil
        onEvent?(target, .lost)
    }

    private func closed(_ window: UInt32) {
        guard covers.removeValue(forKey: window) != nil else { return }
        onEvent?(window, .closed)
    }

    // MARK: focus and stacking

    private func activate(_ window: UInt32, at time: UInt32) {
        display.tellManager(Property.active, about: window, [Source.pager, time, activeWindow])
    }

    /// The target of a cover became active: its cover takes the focus instead.
    private func activeChanged() {
        let active = display.numbers(Property.active, of: display.root).first ?? 0
        activeWindow = active
        for (window, cover) in covers where cover.id == active { covers[window]?.activations = 0 }
        takeFocus()
    }

    private func takeFocus() {
        guard let cover = covers[activeWindow], cover.isShown,
            cover.activations < CoverLimits.attemptsMax
        else { return }
        covers[activeWindow]?.activations += 1
        activate(cover.id, at: serverTime)
    }

    /// Windows between a target and its cover, other than its own: the cover moves down, directly above it.
    private func checkStack() {
        let stack = display.numbers(Property.stack, of: display.root)
        let own = Set(covers.values.map(\.id))
        for (window, cover) in covers {
            guard let below = stack.firstIndex(of: window), let above = stack.firstIndex(of: cover.id),
                cover.restacks < CoverLimits.restacksMax
            else { continue }
            let strangers = below < above ? stack[(below + 1)..<above].filter { !own.contains($0) } : []
            let areStrange = strangers.contains {
                !display.numbers(Property.transientFor, of: $0, max: 1).contains(window)
            }
            guard below > above || areStrange else {
                covers[window]?.restacks = 0
                continue
            }
            covers[window]?.restacks += 1
            let isAbove = UInt32(XCB_STACK_MODE_ABOVE.rawValue)
            display.tellManager(Property.restack, about: cover.id, [Source.pager, window, isAbove])
        }
    }

    // MARK: events

    /// Requests may bring events into libxcb's queue, where poll does not see them.
    private func drainSoon() { EventLoop.main.inNextTurn { [weak self] in self?.drain() } }

    private func drain() {
        guard token != nil else { return }
        var isFresh = readQueue()
        while isFresh {
            let changed = stale
            stale = []
            for window in changed { refresh(window) }
            if stackIsStale {
                stackIsStale = false
                checkStack()
            }
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
        return isAny || !stale.isEmpty || stackIsStale
    }

    private func handle(_ event: UnsafeMutablePointer<xcb_generic_event_t>) {
        let raw = UnsafeMutableRawPointer(event)
        // An error (0) is about a window that was just closed, or keys that another program keeps already.
        switch event.pointee.response_type & 0x7F {
        case UInt8(XCB_PROPERTY_NOTIFY):
            let change = raw.assumingMemoryBound(to: xcb_property_notify_event_t.self).pointee
            serverTime = change.time
            guard change.window == display.root else { return note(change.window) }
            if change.atom == display.atom(Property.active) { activeChanged() }
            if change.atom == display.atom(Property.stack) { stackIsStale = true }
            if change.atom == display.atom(Property.currentDesktop) { stale.formUnion(covers.keys) }
        case UInt8(XCB_CONFIGURE_NOTIFY):
            note(raw.assumingMemoryBound(to: xcb_configure_notify_event_t.self).pointee.window)
        case UInt8(XCB_MAP_NOTIFY):
            note(raw.assumingMemoryBound(to: xcb_map_notify_event_t.self).pointee.window)
        case UInt8(XCB_UNMAP_NOTIFY):
            note(raw.assumingMemoryBound(to: xcb_unmap_notify_event_t.self).pointee.window)
        case UInt8(XCB_REPARENT_NOTIFY):
            note(raw.assumingMemoryBound(to: xcb_reparent_notify_event_t.self).pointee.window)
        case UInt8(XCB_DESTROY_NOTIFY):
            destroyed(raw.assumingMemoryBound(to: xcb_destroy_notify_event_t.self).pointee.window)
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

/// A cover that stands over a window.
private struct PlacedCover {
    var surface: any CoverSurface
    var id: UInt32
    var frame: Frame
    var isShown = false
    /// The workspace that the manager was asked for.
    var desktop: UInt32?
    /// Corrections in a row without an effect.
    var attempts = 0
    var activations = 0
    var restacks = 0
    var iconRequests = 0

    init(surface: any CoverSurface, id: UInt32, frame: Frame) {
        self.surface = surface
        self.id = id
        self.frame = frame
    }
}

extension Frame {
    /// This frame if the shadows are no shadows: wider than borders are, or more than half of a window.
    /// - Parameter shadows: left, right, top, bottom.
    func without(shadows: [Int]) -> Frame {
        guard shadows.allSatisfy({ (0...CoverLimits.borderMax).contains($0) }) else { return self }
        let inner = widened(shadows.map { -$0 })
        return inner.width * 2 >= width && inner.height * 2 >= height && inner.width > 0 && inner.height > 0
            ? inner : self
    }

    /// - Parameter sides: left, right, top, bottom.
    fileprivate func widened(_ sides: [Int]) -> Frame {
        Frame(
            x: x - sides[0], y: y - sides[2], width: width + sides[0] + sides[1],
            height: height + sides[2] + sides[3])
    }
}

/// Names of properties and messages of EWMH and ICCCM.
private enum Property {
    static let active = "_NET_ACTIVE_WINDOW"
    static let stack = "_NET_CLIENT_LIST_STACKING"
    static let check = "_NET_SUPPORTING_WM_CHECK"
    static let borders = "_NET_FRAME_EXTENTS"
    static let shadows = "_GTK_FRAME_EXTENTS"
    static let desktop = "_NET_WM_DESKTOP"
    static let currentDesktop = "_NET_CURRENT_DESKTOP"
    static let restack = "_NET_RESTACK_WINDOW"
    static let state = "WM_STATE"
    static let states = "_NET_WM_STATE"
    static let skipTaskbar = "_NET_WM_STATE_SKIP_TASKBAR"
    static let skipPager = "_NET_WM_STATE_SKIP_PAGER"
    static let changeState = "WM_CHANGE_STATE"
    static let transientFor = "WM_TRANSIENT_FOR"
}

/// ICCCM, 4.1.3.1.
private enum WindowState {
    static let normal: UInt32 = 1
    static let iconic: UInt32 = 3
}

/// EWMH, source indication: as a pager, which acts for the person.
private enum Source { static let pager: UInt32 = 2 }
