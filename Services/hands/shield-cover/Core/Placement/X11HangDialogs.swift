import Loop
import Units

/// The focus that dialogs about covered windows take: it goes back to who had it.
extension X11Placement {
    /// Closes the dialogs in which the manager offers to end a covered window. The focus that one took goes
    /// back first, or the manager would give it to the covered window.
    func closeDialogs(in stack: [UInt32]) {
        let (closed, goneAbout) = dialogs.close(in: stack) { covers[$0] != nil }
        guard !closed.isEmpty || !goneAbout.isEmpty else { return }
        activeChanged()
        if closed.contains(activeWindow) {
            leaveDialog()
        } else if let owner = target(activeWindow), goneAbout.contains(owner),
            let last = history.entries.last, isRecent(last)
        {
            // That the dialog had the focus meanwhile was not seen.
            leaveDialog(about: owner)
        }
    }

    /// The active window is a dialog about a covered window, or one gave it the focus with its end: gives the
    /// focus back.
    /// - Returns: whether that was so.
    @discardableResult
    func leaveDialog() -> Bool {
        let owner = dialogs.owner(of: activeWindow) ?? target(activeWindow)
        guard let owner, covers[owner] != nil, activeWindow != previousWindow,
            dialogs.owner(of: activeWindow) != nil || dialogs.owner(of: previousWindow) == owner
                || dialogs.isGone(about: owner, since: EventLoop.main.now - CoverLimits.dialogEnd)
        else { return false }
        leaveDialog(about: owner)
        return true
    }

    /// Gives the focus to the window that had it before a dialog, if it can take it, else to the cover.
    private func leaveDialog(about owner: UInt32) {
        var before = history.entries[...]
        while let last = before.last, target(last.window) == owner, isRecent(last) {
            before.removeLast()
        }
        let found = before.last {
            !isAboutCovered($0.window) && display.isViewable($0.window)
        }
        if let window = found?.window, target(window) != owner {
            giveBackFocus(to: window)
        } else if let cover = covers[owner] {
            moveFocus(from: activeWindow, to: cover.id)
        }
    }

    private func isAboutCovered(_ window: UInt32) -> Bool {
        dialogs.owner(of: window).map { covers[$0] != nil } ?? false
    }

    private func isRecent(_ entry: ActiveHistory.Entry) -> Bool {
        entry.since > EventLoop.main.now - CoverLimits.dialogEnd
    }

    /// The covered window that this is, or whose cover it is.
    private func target(_ window: UInt32) -> UInt32? {
        covers[window] != nil ? window : covers.first { $0.value.id == window }?.key
    }
}
