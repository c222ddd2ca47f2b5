import Loop
import Units

/// The dialogs in which xfwm4 offers to end a window that does not answer its ping. It has read by then that
/// the window answers, and does not forget it, so the ping cannot be kept from it as from others.
@LoopActor final class HangDialogs {
    /// WM_CLASS of xfwm4's program for them.
    private static let name = "helper-dialog"
    /// Of those that are gone, so many are remembered.
    private static let goneMax = 8

    private let display: XDisplay
    private var known: Set<UInt32> = []
    /// Those that there are, and the windows that they are about.
    private var owners: [UInt32: UInt32] = [:]
    /// Those that there were of late.
    private var gone: [(window: UInt32, owner: UInt32, at: Milliseconds)] = []

    init(_ display: XDisplay) { self.display = display }

    /// Closes those that are about a covered window, as a click on their close button does: it ends nothing.
    /// One round trip, and only when there are new windows.
    /// - Parameter stack: all windows; called when it changed, so also when a cover was shown.
    /// - Returns: what was closed, and the windows about which one is gone since.
    func close(
        in stack: [UInt32], isCovered: (UInt32) -> Bool
    ) -> (closed: Set<UInt32>, goneAbout: Set<UInt32>) {
        let fresh = stack.filter { !known.contains($0) }
        known = Set(stack)
        let ended = owners.filter { !known.contains($0.key) }
        owners = owners.filter { known.contains($0.key) }
        let now = EventLoop.main.now
        gone = (gone + ended.map { ($0.key, $0.value, now) }).suffix(Self.goneMax)
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
        return (Set(closed.keys), Set(ended.values))
    }

    /// The window that such a dialog is about, or was of late; nil: the window is none.
    func owner(of window: UInt32) -> UInt32? {
        owners[window] ?? gone.last { $0.window == window }?.owner
    }

    /// Whether one about this window is gone since then or later.
    func isGone(about owner: UInt32, since: Milliseconds) -> Bool {
        gone.contains { $0.owner == owner && $0.at > since }
    }
}
