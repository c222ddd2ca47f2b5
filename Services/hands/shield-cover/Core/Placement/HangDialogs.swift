import Loop
import Time
import Units

/// The dialogs in which xfwm4 offers to end a window that does not answer its ping. It has read by then that
/// the window answers, and does not forget it, so the ping cannot be kept from it as from others.
@LoopActor final class HangDialogs {
    /// WM_CLASS of xfwm4's program for them.
    private static let name = "helper-dialog"

    private let display: XDisplay
    private var known: Set<UInt32> = []
    /// Those that there are, and the windows that they are about.
    private var owners: [UInt32: UInt32] = [:]

    init(_ display: XDisplay) { self.display = display }

    /// What is being closed.
    private var closing: [UInt32: Closing] = [:]
    /// What was closed a moment ago.
    private var gone: [Closing] = []

    /// A dialog that was told to close. It may still get the focus before it does.
    private struct Closing {
        /// The covered window that it is about.
        let owner: UInt32
        /// The window that had the focus before it.
        let focus: UInt32
        /// Until when the manager may still give the focus on; set when it is gone.
        var end: Milliseconds = 0
    }

    /// Closes those that are about a covered window, as a click on their close button does: it ends nothing.
    /// One round trip, and only when there are new windows.
    /// - Parameter stack: all windows; called when it changed, so also when a cover was shown.
    /// - Returns: what was closed.
    func close(in stack: [UInt32], isCovered: (UInt32) -> Bool) -> Set<UInt32> {
        let fresh = stack.filter { !known.contains($0) }
        known = Set(stack)
        owners = owners.filter { known.contains($0.key) }
        let answers = fresh.map {
            let name = display.askText(Property.windowClass, of: $0)
            return ($0, name, display.askNumbers(Property.transientFor, of: $0, max: 1))
        }
        for (window, name, owner) in answers where name() == Self.name {
            owners[window] = owner().first
        }
        let closed = owners.filter { isCovered($0.value) }
        for window in closed.keys {
            display.tellManager(Property.close, about: window, [0, Source.pager])
        }
        let end = MonotonicClock.now + CoverLimits.dialogEnd
        for (window, var one) in closing where !known.contains(window) {
            one.end = end
            gone.append(one)
            closing[window] = nil
        }
        return Set(closed.keys)
    }

    /// Remembers which window had the focus before dialogs that were just closed.
    func remember(_ focus: UInt32, before closed: Set<UInt32>) {
        for window in closed where closing[window] == nil {
            closing[window] = Closing(owner: owners[window] ?? 0, focus: focus)
        }
    }

    /// The window that had the focus before a dialog that is being closed; nil: the window is none.
    func focus(before window: UInt32) -> UInt32? { closing[window]?.focus }

    /// The window that had the focus before a dialog about `owner` that is gone since a moment ago; once.
    func focus(beforeEndAbout owner: UInt32) -> UInt32? {
        let now = MonotonicClock.now
        gone.removeAll { $0.end < now }
        guard let one = gone.first(where: { $0.owner == owner }) else { return nil }
        gone.removeAll { $0.owner == owner }
        return one.focus
    }
}
