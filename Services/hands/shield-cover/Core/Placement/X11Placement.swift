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
    /// Windows whose covers are to come on the screen, and how it was before: all windows but covers from
    /// below, and the active one.
    private var awaited: Set<UInt32> = []
    private var before: (stack: [UInt32], active: UInt32, restored: Int)?
    private var settling: TimerToken?
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
        if let settling { EventLoop.main.cancel(settling) }
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
        guard let frame = frame(of: window) else { return nil }
        let isVisible = display.isViewable(window)
        let id = surface.create(frame)
        display.select(XCB_EVENT_MASK_STRUCTURE_NOTIFY, XCB_EVENT_MASK_PROPERTY_CHANGE, of: id)
        display.setTransient(id, for: window)
        display.setKeysKept(true, from: window)
        // GTK's connection maps the window: the server must know by then what it belongs to.
        display.flush()
        roundTrip()
        remember()
        covers[window] = PlacedCover(surface: surface, id: id, frame: frame)
        if isVisible { awaited.insert(window) }
        surface.present()
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
        awaited.remove(window)
        if display.numbers(Property.active, of: display.root).first == cover.id { giveFocus(to: window) }
        display.flush()
        drainSoon()
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
    private struct Situation {
        /// Nil if the window was closed.
        var frame: Frame?
        var coverPlace: Frame?
        var isShown: Bool
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
        let (desktop, coverDesktop) = (first(Property.desktop, window), first(Property.desktop, cover))
        let (state, coverState) = (first(Property.state, window), first(Property.state, cover))
        return {
            Situation(
                frame: frame(), coverPlace: place(), isShown: isShown(), desktop: desktop().first,
                coverDesktop: coverDesktop().first, state: state().first, coverState: coverState().first)
        }
    }

    /// Looks at windows and their covers, at the cost of one round trip.
    private func refresh(_ windows: Set<UInt32>) {
        let answers = windows.compactMap { window in
            covers[window].map { (window, ask(about: window, $0.id)) }
        }
        for (window, answer) in answers { refresh(window, answer()) }
    }

    private func refresh(_ window: UInt32, _ now: Situation) {
        guard var cover = covers[window] else { return }
        guard let frame = now.frame else { return closed(window) }
        if frame != cover.frame {
            cover.frame = frame
            cover.attempts = 0
            covers[window] = cover
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
        follow(&cover, now)
        if isShown { awaited.remove(window) }
        let wasShown = cover.isShown
        cover.isShown = isShown
        covers[window] = cover
        guard isShown != wasShown else { return }
        onEvent?(window, isShown ? .shown : .hidden)
        // The focus may have come to its target already.
        if isShown, activeWindow == window { takeFocus() }
    }

    /// What window managers do for transient windows, where one does not.
    private func follow(_ cover: inout PlacedCover, _ now: Situation) {
        if let desktop = now.desktop, let own = now.coverDesktop, desktop != own, cover.desktop != desktop {
            cover.desktop = desktop
            display.tellManager(Property.desktop, about: cover.id, [desktop, Source.pager])
        }
        followIcon(&cover, now)
    }

    /// Compares both windows each time: the manager may still carry out an earlier request, so that what was
    /// asked for last does not say what the cover becomes.
    private func followIcon(_ cover: inout PlacedCover, _ now: Situation) {
        guard let target = now.state, let state = now.coverState, target != state,
            cover.iconRequests < CoverLimits.attemptsMax
        else {
            if now.state == now.coverState { cover.iconRequests = 0 }
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
        awaited.remove(target)
        onEvent?(target, .lost)
    }

    private func closed(_ window: UInt32) {
        guard covers.removeValue(forKey: window) != nil else { return }
        awaited.remove(window)
        onEvent?(window, .closed)
    }

    // MARK: focus and stacking

    /// To a window of another program, without raising it if that can be.
    private func giveFocus(to window: UInt32) {
        let hints = display.numbers(Property.hints, of: window, max: 2)
        // Programs that choose among their windows themselves say so; the manager knows how to ask them.
        guard hints.count == 2, hints[0] & 1 != 0, hints[1] == 0 else { return display.focus(window) }
        display.tellManager(Property.active, about: window, [Source.pager, serverTime, activeWindow])
    }

    /// Called before a cover is shown: xfwm4 raises a new window with its owner, and gives it the focus,
    /// whatever it asks for. It is known by what it does not support.
    private func remember() {
        let stack = display.askNumbers(Property.stack, of: display.root)
        let active = display.askNumbers(Property.active, of: display.root)
        let supported = display.askNumbers(Property.supported, of: display.root)
        let (all, own) = (stack(), Dictionary(covers.map { ($1.id, $0) }) { first, _ in first })
        activeWindow = active().first ?? 0
        // Others leave both as they are, unless the person changes them meanwhile.
        guard !supported().contains(display.atom(Property.restack)) else { return }
        if let settling { EventLoop.main.cancel(settling) }
        settling = EventLoop.main.after(CoverLimits.settling) { [weak self] in self?.settled() }
        if before == nil { before = (all.filter { own[$0] == nil }, own[activeWindow] ?? activeWindow, 0) }
        before?.restored = 0
    }

    /// From now on only the person changes the order.
    private func settled() {
        before = nil
        settling = nil
        awaited = []
        stackIsStale = true
        drain()
    }

    /// When all covers are on the screen that are to be: puts back the order of the windows, and the focus.
    private func restore() {
        guard let (order, active, restored) = before, awaited.isEmpty, restored < CoverLimits.restoredMax
        else { return }
        let isRight = restoreOrder(order)
        let owner = covers.first { $0.value.id == activeWindow }
        guard owner?.key ?? activeWindow != active else {
            if isRight, restored > 0 { before = nil }
            return
        }
        // A cover that took the focus from its target was wanted there. Where a request to be raised brings
        // the focus along, any window may have it now.
        guard restored > 0 || owner?.value.isTaken == false else { return }
        if let cover = covers[active] {
            display.focus(cover.id)
        } else if active != 0 {
            giveFocus(to: active)
        }
    }

    /// Returns whether it is right already.
    private func restoreOrder(_ order: [UInt32]) -> Bool {
        let stack = display.numbers(Property.stack, of: display.root)
        let present = Set(stack)
        func isRight(_ windows: [UInt32]) -> Bool {
            let wanted = windows.flatMap { [$0, covers[$0]?.id ?? 0] }.filter { present.contains($0) }
            let all = Set(wanted)
            return stack.filter { all.contains($0) } == wanted
        }
        let known = order.filter { present.contains($0) }
        guard !isRight(known) else { return true }
        // One that is minimised, or on another workspace, might come back if it were raised.
        let answers = known.map { ($0, display.askViewable($0)) }
        let shown = answers.filter { $0.1() }.map(\.0)
        guard !isRight(shown) else { return true }
        before?.restored += 1
        // From below, each with its cover. Managers that know only the top raise each in turn.
        for (lower, upper) in zip(shown, shown.dropFirst()) {
            display.askToRaise(upper, above: covers[lower]?.id ?? lower)
        }
        return false
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
        covers[activeWindow]?.isTaken = true
        // Not by the manager: the target may have the focus without being on top.
        display.focus(cover.id)
    }

    /// Windows between a target and its cover, other than its own: the cover moves down, directly above it.
    /// At most two round trips, however many covers there are.
    private func checkStack() {
        let stack = display.numbers(Property.stack, of: display.root)
        let own = Set(covers.values.map(\.id))
        /// All others, from below; and how many of them are below each place of the stack.
        var others: [UInt32] = [], below: [UInt32: Int] = [:]
        for id in stack {
            below[id] = others.count
            if !own.contains(id) { others.append(id) }
        }
        var misplaced: [UInt32] = [], between: [UInt32: ArraySlice<UInt32>] = [:]
        for (window, cover) in covers where cover.restacks < CoverLimits.restacksMax {
            guard let first = below[window], let last = below[cover.id] else { continue }
            guard last > first else {
                misplaced.append(window)
                continue
            }
            between[window] = others[(first + 1)..<last]
        }
        let answers = Set(between.values.joined()).map {
            ($0, display.askNumbers(Property.transientFor, of: $0, max: 1))
        }
        let owners = Dictionary(uniqueKeysWithValues: answers.map { ($0, $1().first ?? 0) })
        for (window, strangers) in between {
            if strangers.allSatisfy({ owners[$0] == window }) {
                covers[window]?.restacks = 0
            } else {
                misplaced.append(window)
            }
        }
        for window in misplaced {
            guard let cover = covers[window] else { continue }
            covers[window]?.restacks += 1
            restack(cover.id, above: window)
        }
    }

    private func restack(_ window: UInt32, above sibling: UInt32) {
        let isAbove = UInt32(XCB_STACK_MODE_ABOVE.rawValue)
        display.tellManager(Property.restack, about: window, [Source.pager, sibling, isAbove])
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
            refresh(changed)
            restore()
            if stackIsStale, before == nil {
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
        return isAny || !stale.isEmpty || (stackIsStale && before == nil)
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
    /// Whether it was given the focus because its target had it.
    var isTaken = false
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
    static let supported = "_NET_SUPPORTED"
    static let state = "WM_STATE"
    static let hints = "WM_HINTS"
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
