extension X11Placement {
    /// Closes the dialogs in which the manager offers to end a covered window. The focus that one took goes
    /// back first, or the manager would give it to the cover; one may also take it between this and its end.
    func closeDialogs(in stack: [UInt32]) {
        let closed = dialogs.close(in: stack) { covers[$0] != nil }
        guard !closed.isEmpty else {
            leaveClosedDialog()
            return
        }
        activeChanged()
        let tookFocus = closed.contains(activeWindow)
        let before = tookFocus ? previousWindow : activeWindow
        dialogs.remember(dialogs.focus(before: before) ?? before, before: closed)
        if tookFocus { giveBackFocus(to: previousWindow) }
    }

    /// The manager gave the focus on to the window that a dialog was about, with the dialog's end: it goes
    /// back to the window that had it before.
    /// - Returns: whether that was so.
    @discardableResult
    func leaveClosedDialog() -> Bool {
        let owner = covers[activeWindow] != nil ? activeWindow : target(ofCover: activeWindow)
        guard let owner, let focus = dialogs.focus(beforeEndAbout: owner) else { return false }
        guard focus != owner, focus != covers[owner]?.id else { return false }
        giveBackFocus(to: focus)
        return true
    }

    private func target(ofCover window: UInt32) -> UInt32? {
        covers.first { $0.value.id == window }?.key
    }
}
