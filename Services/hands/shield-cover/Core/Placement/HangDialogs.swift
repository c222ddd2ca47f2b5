import Loop

/// The dialogs in which xfwm4 offers to end a window that does not answer its ping. It has read by then that
/// the window answers, and does not forget it, so the ping cannot be kept from it as from others.
@LoopActor final class HangDialogs {
    /// WM_CLASS of xfwm4's program for them.
    private static let name = "helper-dialog"

    private let display: XDisplay
    private var known: Set<UInt32> = []

    init(_ display: XDisplay) { self.display = display }

    /// Closes those that are about a covered window, as a click on their close button does: it ends nothing.
    /// One round trip, and only when there are new windows.
    func close(in stack: [UInt32], isCovered: (UInt32) -> Bool) {
        let fresh = stack.filter { !known.contains($0) }
        known = Set(stack)
        let answers = fresh.map {
            ($0, display.askText(Property.windowClass, of: $0),
             display.askNumbers(Property.transientFor, of: $0, max: 1))
        }
        for (window, name, owner) in answers where name() == Self.name {
            guard let owner = owner().first, isCovered(owner) else { continue }
            display.tellManager(Property.close, about: window, [0, Source.pager])
        }
    }
}
