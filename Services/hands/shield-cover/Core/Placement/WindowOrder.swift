import CXcb
import Loop

/// The order of the windows on X11: each cover directly above its target, and all others as they were before
/// covers were shown.
@LoopActor final class WindowOrder {
    private let display: XDisplay
    /// Windows whose covers are to come on the screen, and how it was before: all windows but covers from
    /// below, and the active one.
    private var awaited: Set<UInt32> = []
    private var before: (stack: [UInt32], active: UInt32, restored: Int)?
    private var settling: TimerToken?
    /// Whether it changed since it was checked.
    var isStale = false
    /// Called when it is not put back any longer.
    var onSettled: (@LoopActor () -> Void)?

    init(_ display: XDisplay) { self.display = display }

    func close() {
        if let settling { EventLoop.main.cancel(settling) }
    }

    /// The cover of a window is to come on the screen.
    func expect(_ window: UInt32) { awaited.insert(window) }

    /// It is there, or will not come.
    func forget(_ window: UInt32) { awaited.remove(window) }

    // MARK: as it was before

    /// Called before a cover is shown: xfwm4 raises a new window with its owner, and gives it the focus,
    /// whatever it asks for. It is known by what it does not support.
    /// - Returns: the active window.
    func remember(_ covers: [UInt32: PlacedCover]) -> UInt32 {
        let stack = display.askNumbers(Property.stack, of: display.root)
        let active = display.askNumbers(Property.active, of: display.root)
        let supported = display.askNumbers(Property.supported, of: display.root)
        let (all, own) = (stack(), Dictionary(covers.map { ($1.id, $0) }) { first, _ in first })
        let activeWindow = active().first ?? 0
        // Others leave both as they are, unless the person changes them meanwhile.
        guard !supported().contains(display.atom(Property.restack)) else { return activeWindow }
        if let settling { EventLoop.main.cancel(settling) }
        settling = EventLoop.main.after(CoverLimits.settling) { [weak self] in self?.settled() }
        if before == nil { before = (all.filter { own[$0] == nil }, own[activeWindow] ?? activeWindow, 0) }
        before?.restored = 0
        return activeWindow
    }

    /// From now on only the person changes the order.
    private func settled() {
        before = nil
        settling = nil
        awaited = []
        isStale = true
        onSettled?()
    }

    /// When all covers are on the screen that are to be: puts back the order of the windows.
    /// - Parameter active: the active window.
    /// - Returns: the window that must get the focus back; 0: none had it; nil: nothing is to be done.
    func restore(_ covers: [UInt32: PlacedCover], active: UInt32) -> UInt32? {
        guard let (order, wanted, restored) = before, awaited.isEmpty, restored < CoverLimits.restoredMax
        else { return nil }
        let isRight = restoreOrder(order, covers)
        let owner = covers.first { $0.value.id == active }
        guard owner?.key ?? active != wanted else {
            if isRight, restored > 0 { before = nil }
            return nil
        }
        // A cover that took the focus from its target was wanted there. Where a request to be raised brings
        // the focus along, any window may have it now.
        return restored > 0 || owner?.value.isTaken == false ? wanted : nil
    }

    /// Whether the order of the windows is being put back.
    var isRestoring: Bool { before != nil }

    /// Returns whether it is right already.
    private func restoreOrder(_ order: [UInt32], _ covers: [UInt32: PlacedCover]) -> Bool {
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

    // MARK: each cover above its target

    /// Whether ``check(_:)`` has something to do.
    var mustBeChecked: Bool { isStale && before == nil }

    /// Windows between a target and its cover, other than its own: the cover moves down, directly above it.
    /// At most two round trips, however many covers there are.
    /// - Returns: the windows from below; nil if nothing was to be done.
    func check(_ covers: [UInt32: PlacedCover]) -> [UInt32]? {
        guard mustBeChecked else { return nil }
        isStale = false
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
            cover.restacks += 1
            restack(cover.id, above: window)
        }
        return stack
    }

    private func restack(_ window: UInt32, above sibling: UInt32) {
        let isAbove = UInt32(XCB_STACK_MODE_ABOVE.rawValue)
        display.tellManager(Property.restack, about: window, [Source.pager, sibling, isAbove])
    }
}
